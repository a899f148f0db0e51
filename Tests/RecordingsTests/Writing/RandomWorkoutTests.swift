import Analytics
import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Workouts of random shape come back from files with the same times, laps and sums.
struct RandomWorkoutTests {
    @Test(arguments: ["fit", "tcx", "csv"], 1...60)
    func `a workout of any shape comes back from a file`(format: String, seed: UInt64) throws {
        var made = RandomWorkout(seed: seed)
        let entries = made.entries()
        let bytes = try WrittenFile(entries, as: format).bytes
        let recordings = try RecordingFile.readAll(RecordingSource(path: "run.\(format)", bytes: bytes))
        let (before, after) = (HeldReadings(entries), HeldReadings(try #require(recordings.first).entries))
        #expect(recordings.count == 1)
        let text: Comment = "seed \(seed): \(made)"
        func isNear(_ one: Date?, _ other: Date?) -> Bool {
            guard let one, let other else { return one == other }
            return abs(one.timeIntervalSince(other)) <= 1
        }
        #expect(isNear(before.start, after.start) && isNear(before.end, after.end), text)
        #expect(abs(before.secondsInPauses - after.secondsInPauses) <= 2, text)
        #expect(abs(before.meters - after.meters) <= 0.5, text)
        // A FIT file has at least one lap.
        if format == "fit", before.laps.isEmpty { return }
        #expect(before.laps.count == after.laps.count, text)
        for (one, other) in zip(before.laps, after.laps) {
            #expect(isNear(one.lowerBound, other.lowerBound) && isNear(one.upperBound, other.upperBound), text)
        }
    }
}

extension HeldReadings {
    fileprivate var secondsInPauses: Double {
        pauses.reduce(0) { $0 + ($1.end ?? $1.start).timeIntervalSince($1.start) }
    }
}

/// A workout with pauses, laps that may leave gaps, and readings with dropouts: none, a few, or in one piece.
private struct RandomWorkout: CustomStringConvertible {
    private var random: SeededGenerator
    private let start = SmallRide.start
    private var pauses: [(from: Double, to: Double)] = []
    private(set) var description = ""

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private func isActive(_ second: Double) -> Bool { !pauses.contains { $0.from < second && second <= $0.to } }

    mutating func entries() -> [SessionEntry] {
        let length = Double(number(60...900))
        makePauses(length)
        var content: [(Double, SessionEntry.Content)] = pauses.flatMap {
            [($0.from, .state(.paused)), ($0.to, .state(.running))]
        }
        content += readings(length) + laps(length)
        // In the order of a log: a lap comes after the readings at its end.
        let sorted = content.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running"))
        let all =
            [(0, .header(header)), (0, .state(.running))] + sorted.map(\.element) + [(length, .state(.stopped))]
        return all.map { SessionEntry(start + $0.0, $0.1) }
    }

    private mutating func makePauses(_ length: Double) {
        var second = 0.0
        for _ in 0..<number(0...3) {
            let from = second + Double(number(5...200))
            let to = from + Double(number(3...100))
            guard to < length - 3 else { break }
            pauses.append((from, to))
            second = to
        }
        description += "\(length) s, pauses \(pauses), "
    }

    private mutating func readings(_ length: Double) -> [(Double, SessionEntry.Content)] {
        let step = [1.0, 2, 5][number(0...2)]
        let measuresHeart = number(0...4) > 0
        let measuresDistance = number(0...3)
        let dropout = number(0...2) == 0 ? Double(number(10...400)) : nil
        description +=
            "every \(step) s, heart \(measuresHeart), distance \(measuresDistance), dropout \(dropout ?? 0), "
        var content: [(Double, SessionEntry.Content)] = []
        func add(_ type: String, _ value: Double, _ unit: String, from: Double, to: Double) {
            let reading = QuantityReading(type, value, unit: unit, start: start + from, end: start + to)
            content.append((to, .quantity(reading)))
        }
        for second in stride(from: step, through: length, by: step) where isActive(second) {
            if let dropout, (dropout..<dropout + 60).contains(second) { continue }
            if measuresHeart {
                add("heartRate", Double(number(100...180)), "count/min", from: second, to: second)
            }
            let begins = pauses.last { $0.to < second }?.to ?? 0
            let from = max(second - step, begins)
            if measuresDistance > 1, second > from { add("distanceWalkingRunning", 3, "m", from: from, to: second) }
        }
        if measuresDistance == 1, pauses.isEmpty {
            add("distanceWalkingRunning", length * 3, "m", from: 0, to: length)
        }
        return content
    }

    private mutating func laps(_ length: Double) -> [(Double, SessionEntry.Content)] {
        var content: [(Double, SessionEntry.Content)] = []
        let leavesGaps = number(0...1) == 0
        var second = 0.0
        for _ in 0..<number(0...4) {
            let from = leavesGaps && number(0...1) == 0 ? second + Double(number(6...60)) : second
            let to = from + Double(number(8...150))
            // A lap neither begins nor ends in a pause, nor in the seconds that belong to the lap before.
            guard to < length - 6, isActive(from), isActive(to) else { break }
            content.append((to, .event(EventRecord(.lap, start: start + from, end: start + to))))
            description += "lap \(from)–\(to), "
            second = to
        }
        return content
    }
}
