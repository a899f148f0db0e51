import Engine
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// A pool swim on its way through the store.
struct PoolSwimTests {
    private static let start = Date(timeIntervalSince1970: 1_772_359_200)

    /// Lengths of 25 m with strokes and styles, of which the third is a rest, and two laps of two lengths.
    private static var entries: [SessionEntry] {
        let activity = ActivityDescription(
            activity: "swimming", swimmingLocation: .pool, lapLengthInMeters: 25)
        var entries = [
            SessionEntry(start, .header(SessionHeader(id: UUID(), activity: activity))),
            SessionEntry(start, .state(.running)),
        ]
        for (number, style) in [2.0, 4, 0, 5].enumerated() {
            let (from, to) = (start + 29.5 * Double(number), start + 29.5 * Double(number + 1))
            func add(_ type: String, _ value: Double, _ unit: String) {
                let reading = QuantityReading(type, value, unit: unit, start: from, end: to, sensor: "recorder")
                entries.append(SessionEntry(to, .quantity(reading)))
            }
            if style > 0 {
                add("distanceSwimming", 25, "m")
                add("swimmingStrokeCount", Double(15 + number), "count")
            }
            let metadata: [String: MetadataValue] = style > 0 ? [HKMetadataKeySwimmingStrokeStyle: .number(style)] : [:]
            entries.append(SessionEntry(to, .event(EventRecord(.segment, start: from, end: to, metadata: metadata))))
            if number % 2 == 1 {
                entries.append(SessionEntry(to, .event(EventRecord(.lap, start: from - 29.5, end: to))))
            }
        }
        return entries + [SessionEntry(start + 120, .state(.stopped))]
    }

    private struct Swim: Equatable {
        var activity: ActivityDescription?
        var lengths: [EventRecord] = []
        var strokes: [Double] = []
        var meters = 0.0
        /// By lap; the last value is for the time after them.
        var metersOfLaps = [0.0]

        init(_ entries: some Sequence<SessionEntry>) {
            for entry in entries {
                switch entry.content {
                case .header(let header): activity = header.activity
                case .event(var event) where event.kind == .segment:
                    event.isAdded = false
                    lengths.append(event)
                case .quantity(let reading) where reading.type == "swimmingStrokeCount": strokes.append(reading.value)
                case .event(let event) where event.kind == .lap: metersOfLaps.append(0)
                case .quantity(let reading) where reading.type == "distanceSwimming":
                    meters += reading.value
                    metersOfLaps[metersOfLaps.count - 1] += reading.value
                default: break
                }
            }
        }
    }

    private func store(_ recording: Recording, in runs: StoredRuns) async throws -> HKWorkout {
        let id = UUID()
        let run = try WorkoutRun(
            replaying: recording, speed: .infinity, keepsDates: true, id: id, saves: true,
            environment: runs.environment)
        _ = try await run.run()
        return try StoredWorkouts(runs.database).workout(id.uuidString)
    }

    @Test func `lengths, strokes, styles and the pool survive the store, FIT and the store again`() async throws {
        let runs = StoredRuns()
        let workout = try await store(
            Recording(entries: Self.entries, file: RecordingSummary(format: "jsonl")), in: runs)
        #expect(workout.metadata?[HKMetadataKeyLapLength] as? HKQuantity == HKQuantity(unit: .meter(), doubleValue: 25))
        #expect(workout.metadata?[HKMetadataKeySwimmingLocationType] as? Int == 1)
        #expect(workout.workoutActivities.first?.workoutConfiguration.lapLength?.doubleValue(for: .meter()) == 25)
        #expect(abs((workout.totalSwimmingStrokeCount?.doubleValue(for: .count()) ?? 0) - 49) < 1e-6)
        let events = (workout.workoutEvents ?? []).filter { $0.type == .segment }
        #expect(events.map { $0.metadata?[HKMetadataKeySwimmingStrokeStyle] as? Int } == [2, 4, nil, 5])

        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).fit")
        defer { try? FileManager.default.removeItem(at: file) }
        let left = try RecordingOutput.write(
            RecordedEntries(StoredWorkoutEntries(workout, in: runs.database)), as: FITFormat(), to: file,
            replacing: false)
        #expect(!left.contains { $0.contains("troke") || $0.contains("segment") || $0 == "metadata" }, "\(left)")
        let read = try RecordingFile.read(file)
        let swim = Swim(Self.entries)
        #expect(swim.metersOfLaps == [50, 25, 0])
        #expect(Swim(read.entries) == swim)
        let other = StoredRuns()
        let again = try await store(read, in: other)
        #expect(Swim(try StoredWorkoutEntries(again, in: other.database)) == swim)
    }
}
