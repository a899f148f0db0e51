// `@Observable` without importing Observation, and locks, which preceded actors.

import Foundation
import HealthKitUI
import OSLog
import os.lock
import os.signpost

@Observable
final class TrainingPlan {
    var steps: [String] = []
    var current = 0
    @ObservationIgnored var logger = os.Logger(subsystem: "com.example.Runner", category: "plan")

    func advance() {
        current += 1
        logger.notice("step \(self.current) of \(self.steps.count): \(self.steps, privacy: .public)")
    }
}

final class SampleBuffer: @unchecked Sendable {
    private let samples = OSAllocatedUnfairLock<[Double]>(initialState: [])
    private var lock = os_unfair_lock_s()
    private var count = 0
    private let signposter = OSSignposter(subsystem: "com.example.Runner", category: .pointsOfInterest)

    func add(_ sample: Double) {
        samples.withLock { $0.append(sample) }
        os_unfair_lock_lock(&lock)
        defer { os_unfair_lock_unlock(&lock) }
        count += 1
    }

    func average() -> Double {
        let state = signposter.beginInterval("average", id: signposter.makeSignpostID())
        defer { signposter.endInterval("average", state, "of \(self.count) samples") }
        return samples.withLock { $0.reduce(0, +) / Double(max(1, $0.count)) }
    }
}

extension OSLog {
    private static let subsystem = "com.example.Runner"
    static let sync = OSLog(category: "sync")

    convenience init(category: String) { self.init(subsystem: OSLog.subsystem, category: category) }

    func debug(_ message: StaticString, _ args: CVarArg...) { log(message, type: .debug, args) }
    func error(_ message: StaticString, _ args: CVarArg...) { log(message, type: .error, args) }

    private func log(_ message: StaticString, type: OSLogType, _ args: [CVarArg]) {
        switch args.count {
        case 0: os_log(message, log: self, type: type)
        case 1: os_log(message, log: self, type: type, args[0])
        default: os_log(message, log: self, type: type, args[0], args[1])
        }
    }
}

extension Logger {
    static let health = Logger(subsystem: Bundle.main.bundleIdentifier ?? "runner", category: "health")
}

func exportLog() throws -> [String] {
    let store = try OSLogStore(scope: .currentProcessIdentifier)
    let position = store.position(timeIntervalSinceLatestBoot: 1)
    return try store.getEntries(at: position).compactMap { $0 as? OSLogEntryLog }
        .filter { $0.subsystem == "com.example.Runner" }
        .map { "[\($0.date.formatted())] [\($0.category)] \($0.composedMessage)" }
}
