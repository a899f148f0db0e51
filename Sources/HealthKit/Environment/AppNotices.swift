import Synchronization

/// Lines on standard error that say why an app gets no data, where Apple's system shows a sheet or a setting: without them
/// an app that was refused looks like one whose user has no data.
///
/// Each reason is reported once a process; `HEALTHKIT_LOG=quiet` tells none. The command says such things itself.
package final class AppNotices: Sendable {
    package enum Reason: Sendable, Hashable, CaseIterable {
        case noSensor, sensorsFailed, nobodyToAsk, readingDenied, buildingRefused, locked
    }

    /// Of this process: every environment that is made from its variables.
    package static let process = AppNotices { StandardError.notify($0) }
    package static let silent = AppNotices(write: nil)

    private let write: (@Sendable (String) -> Void)?
    private let reported = Mutex<Set<Reason>>([])

    package init(write: (@Sendable (String) -> Void)?) {
        self.write = write
    }

    /// - Parameter word: Of `HEALTHKIT_LOG`.
    package static func named(_ word: String?) -> AppNotices { word == "quiet" ? silent : process }

    package func notify(_ reason: Reason, _ sentence: @autoclosure () -> String) {
        guard let write, reported.withLock({ $0.insert(reason).inserted }) else { return }
        write(sentence() + " (Silence these notices with HEALTHKIT_LOG=quiet.)")
    }
}
