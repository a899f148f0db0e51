import Foundation
import MadeEntries
import Testing

@testable import Recordings
@testable import SessionLog

/// Workouts of random shape, written in each format and read again: a user sees the same.
struct RandomWorkoutTests {
    private func heartRatesOutsidePauses(_ recording: Recording) -> [Double] {
        var isPaused = false
        return recording.entries.compactMap { entry in
            switch entry.content {
            case .state(let phase): isPaused = phase == .paused
            case .quantity(let reading) where reading.type == "heartRate" && !isPaused: return reading.value
            default: break
            }
            return nil
        }
    }

    private static let cases: [(String, RandomWorkout.Shape)] = [
        ("fit", []), ("fit", [.power, .route, .readingsInPauses]), ("fit", .gapsBetweenLaps),
        ("tcx", []), ("tcx", [.power, .route, .readingsInPauses]), ("tcx", .gapsBetweenLaps), ("tcx", .fractions),
        ("csv", []), ("csv", .everything), ("jsonl", .everything),
    ]

    @Test(arguments: cases.indices, 0..<25 as Range<UInt64>)
    func `a random workout reads back as it was`(index: Int, seed: UInt64) throws {
        let (format, shape) = Self.cases[index]
        let workout = RandomWorkout(seed: seed, shape: shape)
        let bytes = try WrittenFile(workout.entries, as: format).bytes
        let back = try #require(try RecordingFile.readAll(RecordingSource(path: "random", bytes: bytes)).first)
        let start = RandomWorkout.start
        #expect(back.start == start)
        #expect(back.end == start + workout.end)
        #expect(back.pausedInSeconds == workout.pausedInSeconds)
        #expect(back.activities.map(\.date) == workout.legs.map { start + $0 })
        #expect(heartRatesOutsidePauses(back) == workout.heartRates)
        #expect(back.isInOrder)
        for type in RandomWorkout.distances.values {
            let meters = back.readings(type).map(\.value).reduce(0, +)
            #expect(abs(meters - workout.meters[type, default: 0]) < 0.05)
        }
        // A FIT file has at least one lap for each session.
        guard format != "fit" || !workout.laps.isEmpty else { return }
        let laps = back.events(.lap)
        #expect(laps.map(\.start) == workout.laps.map { start + $0.lowerBound })
        // The last lap includes what follows it within 2 s, or a few seconds in a TCX file.
        for (lap, own) in zip(laps, workout.laps) {
            let longest = lap != laps.last || format == "jsonl" ? 0 : format == "tcx" ? HeldLap.longestInSeconds : 2
            #expect((0...longest).contains(lap.end.timeIntervalSince(start + own.upperBound)))
        }
    }
}
