import Foundation
import Glibc
import HealthKit
import Recordings

/// What a session at 1 Hz costs on a disk: an hour of heart rates, one a second, each in the journal and in the store before the
/// next one comes. With `keeps: false` the store gets nothing while the session runs, so what it costs stands beside.
///
/// Bytes are those given to `write` (`wchar` of /proc/self/io), without what the file system adds. Processor time is the whole
/// process's. As the seconds do not pass, each figure is that of an hour with one wake-up a second.
func benchmarkLive() async throws {
    for (name, keeps) in [("journal alone", false), ("journal and store", true)] {
        let cost = try await LiveCost.measure(seconds: 3_600, keepsLive: keeps)
        print(
            String(
                format: "session at 1 Hz, %@: %.1f MB written and %.2f s of processor time an hour; finishing %.0f ms",
                name,
                cost.megabytes, cost.processorSeconds, cost.finishingMilliseconds))
    }
}

struct LiveCost {
    var megabytes: Double
    var processorSeconds: Double
    var finishingMilliseconds: Double

    static func measure(seconds: Int, keepsLive: Bool) async throws -> LiveCost {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var environment = HealthEnvironment(sensors: [])
        environment.keepData(at: .file(folder.appendingPathComponent("health.sqlite").path))
        let kept = HKHealthStore(environment: environment)
        if !keepsLive { environment.keepsWorkouts = false }
        let store = keepsLive ? kept : HKHealthStore(environment: environment)
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
        let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        let journal = await session.recorder.log.journal
        let (bytes, time) = (writtenBytes(), processorSeconds())
        for second in 0..<seconds {
            let date = start + Double(second)
            await session.recorder.collect([
                SessionEntry(
                    date,
                    .quantity(.heartRate(Double(120 + second % 30), at: date, sensor: "strap"))),
                SessionEntry(date, .beats(BeatReading(intervalsInMilliseconds: [500], sensor: "strap"))),
            ])
            try journal?.commit()
            environment.liveSessions.save()
        }
        let cost = (writtenBytes() - bytes, processorSeconds() - time)
        session.stopActivity(with: start + Double(seconds))
        _ = await session.recorder.log
        try await builder.endCollection(at: start + Double(seconds))
        let finishing = try await ContinuousClock().measure { _ = try await builder.finishWorkout() }
        return LiveCost(
            megabytes: Double(cost.0) / 1e6, processorSeconds: cost.1,
            finishingMilliseconds: finishing / .milliseconds(1))
    }

    private static func writtenBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("wchar:") }
        return line.flatMap { Int($0.dropFirst(6).trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}
