import Archiving
import Foundation
import HealthData
import SessionLog
import Testing

struct WorkoutPausesTests {
    private static func event(_ type: HKWorkoutEventType, _ seconds: TimeInterval) -> HKWorkoutEvent {
        HKWorkoutEvent(type: type, dateInterval: DateInterval(start: time(seconds), duration: 0), metadata: nil)
    }

    private static func events(_ line: String) -> [HKWorkoutEvent] {
        line.split(separator: " ").map { word in
            let types: [Character: HKWorkoutEventType] = [
                "p": .pause, "r": .resume, "m": .motionPaused, "n": .motionResumed, "k": .marker,
            ]
            return event(types[word.first ?? "k"] ?? .marker, TimeInterval(word.dropFirst()) ?? 0)
        }
    }

    /// Events in a workout of 100 s: p pause, r resume, m and n motion paused and resumed, each at a second.
    @Test(arguments: [
        ("", 100.0), ("p10 r30", 80), ("p10 r30 p50 r60", 70), ("r30 p10", 80), ("p50 r60 p10 r30", 70),
        ("p90", 90), ("r20", 100), ("r20 p40 r50", 90), ("p10 p20 r30", 80), ("p10 r20 r30", 90),
        ("p10 r10", 100), ("p0 r100", 0), ("p-20 r10", 90), ("p90 r120", 90), ("m10 n50", 100), ("p10 m20 n25 r30", 80),
        ("p10 r20 p20 r30", 80),
    ])
    func `paused time is left out, even if events are unbalanced`(line: String, active: Double) {
        let pauses = WorkoutPauses(of: Self.events(line), start: time(0), end: time(100))
        #expect(abs(pauses.activeSeconds(from: time(0), to: time(100)) - active) < 1e-6)
    }

    @Test func `a part of the workout leaves out only its own share of a pause`() {
        let pauses = WorkoutPauses(of: Self.events("p10 r30"), start: time(0), end: time(100))
        #expect(abs(pauses.activeSeconds(from: time(0), to: time(20)) - 10) < 1e-6)
        #expect(abs(pauses.activeSeconds(from: time(20), to: time(50)) - 20) < 1e-6)
        #expect(pauses.activeSeconds(from: time(12), to: time(28)) == 0)
        #expect(pauses.activeSeconds(from: time(50), to: time(50)) == 0)
        #expect(pauses.activeSeconds(from: time(50), to: time(40)) == 0)
    }

    @Test func `sorting keeps the order of simultaneous events`() {
        let events = Self.events("r20 p20 p5 k20")
        #expect(events.sortedByStart.map(\.type) == [.pause, .resume, .pause, .marker])
    }
}
