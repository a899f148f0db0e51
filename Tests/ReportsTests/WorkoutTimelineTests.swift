import Foundation
import SessionLog
import Testing

@testable import Reports

@Suite struct WorkoutTimelineTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private static func quantity(
        _ type: String, _ value: Double, _ unit: String, from: Double, to: Double? = nil, sensor: String? = nil
    ) -> SessionEntry {
        let reading = QuantityReading(
            type, value, unit: unit, start: start + from, end: start + (to ?? from), sensor: sensor)
        return SessionEntry(start + (to ?? from), .quantity(reading))
    }

    private static func heartRate(_ value: Double, at second: Double, sensor: String? = "strap") -> SessionEntry {
        quantity("heartRate", value, "count/min", from: second, sensor: sensor)
    }

    private static func state(_ phase: SessionPhase, at second: Double) -> SessionEntry {
        SessionEntry(start + second, .state(phase))
    }

    private static func course(_ entries: [SessionEntry], lasting seconds: Double) -> WorkoutTimeline {
        var course = WorkoutTimeline()
        course.take(state(.running, at: 0))
        for entry in entries { course.take(entry) }
        course.take(state(.stopped, at: seconds))
        return course
    }

    @Test func `no line crosses a pause, and nothing of a pause is drawn`() {
        let before = (0..<10).map { Self.heartRate(100, at: Double($0)) }
        let within = [Self.state(.paused, at: 10), Self.heartRate(90, at: 12)]
        let after = [Self.state(.running, at: 20)] + (20..<30).map { Self.heartRate(110, at: Double($0)) }
        let course = Self.course(before + within + after, lasting: 30)
        #expect(course.heartRate.stretches.map(\.count) == [10, 10])
        #expect(course.pauses == [10...20])
        #expect(course.lengthInSeconds == 30)
    }

    @Test func `a privacy zone hides positions near the start and the end, and no line crosses it`() {
        // Out along a meridian at 100 m a second, back to the start in the middle, and out to the other side.
        let degrees = [0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 4].map { 47 + Double($0) * 100 / 111_195 }
        let entries = degrees.enumerated().map { second, latitude in
            SessionEntry(
                Self.start + Double(second),
                .position(PositionReading(latitudeInDegrees: latitude, longitudeInDegrees: 8)))
        }
        var course = Self.course(entries, lasting: 11)
        #expect(course.places.count == 11)
        course.hidePlaces(within: 150)
        #expect(course.places.map(\.seconds) == [2, 4, 8])
        #expect(course.places.map(\.followsPause) == [true, true, true])
        course.hidePlaces(within: 100_000)
        #expect(course.places.isEmpty)
        course.hidePlaces(within: 1)
    }

    @Test func `no line crosses an absence of the sensor`() {
        let away = SensorStatus(id: "strap", kind: .bluetooth, presence: .away)
        let entries = [
            Self.heartRate(100, at: 1), Self.heartRate(100, at: 2), SessionEntry(Self.start + 3, .sensor(away)),
            Self.heartRate(100, at: 9),
        ]
        #expect(Self.course(entries, lasting: 10).heartRate.stretches.map(\.count) == [2, 1])
    }

    @Test func `of two sensors one is drawn, and the other while that one is silent`() {
        var entries: [SessionEntry] = []
        for second in 0..<20 {
            if second < 10 { entries.append(Self.heartRate(100, at: Double(second), sensor: "strap")) }
            entries.append(Self.heartRate(150, at: Double(second) + 0.5, sensor: "watch"))
        }
        let values = Self.course(entries, lasting: 20).heartRate.points.map(\.value)
        #expect(values.prefix(10).allSatisfy { $0 == 100 } && values.dropFirst(10).allSatisfy { $0 == 150 })
        #expect(values.count == 16)
    }

    @Test func `speed is that over ten seconds of distance`() {
        let entries = (0..<60).map { second -> SessionEntry in
            let meters = second % 2 == 0 ? 2.0 : 4.0
            let from = Double(second)
            return Self.quantity("distanceWalkingRunning", meters, "m", from: from, to: from + 1)
        }
        let speed = Self.course(entries, lasting: 60).speed
        #expect(speed.points.count == 51)
        #expect(speed.points.allSatisfy { abs($0.value - 3) < 1e-9 })
    }

    @Test func `readings after the end are not drawn`() {
        var course = Self.course([Self.heartRate(100, at: 1)], lasting: 10)
        course.take(Self.heartRate(90, at: 20))
        #expect(course.heartRate.points.count == 1 && course.lengthInSeconds == 10)
    }

    @Test func `discarded positions are not drawn`() {
        func position(_ latitude: Double, at second: Double, isAdded: Bool) -> SessionEntry {
            SessionEntry(
                Self.start + second,
                .position(PositionReading(latitudeInDegrees: latitude, longitudeInDegrees: 8, isAdded: isAdded)))
        }
        let entries = [
            position(47, at: 1, isAdded: false), position(48, at: 2, isAdded: true),
            SessionEntry(Self.start + 3, .routeDiscarded), position(49, at: 4, isAdded: true),
            position(95, at: 5, isAdded: true),
        ]
        #expect(Self.course(entries, lasting: 10).places.map(\.latitudeInDegrees) == [47, 49])
    }

    @Test func `beats in pairs have a time each, and a break is a gap`() {
        var entries: [SessionEntry] = []
        for second in stride(from: 2.0, to: 60, by: 2) where !(20..<30).contains(second) {
            entries.append(
                SessionEntry(Self.start + second, .beats(BeatReading(intervalsInMilliseconds: [1000, 1000]))))
        }
        let intervals = Self.course(entries, lasting: 60).beats.intervals
        #expect(intervals.stretches.count == 2)
        #expect(
            zip(intervals.stretches[0], intervals.stretches[0].dropFirst()).allSatisfy { $1.seconds - $0.seconds == 1 })
    }

    @Test func `an impossible interval is an artefact, and not in a Poincaré plot`() {
        let lengths = [Double](repeating: 800, count: 40) + [9000] + [Double](repeating: 800, count: 40)
        var time = 0.0
        let entries = lengths.map { length in
            time += length / 1000
            return SessionEntry(Self.start + time, .beats(BeatReading(intervalsInMilliseconds: [length])))
        }
        let beats = Self.course(entries, lasting: 90).beats
        #expect(beats.artefacts.map(\.value) == [9000])
        #expect(beats.pairs.count == 78 && beats.pairs.allSatisfy { $0 == (800, 800) })
    }
}
