import CoreLocation
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// The length of a route is the same in the session and in the store.
@Suite struct RouteSummaryTests {
    private static let start = Date(timeIntervalSince1970: 1_767_254_400)

    /// A walk to the north at 3 m a second, for the given seconds.
    private func walk(_ seconds: ClosedRange<Int>, at longitude: Double) -> [SessionEntry] {
        seconds.map {
            SessionEntry(
                Self.start + Double($0),
                .position(PositionReading(latitudeInDegrees: 50 + Double($0) * 27e-6, longitudeInDegrees: longitude)))
        }
    }

    private func length(_ entries: [SessionEntry]) -> Double {
        let places = entries.compactMap { entry -> CLLocation? in
            guard case .position(let position) = entry.content else { return nil }
            return CLLocation(position, at: entry.date)
        }
        return zip(places, places.dropFirst()).map { $1.distance(from: $0) }.reduce(0, +)
    }

    @Test func `distance covered during a pause is not part of the workout`() async throws {
        let first = walk(1...10, at: 7)
        let second = walk(61...70, at: 7.01)
        var entries = [
            SessionEntry(Self.start, .header(SessionHeader(id: UUID(), activity: ActivityDescription()))),
            SessionEntry(Self.start, .state(.running)),
        ]
        entries += first + [SessionEntry(Self.start + 10.5, .state(.paused))]
        entries += [SessionEntry(Self.start + 60.5, .state(.running))] + second
        entries.append(SessionEntry(Self.start + 70.5, .state(.ended)))
        let file = FileManager.default.temporaryDirectory.appending(path: "route-\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        var encoder = SessionLogEncoder()
        for entry in entries { try encoder.append(entry) }
        try Data(encoder.bytes).write(to: file)

        let runs = StoredRuns()
        let recording = try RecordingFile.read(file)
        let run = try WorkoutRun(
            replaying: recording, speed: .infinity, keepsDates: true, id: recording.id, saves: true,
            environment: runs.environment)
        let replayed = try #require(try WorkoutSummary(await run.run()).route)
        #expect(replayed.points == 20)
        #expect(abs(replayed.distanceInMeters - length(first) - length(second)) < 1e-6)
        let workout = try #require(
            try runs.database.samples([SampleSelection(.workoutType())], sortedBy: [], limit: nil).first as? HKWorkout)
        let stored = try #require(try WorkoutSummary(workout, in: runs.database, wearer: nil).route)
        #expect(stored.points == 20)
        #expect(abs(stored.distanceInMeters - replayed.distanceInMeters) < 1e-6)
    }
}
