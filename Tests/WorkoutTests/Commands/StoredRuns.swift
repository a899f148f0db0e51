import Engine
import Foundation
import HealthKit
import Recordings
import StoredWorkouts
import Synchronization
import Testing

@testable import workout

/// A separate store for a test.
struct StoredRuns {
    let environment: HealthEnvironment
    var database: any HealthDatabase { environment.database }

    /// - Parameter time: If it is not the machine's clock, a session saves each sample at once.
    init(time: any TimeSource = SystemTime()) { environment = HealthEnvironment(sensors: [], time: time) }

    static let utc = Page(columns: 100, timeZone: .gmt)

    private static let recordings = Mutex<[String: Recording]>([:])

    /// A recording of the repository, decoded once for all tests.
    static func recording(_ name: String) throws -> Recording {
        try recordings.withLock { recordings in
            if let known = recordings[name] { return known }
            let recording = try RecordingFile.read(
                SampleRecordingsTests.folder.appendingPathComponent("\(name).jsonl"))
            recordings[name] = recording
            return recording
        }
    }

    /// Replays a recording of the repository into the store, with its dates.
    @discardableResult
    func replay(_ name: String) async throws -> WorkoutSummary {
        let recording = try Self.recording(name)
        let saving = try await SavedRun(recording.id, isWanted: true, environment: environment)
        let run = try WorkoutRun(
            replaying: recording, speed: .infinity, keepsDates: true, id: recording.id, saves: saving == .now,
            environment: environment)
        return try WorkoutSummary(await run.run())
    }

    /// Heart rates a minute apart.
    @discardableResult
    func save(heartRates: [Double], from start: Date, source: String = "local.test") throws -> [HKQuantitySample] {
        let samples = heartRates.enumerated().map { index, rate in
            let date = start.addingTimeInterval(Double(index) * 60)
            return HKQuantitySample(
                type: HKQuantityType(.heartRate),
                quantity: HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: rate), start: date,
                end: date)
        }
        let revision = HKSourceRevision(
            source: HKSource(name: "Test \(source)", bundleIdentifier: source), version: "1")
        try database.save(samples, from: revision)
        return samples
    }
}

extension Recording {
    /// The recordings in a file of these entries.
    static func all(inFileOf entries: RecordedEntries, as format: String) throws -> [Recording] {
        let format = try #require(RecordingFile.writableFormats.first { $0.name == format })
        var bytes: [UInt8] = []
        _ = try RecordingOutput.write(entries, as: format) { bytes += $0 }
        return try RecordingFile.readAll(RecordingSource(path: "file", bytes: bytes))
    }
}

extension Date {
    /// Parses `2026-11-21T09:30Z` and the like.
    init(_ text: String) throws {
        self = try DateArgument.parse(text).start
    }
}
