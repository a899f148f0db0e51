import Analytics
import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Workouts of random shapes, written in each format and read again: what a user sees must be the same.
struct RandomWorkoutTests {
    private static let distances = [
        "swimming": "distanceSwimming", "cycling": "distanceCycling", "running": "distanceWalkingRunning",
    ]

    /// A workout in whole seconds: one leg or three, each with a pause, a dropout and laps, or without.
    private struct Workout {
        var entries: [SessionEntry] = []
        /// In seconds since the start.
        var laps: [ClosedRange<Double>] = []
        var legs: [Double] = []
        var paused = 0.0
        var heartRates: [Double] = []
        /// By the type of the distance, which shows the leg.
        var meters: [String: Double] = [:]
        var end = 0.0

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
            let start = SmallRide.start
            func add(_ second: Double, _ content: SessionEntry.Content) {
                entries.append(SessionEntry(start + second, content))
            }
            let activities = chance(0.4) ? ["swimming", "cycling", "running"] : ["running"]
            let whole = activities.count > 1 ? "swimBikeRun" : activities[0]
            add(0, .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: whole))))
            add(0, .state(.running))
            let hasLaps = chance(0.8)
            var lapStart = 0.0
            for activity in activities {
                let first = end
                if activities.count > 1 {
                    legs.append(first)
                    let description = ActivityDescription(activity: activity)
                    add(first, .activityBegan(ActivityRecord(id: UUID(), activity: description)))
                }
                let length = [20, 60, 200].randomElement(using: &random) ?? 20
                let step = [1, 1, 2, 4].randomElement(using: &random) ?? 1
                end = first + Double(length)
                let pause = pause(in: first, length, chance(0.4), &random)
                let away = first + Double.random(in: 0..<Double(length) * (chance(0.3) ? 1 : 100), using: &random)
                var wanted = (0..<2).map { _ in first + Double(Int.random(in: 2...length - 2, using: &random)) }
                if chance(0.5) { wanted.append(end - Double(Int.random(in: 1...5, using: &random))) }
                let cuts = Set(wanted).filter { cut in hasLaps && pause.map { !$0.contains(cut) } ?? true }
                var last = first
                for second in stride(from: first + 1, through: end, by: 1) {
                    if second == pause?.lowerBound {
                        add(second, .state(.paused))
                    } else if second == pause?.upperBound {
                        add(second, .state(.running))
                        last = second
                    }
                    let isMeasured = Int(second - first) % step == 0 && !(away..<away + 7).contains(second)
                    if isMeasured, pause.map({ !($0.lowerBound...$0.upperBound).contains(second) }) ?? true {
                        heartRates.append(Double(Int.random(in: 60...180, using: &random)))
                        addReading("heartRate", heartRates.last ?? 0, "count/min", second, second)
                        let way = Double(Int.random(in: 100...400, using: &random)) / 100
                        let type = RandomWorkoutTests.distances[activity] ?? ""
                        meters[type, default: 0] += way
                        addReading(type, way, "m", last, second)
                        last = second
                    }
                    guard cuts.contains(second) || second == end && hasLaps && activities.count > 1 else { continue }
                    laps.append(lapStart...second)
                    add(second, .event(EventRecord(.lap, start: start + lapStart, end: start + second)))
                    lapStart = second
                }
                paused += pause.map { $0.upperBound - $0.lowerBound } ?? 0
            }
            add(end, .state(.stopped))
        }

        private func pause(
            in first: Double, _ length: Int, _ isWanted: Bool, _ random: inout SeededGenerator
        ) -> ClosedRange<Double>? {
            guard isWanted, length > 20 else { return nil }
            let start = first + Double(Int.random(in: 5...length - 15, using: &random))
            return start...min(start + Double(Int.random(in: 6...40, using: &random)), first + Double(length) - 3)
        }

        private mutating func addReading(
            _ type: String, _ value: Double, _ unit: String, _ first: Double, _ last: Double
        ) {
            let (start, end) = (SmallRide.start + first, SmallRide.start + last)
            let reading = QuantityReading(type, value, unit: unit, start: start, end: end)
            entries.append(SessionEntry(end, .quantity(reading)))
        }
    }

    @Test(arguments: ["fit", "tcx", "csv"], 0..<100 as Range<UInt64>)
    func `a random workout reads back as it was`(format: String, seed: UInt64) throws {
        let workout = Workout(seed: seed)
        let bytes = try WrittenFile(workout.entries, as: format).bytes
        let back = try #require(try RecordingFile.readAll(RecordingSource(path: "random", bytes: bytes)).first)
        let start = SmallRide.start
        #expect(back.start == start)
        #expect(back.end == start + workout.end)
        #expect(back.pausedInSeconds == workout.paused)
        #expect(back.activities.map(\.date) == workout.legs.map { start + $0 })
        #expect(back.readings("heartRate").map(\.value) == workout.heartRates)
        #expect(back.isInOrder)
        for type in Self.distances.values {
            let meters = back.readings(type).map(\.value).reduce(0, +)
            #expect(abs(meters - workout.meters[type, default: 0]) < 0.05)
        }
        // A FIT file has at least one lap for each session.
        guard format != "fit" || !workout.laps.isEmpty else { return }
        let laps = back.events(.lap)
        #expect(laps.map(\.start) == workout.laps.map { start + $0.lowerBound })
        // What follows a last lap for a few seconds is in it in a TCX file.
        for (lap, own) in zip(laps, workout.laps) {
            let rest = lap.end.timeIntervalSince(start + own.upperBound)
            #expect(rest == 0 || format == "tcx" && lap == laps.last && (0...HeldLap.longestInSeconds).contains(rest))
        }
    }
}
