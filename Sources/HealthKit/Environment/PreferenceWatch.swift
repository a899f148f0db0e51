import Dispatch
import Synchronization

/// Detects changes of the preferred units. Usually another process changes them (`workout profile --units`), so it
/// reads the profile regularly, starting when an app first requests units.
package final class PreferenceWatch: Sendable {
    static let pollIntervalInSeconds = 1.0

    private let units: @Sendable () -> UnitSystemName?
    private let state = Mutex(State())

    private struct State {
        var last: UnitSystemName?
        var timer: (any DispatchSourceTimer)?
        var changed: (@Sendable () -> Void)?
    }

    /// - Parameter units: Returns the current units.
    init(_ units: @escaping @Sendable () -> UnitSystemName?) {
        self.units = units
    }

    deinit { state.withLock { $0.timer?.cancel() } }

    /// Starts watching. Later calls have no effect.
    func begin(_ changed: @escaping @Sendable () -> Void) {
        let now = units()
        state.withLock { state in
            guard state.timer == nil else { return }
            state.last = now
            state.changed = changed
            let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
            timer.schedule(
                deadline: .now() + Self.pollIntervalInSeconds, repeating: Self.pollIntervalInSeconds,
                leeway: .milliseconds(250))
            timer.setEventHandler { [weak self] in self?.check() }
            timer.activate()
            state.timer = timer
        }
    }

    package func check() {
        let now = units()
        let changed = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.timer != nil, state.last != now else { return nil }
            state.last = now
            return state.changed
        }
        changed?()
    }
}
