import Archiving
import Foundation
import HealthData
import SessionLog
import Testing

struct HKWorkoutEventTests {
    @Test(arguments: EventRecord.Kind.allCases)
    func `every kind of event survives a log`(kind: EventRecord.Kind) throws {
        let seconds = kind == .lap || kind == .segment ? 30.0 : 0
        let record = EventRecord(kind, start: time(0), end: time(seconds), metadata: ["n": .number(2)])
        let event = try HKWorkoutEvent(record)
        #expect(event.type.caseName == kind.rawValue)
        #expect(try event.record() == record)
        #expect(try archivedAndRead(event) == event)
    }

    @Test(arguments: [HKWorkoutEventType.pause, .resume, .marker, .motionPaused, .motionResumed, .pauseOrResumeRequest])
    func `only laps and segments have durations`(type: HKWorkoutEventType) {
        let kind = EventRecord.Kind(rawValue: type.caseName) ?? .lap
        #expect(throws: SampleError.eventWithDuration(kind: type.caseName, seconds: 1)) {
            try HKWorkoutEvent(
                EventRecord(kind, start: Date(timeIntervalSince1970: 0), end: Date(timeIntervalSince1970: 1)))
        }
    }

    @Test func `a pause with a duration traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = HKWorkoutEvent(type: .pause, dateInterval: DateInterval(start: Date(), duration: 5), metadata: nil)
        }
    }

    @Test func `an event that ends before it starts is an error, not a trap`() {
        #expect(throws: SampleError.eventEndsBeforeStart(kind: "lap")) {
            try HKWorkoutEvent(EventRecord(.lap, start: time(1), end: time(0)))
        }
    }

    @Test func `events are equal if all properties are`() {
        func lap(_ metadata: [String: Any]?) -> HKWorkoutEvent {
            HKWorkoutEvent(type: .lap, dateInterval: DateInterval(start: time(0), duration: 5), metadata: metadata)
        }
        #expect(lap(nil) == lap([:]))
        #expect(lap(["a": 1]) == lap(["a": 1]))
        #expect(lap(["a": 1]) != lap(["a": 2]))
        #expect(lap(nil) != HKWorkoutEvent(type: .lap, date: time(0)))
    }
}
