import Synchronization

/// Prints on standard error why an app gets no data. Without these lines, an app that was denied looks like one whose
/// user has no data. Apple's systems show a sheet or a setting.
///
/// Each reason is printed once per process, and none with `HEALTHKIT_LOG=quiet`. The command prints its own messages.
package final class AppNotices: Sendable {
    package enum Reason: Sendable, Hashable, CaseIterable {
        case noSensor, sensorsFailed, nobodyToAsk, readingDenied, readingLimited, buildingRefused, locked, publishing
    }

    /// The notices of this process, for every environment that is created from its variables.
    package static let process = AppNotices { StandardError.notify($0) }
    package static let silent = AppNotices(write: nil)

    private let write: (@Sendable (String) -> Void)?
    private let reported = Mutex<Set<Reason>>([])

    package init(write: (@Sendable (String) -> Void)?) {
        self.write = write
    }

    /// - Parameter word: The value of `HEALTHKIT_LOG`.
    package static func named(_ word: String?) -> AppNotices { word == "quiet" ? silent : process }

    package func notify(_ reason: Reason, _ sentence: @autoclosure () -> String) {
        guard let write, reported.withLock({ $0.insert(reason).inserted }) else { return }
        write(sentence() + " (Silence these notices with HEALTHKIT_LOG=quiet.)")
    }
}
