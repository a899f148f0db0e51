public import GATT
import Synchronization

/// The one who controls the trainer of a session, whichever of its sensors that is, also over several links.
///
/// The rider always wins: after ``release()``, and after the trainer reports that another program took the control, nothing is asked of it until
/// ``resume()``.
public final class TrainerControl: Sendable {
    private let state = Mutex(State())

    private struct State {
        var target: FitnessMachineTarget?
        var isReleased = false
        var listeners: [Int: @Sendable () -> Void] = [:]
        var count = 0
        var report: (@Sendable (DeviceAddress, TrainerEvent) -> Void)?

        var request: FitnessMachineTarget? { isReleased ? nil : target }
    }

    public init() {}

    /// - Parameter report: Called in order for each trainer, on the thread that receives its values; must not block it.
    public func observe(_ report: @escaping @Sendable (DeviceAddress, TrainerEvent) -> Void) {
        state.withLock { $0.report = report }
    }

    /// Asks for a target. Nil leaves the rider free.
    public func hold(_ target: FitnessMachineTarget?) { change { $0.target = target } }

    /// Leaves the rider free, whatever was requested.
    public func release() { change { $0.isReleased = true } }

    /// Controls the trainer again.
    public func resume() { change { $0.isReleased = false } }

    public var isReleased: Bool { state.withLock { $0.isReleased } }

    /// The present target of the trainer.
    var request: FitnessMachineTarget? { state.withLock { $0.request } }

    private func change(_ body: (inout State) -> Void) {
        let listeners = state.withLock { state in
            let before = state.request
            body(&state)
            return state.request == before ? [] : Array(state.listeners.values)
        }
        for listener in listeners { listener() }
    }

    /// Calls `listener` after each change of ``request``, on any thread.
    /// - Returns: What to pass to ``remove(_:)``.
    func add(_ listener: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.count += 1
            state.listeners[state.count] = listener
            return state.count
        }
    }

    func remove(_ listener: Int) { state.withLock { $0.listeners[listener] = nil } }

    /// Handles a report of the trainer. A change by the rider at the machine counts at once, before any other request.
    func happened(_ event: TrainerEvent, at address: DeviceAddress) {
        switch event {
        case .controlLost: release()
        case .riderChose(let watts): hold(.power(watts: watts))
        default: break
        }
        state.withLock { $0.report }?(address, event)
    }
}
