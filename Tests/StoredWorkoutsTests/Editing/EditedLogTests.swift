import Foundation
import SessionLog
import Testing

@testable import StoredWorkouts

/// Splitting and merging the logs of stored workouts.
@Suite struct EditedLogTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private static func at(_ second: Double, _ content: SessionEntry.Content) -> SessionEntry {
        SessionEntry(start + second, content)
    }

    private static func reading(_ type: String, _ value: Double, _ from: Double, _ to: Double) -> SessionEntry {
        let unit = type == "heartRate" ? "count/min" : "m"
        return at(
            to,
            .quantity(QuantityReading(type, value, unit: unit, start: start + from, end: start + to, sensor: "strap")))
    }

    /// 100 s of running: 10 m and a heart rate every 10 s, a pause from 40 to 60 s, and two laps.
    private static func log(from offset: Double = 0, device: String = "Strap") -> [SessionEntry] {
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running"))
        let strap = SensorStatus(
            id: "strap", kind: .replay, presence: .present, device: DeviceDescription(name: device))
        var log = [at(offset, .header(header)), at(offset, .state(.running)), at(offset, .sensor(strap))]
        for second in stride(from: 0.0, to: 100, by: 10) {
            if second == 40 { log.append(at(offset + 40, .state(.paused))) }
            if second == 60 { log.append(at(offset + 60, .state(.running))) }
            guard !(40..<60).contains(second) else { continue }
            log.append(reading("distanceWalkingRunning", 10, offset + second, offset + second + 10))
            log.append(reading("heartRate", 100 + second, offset + second + 10, offset + second + 10))
        }
        for (from, to) in [(0.0, 50.0), (50, 100)] {
            log.append(
                at(offset + 100, .event(EventRecord(.lap, start: start + offset + from, end: start + offset + to))))
        }
        log.append(at(offset + 100, .state(.stopped)))
        return log
    }

    private func workout(_ log: [SessionEntry]) throws -> HKWorkout {
        var state = SessionState()
        for entry in log { state.apply(entry) }
        return try HKWorkout.of(state, id: UUID(), device: nil)
    }

    private func meters(_ workout: HKWorkout) -> Double { workout.totalDistance?.doubleValue(for: .meter()) ?? 0 }

    @Test func `a part has its share of a distance across its ends`() throws {
        let whole = try workout(Self.log())
        #expect(meters(whole) == 80 && whole.duration == 80)
        let part = try workout(Self.log().part(from: Self.start + 5, to: Self.start + 32, isLast: true))
        #expect(abs(meters(part) - 27) < 1e-9)
        #expect(part.duration == 27)
        #expect(part.workoutEvents?.map(\.type) == [.lap])
        #expect(part.workoutEvents?.first?.dateInterval == DateInterval(start: Self.start + 5, duration: 27))
        #expect(part.statistics(for: HKQuantityType(.heartRate))?.total.count == 3)
    }

    @Test(arguments: [10.0, 25, 40, 45, 60, 70, 99.5])
    func `the parts of a split add up to the whole, wherever it is split`(second: Double) throws {
        let log = Self.log()
        let parts = [
            try workout(log.part(from: Self.start, to: Self.start + second, isLast: false)),
            try workout(log.part(from: Self.start + second, to: Self.start + 100, isLast: true)),
        ]
        #expect(abs(parts.map(meters).reduce(0, +) - 80) < 1e-9)
        #expect(abs(parts.map(\.duration).reduce(0, +) - 80) < 1e-9)
        let rates = parts.compactMap { $0.statistics(for: HKQuantityType(.heartRate))?.total.count }
        #expect(rates.reduce(0, +) == 8)
        #expect(parts[0].endDate == parts[1].startDate)
    }

    @Test func `a part that begins in a pause begins paused`() throws {
        let part = try workout(Self.log().part(from: Self.start + 45, to: Self.start + 100, isLast: true))
        #expect(part.duration == 40)
        #expect(part.workoutEvents?.filter { $0.type == .pause }.map(\.dateInterval.start) == [Self.start + 45])
        #expect(meters(part) == 40)
    }

    @Test func `the time between merged workouts is a pause`() throws {
        let joined = try workout([SessionEntry].joined([Self.log(), Self.log(from: 160, device: "Another")]))
        #expect(joined.startDate == Self.start && joined.endDate == Self.start + 260)
        #expect(joined.duration == 160 && meters(joined) == 160)
        #expect(joined.workoutEvents?.count { $0.type == .lap } == 4)
        #expect(
            joined.workoutEvents?.filter { $0.type == .pause }.map(\.dateInterval.start.timeIntervalSinceReferenceDate)
                == [40, 100, 200].map { Self.start.timeIntervalSinceReferenceDate + $0 })
    }

    @Test(arguments: [100.0, 130]) func `a pause that was split is one pause after merging`(
        gap: Double
    ) throws {
        func log(from start: Double, paused: ClosedRange<Double>, to end: Double) -> [SessionEntry] {
            func state(_ second: Double, _ phase: SessionPhase) -> SessionEntry {
                SessionEntry(Self.start + second, .state(phase))
            }
            let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running"))
            let resumed = paused.upperBound < end ? [state(paused.upperBound, .running)] : []
            return [SessionEntry(Self.start + start, .header(header)), state(start, .running)]
                + [state(paused.lowerBound, .paused)] + resumed + [state(end, .stopped)]
        }
        let logs = [log(from: 0, paused: 80...100, to: 100), log(from: gap, paused: gap...160, to: 200)]
        let joined = try workout([SessionEntry].joined(logs))
        #expect(joined.workoutEvents?.filter { $0.type == .pause }.map(\.dateInterval.start) == [Self.start + 80])
        #expect(joined.duration == 120)
    }

    @Test func `two devices with one name stay two after merging`() {
        let joined = [SessionEntry].joined([Self.log(), Self.log(from: 100, device: "Another")])
        var names: [String: String?] = [:]
        var used: Set<String?> = []
        for entry in joined {
            if case .sensor(let status) = entry.content { names[status.id] = status.device.name }
            if case .quantity(let reading) = entry.content { used.insert(reading.sensor) }
        }
        #expect(names == ["strap": "Strap", "strap 2": "Another"])
        #expect(used == ["strap", "strap 2"])
    }

    @Test func `another activity has its own distance type`() throws {
        let ride = try workout(Self.log().of(.cycling))
        #expect(ride.workoutActivityType == .cycling && meters(ride) == 80)
        #expect(ride.statistics(for: HKQuantityType(.distanceCycling))?.total.sum == 80)
        #expect(ride.statistics(for: HKQuantityType(.distanceWalkingRunning)) == nil)
        let back = try workout(Self.log().of(.cycling).of(.running))
        #expect(meters(back) == 80 && back.workoutActivityType == .running)
    }

    /// A swim of 40 s, a transition of 20 s and a ride of 40 s, at 1 m a second. A heart rate comes just before the
    /// leg that begins at its time.
    private static func triathlon() -> [SessionEntry] {
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "swimBikeRun"))
        var log = [at(0, .header(header)), at(0, .state(.running))]
        let legs = [
            ("swimming", "distanceSwimming", 0.0, 40.0), ("transition", "distanceWalkingRunning", 40, 60),
            ("cycling", "distanceCycling", 60, 100),
        ]
        for (activity, distance, from, to) in legs {
            log.append(reading("heartRate", 120, from, from))
            let record = ActivityRecord(id: UUID(), activity: ActivityDescription(activity: activity))
            log.append(at(from, .activityBegan(record)))
            log.append(reading(distance, to - from, from, to))
            log.append(at(to, .activityEnded))
        }
        log.append(at(100, .state(.stopped)))
        return log
    }

    @Test(
        arguments: [
            (20.0, ["swimming"], ["swimming", "transition", "cycling"]), (40, ["swimming"], ["transition", "cycling"]),
            (50, ["swimming", "transition"], ["transition", "cycling"]), (60, ["swimming", "transition"], ["cycling"]),
            (80, ["swimming", "transition", "cycling"], ["cycling"]),
        ] as [(Double, [String], [String])])
    func `an activity keeps its type and its distance, also if a part begins with it`(
        second: Double, before: [String], after: [String]
    ) throws {
        let log = Self.triathlon()
        #expect(meters(try workout(log)) == 100)
        let first = try workout(log.part(from: Self.start, to: Self.start + second, isLast: false))
        let last = try workout(log.part(from: Self.start + second, to: Self.start + 100, isLast: true))
        func names(_ workout: HKWorkout) -> [String] {
            workout.workoutActivities.map { $0.workoutConfiguration.activityType.caseName }
        }
        #expect(names(first) == before && names(last) == after)
        #expect(abs(meters(first) - second) < 1e-9 && abs(meters(last) - (100 - second)) < 1e-9)
    }
}
