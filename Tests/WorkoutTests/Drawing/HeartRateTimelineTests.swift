import Foundation
import HealthKit
import SessionLog
import Testing

@testable import workout

@Suite struct HeartRateTimelineTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func course(_ entries: [SessionEntry]) -> HeartRateTimeline {
        var course = HeartRateTimeline()
        for entry in [SessionEntry(Self.start, .state(.running))] + entries { course.take(entry) }
        return course
    }

    private func rate(_ rate: Double, _ seconds: Double, sensor: String = "strap") -> SessionEntry {
        .heartRate(rate, at: Self.start + seconds, sensor: sensor)
    }

    @Test func `a slot has the mean of its values, and the latest one holds for a while`() {
        let rates = course([rate(100, 0), rate(110, 1), rate(120, 2), rate(130, 3)])
        #expect(rates.means(2, from: 0, to: 4) == [105, 125])
        #expect(rates.means(4, from: 0, to: 8) == [105, 125, 130, 130])
        #expect(rates.means(2, from: 0, to: 80) == [115, nil])
    }

    @Test func `a value is held until the next one, for half a minute at most`() {
        #expect(course([rate(100, 0), rate(120, 20)]).means(3, from: 0, to: 21) == [100, 100, 102.85714285714286])
        #expect(course([rate(100, 0), rate(120, 40)]).means(4, from: 0, to: 40) == [100, nil, nil, nil])
    }

    @Test func `nothing is held across a pause, or while the sensor is away`() {
        let away = SessionEntry(
            Self.start + 2, .sensor(SensorStatus(id: "strap", kind: .bluetooth, presence: .away)))
        #expect(course([rate(100, 0), away, rate(120, 9)]).means(5, from: 0, to: 10) == [100, nil, nil, nil, 120])
        let pause = [
            SessionEntry(Self.start + 2, .state(.paused)), rate(90, 4), SessionEntry(Self.start + 8, .state(.running)),
        ]
        #expect(course([rate(100, 0)] + pause + [rate(120, 9)]).means(5, from: 0, to: 10) == [100, nil, nil, nil, 120])
    }

    @Test func `a long session has longer slots with the same means`() {
        var course = HeartRateTimeline()
        course.take(SessionEntry(Self.start, .state(.running)))
        for second in 0..<40_000 { course.take(rate(second < 20_000 ? 100 : 150, Double(second))) }
        #expect(course.slotInSeconds == 16)
        #expect(course.means(4, from: 0, to: 40_000) == [100, 100, 150, 150])
    }

    @Test func `readings outside the session and invalid heart rates are left out`() {
        let course = course([
            rate(100, -5), rate(.nan, 1), rate(0, 1), rate(100, 1e300), rate(100, .infinity),
        ])
        #expect(course.isEmpty)
        #expect(course.means(3, from: 0, to: 10) == [nil, nil, nil])
        #expect(course.means(3, from: 0, to: .infinity) == [nil, nil, nil])
        #expect(course.means(2, from: 5, to: 5) == [nil, nil])
    }
}
