import Foundation
import Synchronization

/// Prints notices on standard error about calls that have no effect on Linux, each once per process.
enum LinuxNotice {
    private static let written = Mutex<Set<String>>([])

    static func write(_ call: String, _ reason: String) {
        guard written.withLock({ $0.insert(call).inserted }) else { return }
        FileHandle.standardError.write(Data("WatchKit: \(call) did nothing: \(reason)\n".utf8))
    }
}
