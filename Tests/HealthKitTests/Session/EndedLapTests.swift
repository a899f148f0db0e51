import Engine
import Foundation
import HealthKit
import SessionLog
import Testing

/// Laps that a user ends during a live session or a replay never overlap.
@Suite struct EndedLapTests {
    private let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    @Test func `laps that end at the same moment are one, and a recorded one begins after it`() async throws {
        let time = ManualTime(start)
        let store = HKHealthStore(environment: HealthEnvironment(sensors: [], time: time))
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        time.advance(by: 100)
        for _ in 0..<3 { session.recorder.enqueue { try? $0.endLap() } }
        let recorded = EventRecord(.lap, start: start, end: start + 150)
        await session.recorder.collect([SessionEntry(start + 150, .event(recorded))])
        _ = await session.recorder.log
        let laps = session.recorder.read { $0.events.filter { $0.kind == .lap } }
        try #require(laps.count == 2)
        #expect(laps[0].start == start && laps[0].end > start + 99)
        #expect(laps[1].start == laps[0].end && laps[1].end == start + 150)
    }

    @Test func `a recording's own laps stay unchanged`() async throws {
        let store = HKHealthStore(environment: HealthEnvironment(sensors: [], time: ManualTime(start)))
        let session = try HKWorkoutSession(healthStore: store, configuration: HKWorkoutConfiguration())
        session.startActivity(with: start)
        try await session.associatedWorkoutBuilder().beginCollection(at: start)
        let laps = [
            EventRecord(.lap, start: start, end: start + 60), EventRecord(.lap, start: start, end: start + 120),
        ]
        for lap in laps { await session.recorder.collect([SessionEntry(lap.end, .event(lap))]) }
        #expect(session.recorder.read { $0.events.filter { $0.kind == .lap }.map(\.start) } == [start, start])
    }
}
