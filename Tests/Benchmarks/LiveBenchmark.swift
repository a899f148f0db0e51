import Engine
import Foundation
import Glibc
import HealthKit
import SessionLog

/// Measures a session at 1 Hz: an hour of heart rates, each in the journal before the next one comes.
///
/// The store gets them when something reads it: `nobody reads` saves once a minute, `an app watches` once a second,
/// as for an observer query in this process or another. Bytes are those passed to `write` (`wchar` of /proc/self/io),
/// without what the file system adds. Processor time is that of the whole process, and its seconds don't pass in real
/// time. Wake-ups are counted in real time: how often a thread of the process goes to sleep (`ru_nvcsw` of
/// getrusage(2)), including the benchmark's own clock.
func benchmarkLive() async throws {
    for reader in LiveCost.Reader.allCases {
        let cost = try await LiveCost.measure(seconds: 3_600, reader)
        let wakeUps = try await LiveCost.wakeUps(inSeconds: 20, reader)
        print(
            String(
                format: "session at 1 Hz, %@: %.1f MB written and %.2f s of processor time an hour; finishing %.0f ms; "
                    + "%.1f wake-ups a second", reader.rawValue, cost.megabytes, cost.processorSeconds,
                cost.finishingMilliseconds, wakeUps))
    }
}

struct LiveCost {
    var megabytes: Double
    var processorSeconds: Double
    var finishingMilliseconds: Double

    enum Reader: String, CaseIterable {
        case none = "journal alone"
        case nobody = "nobody reads"
        case app = "an app watches"

        /// The time between two saved groups. Nil if none is saved.
        var interval: Int? {
            switch self {
            case .none: nil
            case .nobody: 60
            case .app: 1
            }
        }
    }

    /// A session on a store of its own.
    private struct Session {
        static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID())")
        let environment: HealthEnvironment
        let store: HKHealthStore
        let session: HKWorkoutSession
        let builder: HKLiveWorkoutBuilder

        init(_ reader: Reader) async throws {
            var environment = HealthEnvironment(sensors: [])
            environment.keepData(at: .file(folder.appendingPathComponent("health.sqlite").path))
            environment.keepsWorkouts = reader != .none
            self.environment = environment
            store = HKHealthStore(environment: environment)
            let configuration = HKWorkoutConfiguration()
            configuration.activityType = .running
            session = try HKWorkoutSession(healthStore: store, configuration: configuration)
            builder = session.associatedWorkoutBuilder()
            builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
            session.startActivity(with: Self.start)
            try await builder.beginCollection(at: Self.start)
        }

        func collect(second: Int) async {
            let date = Self.start + Double(second)
            await session.recorder.collect([
                SessionEntry(date, .quantity(.heartRate(Double(120 + second % 30), at: date, sensor: "strap"))),
                SessionEntry(date, .beats(BeatReading(intervalsInMilliseconds: [500], sensor: "strap"))),
            ])
        }

        func finish(second: Int) async throws {
            let end = Self.start + Double(second)
            session.stopActivity(with: end)
            _ = await session.recorder.log
            try await builder.endCollection(at: end)
            _ = try await builder.finishWorkout()
            session.end()
        }
    }

    static func measure(seconds: Int, _ reader: Reader) async throws -> LiveCost {
        let session = try await Session(reader)
        defer { try? FileManager.default.removeItem(at: session.folder) }
        let journal = await session.session.recorder.log.journal
        let (bytes, time) = (writtenBytes(), processorSeconds())
        for second in 0..<seconds {
            await session.collect(second: second)
            try journal?.commit()
            if let interval = reader.interval, second % interval == interval - 1 {
                session.environment.liveSessions.save()
            }
        }
        let cost = (writtenBytes() - bytes, processorSeconds() - time)
        let finishing = try await ContinuousClock().measure { try await session.finish(second: seconds) }
        return LiveCost(
            megabytes: Double(cost.0) / 1e6, processorSeconds: cost.1,
            finishingMilliseconds: finishing / .milliseconds(1))
    }

    /// One second.
    static func wakeUps(inSeconds seconds: Int, _ reader: Reader) async throws -> Double {
        let session = try await Session(reader)
        defer { try? FileManager.default.removeItem(at: session.folder) }
        let query = HKObserverQuery(sampleType: HKQuantityType(.heartRate), predicate: nil) { _, done, _ in done() }
        if reader == .app { session.store.execute(query) }
        try await Task.sleep(for: .seconds(1))
        let before = sleeps()
        for second in 0..<seconds {
            await session.collect(second: second)
            try await Task.sleep(for: .seconds(1))
        }
        let count = sleeps() - before
        if reader == .app { session.store.stop(query) }
        try await session.finish(second: seconds)
        return Double(count) / Double(seconds)
    }

    private static func writtenBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("wchar:") }
        return line.flatMap { Int($0.dropFirst(6).trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    private static func sleeps() -> Int {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_nvcsw
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}
