import Foundation
import HealthKit
import MadeEntries
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// A workout from the store equals the one that was stored, and its files equal those of the recording.
struct StoredRandomWorkoutTests {
    /// The contents of a file that a user sees, line by line. Readings in pauses are not stored.
    private func contents(of recording: Recording) -> [String] {
        func second(_ date: Date?) -> String { date.map { "\($0.timeIntervalSince(RandomWorkout.start))" } ?? "none" }
        var lines = ["from \(second(recording.facts.start)) to \(second(recording.facts.end))"]
        var pauses = SessionPauses()
        var isPaused = false
        for entry in recording.entries {
            switch entry.content {
            case .state(let phase):
                isPaused = phase == .paused
                pauses.change(to: phase, at: entry.date)
            case .activityBegan(let part): lines.append("\(part.activity.activity) \(second(entry.date))")
            case .event(let event): lines.append("\(event.kind) \(second(event.start)) \(second(event.end))")
            case .quantity(let reading) where !isPaused:
                let value = (reading.value * 1000).rounded() / 1000
                lines.append("\(reading.type) \(value) \(second(reading.start)) \(second(reading.end))")
            case .position(let position):
                let latitude = (position.latitudeInDegrees * 1e6).rounded() / 1e6
                lines.append("position \(latitude) \(second(entry.date))")
            default: break
            }
        }
        lines += pauses.all.map { "pause \(second($0.start)) \(second($0.end))" }
        return lines.sorted()
    }

    private static let shapes: [RandomWorkout.Shape] = [
        [], .gapsBetweenLaps, .readingsInPauses, .fractions, .power, .everything,
    ]

    private func written(_ entries: RecordedEntries, as format: String) throws -> [String] {
        contents(of: try #require(try Recording.all(inFileOf: entries, as: format).first))
    }

    @Test(arguments: shapes.indices, 0..<10 as Range<UInt64>)
    func `a file from the store equals the file of the recording`(shape: Int, seed: UInt64) throws {
        let shape = Self.shapes[shape]
        let workout = RandomWorkout(seed: seed, shape: shape)
        let runs = StoredRuns()
        var log = SessionLogEncoder()
        for entry in workout.entries { try log.append(entry) }
        let recording = try #require(try RecordingFile.readAll(RecordingSource(path: "log", bytes: log.bytes)).first)
        _ = try HKHealthStore(environment: runs.environment).save(recording, as: recording.id)
        let stored = try StoredWorkouts(runs.database).workout(recording.id.uuidString)
        for format in ["jsonl", "fit", "tcx", "csv"] + (shape.contains(.route) ? ["gpx"] : []) {
            let own = try written(recording.entries, as: format)
            let back = try written(RecordedEntries(StoredWorkoutEntries(stored, in: runs.database)), as: format)
            let differences = back.difference(from: own)
            #expect(differences.isEmpty, "\(format)")
        }
    }
}
