import Analytics
import ArgumentParser
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// A heart rate is not held across a pause or an absence of its sensor, however short, wherever it is shown.
@Suite struct OneAverageTests {
    private let runs = StoredRuns()
    private static let heartRate = HKQuantityType(.heartRate)
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private static func beat(_ rate: Double, _ sensor: String, at second: Double) -> SessionEntry {
        let date = start + second
        var reading = QuantityReading("heartRate", rate, unit: "count/min", start: date, end: date)
        reading.sensor = sensor
        return SessionEntry(date, .quantity(reading))
    }

    private static func sensor(_ id: String, _ presence: SensorStatus.Presence, at second: Double) -> SessionEntry {
        let status = SensorStatus(id: id, kind: .bluetooth, presence: presence, device: DeviceDescription(name: id))
        return SessionEntry(start + second, .sensor(status))
    }

    /// A log from its beginning to the end of collection at `second`.
    private static func log(_ entries: [SessionEntry], lasting second: Double) -> [SessionEntry] {
        [
            SessionEntry(start, .header(SessionHeader(id: UUID(), activity: ActivityDescription()))),
            SessionEntry(start, .state(.running)), SessionEntry(start, .collection(.began(events: true))),
            sensor("strap", .present, at: 0), sensor("watch", .present, at: 0),
        ] + entries + [
            SessionEntry(start + second, .state(.stopped)), SessionEntry(start + second, .collection(.ended)),
        ]
    }

    /// All averages of a workout that is saved with its log, the live builder's first.
    private func averages(_ log: [SessionEntry]) async throws -> [(reader: String, value: Double?)] {
        var state = SessionState()
        for entry in log { state.apply(entry) }
        let live = HKStatistics.byType(state.quantities)[Self.heartRate]?.total.average
        let workout = try HKWorkout.of(state, id: UUID(), device: nil)
        let environment = HealthEnvironment(sensors: [])
        let database = environment.database
        try database.save(workout, log: log, from: .current)
        let stored =
            try database.samples([SampleSelection(.workoutType())], sortedBy: [], limit: nil).first as? HKWorkout
        let query = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: Self.heartRate, predicate: HKQuery.predicateForObjects(from: workout)),
            options: .discreteAverage)
        let shown = try Show.parse([workout.uuid.uuidString]).summary(database, wearer: nil)
        let perMinute = HKUnit.count().unitDivided(by: .minute())
        return [
            ("the live builder", live),
            ("the stored workout", stored?.statistics(for: Self.heartRate)?.total.average),
            (
                "a statistics query",
                try await query.result(for: HKHealthStore(environment: environment))?.averageQuantity()?
                    .doubleValue(for: perMinute)
            ),
            ("workout show", shown.statistics.first { $0.identifier == Self.heartRate.identifier }?.average),
            (
                "workout stats",
                try Stats.parse(["heartRate"]).report(database, timeZone: .gmt).buckets.first?.total.average
            ),
        ]
    }

    private func expectOne(_ log: [SessionEntry], _ comment: Comment? = nil) async throws {
        let averages = try await averages(log)
        let live = try #require(averages[0].value, comment)
        for (reader, value) in averages {
            #expect(abs((value ?? 0) - live) < 1e-9 * live, "\(reader): \(value ?? 0), not \(live). \(comment ?? "")")
        }
    }

    /// A reading that a device writes after it has paused automatically. In a recording it comes before the pause.
    private static func early(_ rate: Double, at second: Double, before pause: Double) -> SessionEntry {
        guard case .quantity(let reading) = beat(rate, "strap", at: second).content else { preconditionFailure() }
        return SessionEntry(start + pause, .quantity(reading))
    }

    @Test func `a reading from an automatic pause counts, and the time of the pause does not`() async throws {
        let log = Self.log(
            [
                Self.beat(100, "strap", at: 0), Self.beat(100, "strap", at: 10), Self.early(60, at: 15, before: 13),
                Self.early(50, at: 16, before: 13), SessionEntry(Self.start + 13, .state(.paused)),
                SessionEntry(Self.start + 20, .state(.running)), Self.beat(120, "strap", at: 21),
            ], lasting: 31)
        try await expectOne(log)
        let live = try #require(try await averages(log)[0].value)
        // 100 for 13 seconds, and 120 for 10.
        #expect(abs(live - 2500.0 / 23) < 1e-9)
    }

    @Test func `a single lap has the average of its workout`() async throws {
        func lap(until second: Double) -> SessionEntry {
            SessionEntry(Self.start + second, .event(EventRecord(.lap, start: Self.start, end: Self.start + second)))
        }
        let logs = [
            // Uneven readings.
            [Self.beat(100, "strap", at: 0), Self.beat(160, "strap", at: 20), Self.beat(130, "strap", at: 22)],
            // One pause between readings, and one that the device noticed late.
            [
                Self.beat(60, "strap", at: 0), SessionEntry(Self.start + 5, .state(.paused)),
                SessionEntry(Self.start + 9, .state(.running)), Self.beat(100, "strap", at: 10),
                Self.early(60, at: 15, before: 13), Self.early(50, at: 16, before: 13),
                SessionEntry(Self.start + 13, .state(.paused)), SessionEntry(Self.start + 20, .state(.running)),
                Self.beat(120, "strap", at: 21),
            ],
        ]
        for entries in logs {
            let log = Self.log(entries + [lap(until: 31)], lasting: 31)
            var state = SessionState()
            for entry in log { state.apply(entry) }
            let workout = try HKWorkout.of(state, id: UUID(), device: nil)
            let database = HealthEnvironment(sensors: []).database
            try database.save(workout, log: log, from: .current)
            let summary = try Show.parse([workout.uuid.uuidString]).summary(database, wearer: nil)
            let average = try #require(summary.statistics.first { $0.identifier == Self.heartRate.identifier }?.average)
            #expect(abs(try #require(summary.laps.first?.averageHeartRate) - average) < 1e-9)
        }
    }

    @Test func `a value is not held across a pause of some seconds`() async throws {
        let log = Self.log(
            [
                Self.beat(60, "strap", at: 0), Self.beat(60, "strap", at: 10),
                SessionEntry(Self.start + 10, .state(.paused)), SessionEntry(Self.start + 30, .state(.running)),
                Self.beat(120, "strap", at: 30), Self.beat(120, "strap", at: 40),
            ], lasting: 40)
        // 10 s at 60 and 10 s at 120 bpm; with the pause, the average would be 80.
        let averages = try await averages(log)
        for (reader, value) in averages { #expect(abs((value ?? 0) - 90) < 1e-9, "\(reader): \(value ?? 0)") }
    }

    @Test func `a value is held until its sensor is away, and another's absence does not end it`() async throws {
        let log = Self.log(
            [
                Self.beat(60, "strap", at: 0), Self.sensor("watch", .away, at: 3), Self.beat(60, "strap", at: 10),
                Self.sensor("strap", .away, at: 15), Self.sensor("strap", .present, at: 28),
                Self.beat(120, "strap", at: 30), Self.beat(120, "strap", at: 45),
            ], lasting: 45)
        let averages = try await averages(log)
        for (reader, value) in averages { #expect(abs((value ?? 0) - 90) < 1e-9, "\(reader): \(value ?? 0)") }
    }

    /// Devices write one or two readings after they have paused automatically.
    @Test func `an entry before a pause, but dated after its start, is not held either`() async throws {
        try await expectOne(
            Self.log(
                [
                    Self.beat(60, "strap", at: 0), Self.beat(61, "strap", at: 11), Self.beat(70, "strap", at: 11.5),
                    SessionEntry(Self.start + 10.5, .state(.paused)), SessionEntry(Self.start + 20, .state(.running)),
                    Self.beat(150, "strap", at: 20), Self.beat(151, "strap", at: 21),
                ], lasting: 30))
    }

    /// Seconds in the session, and in the stored workout.
    private func zones(_ log: [SessionEntry]) async throws -> (live: [Double?], stored: [Double?], active: Double) {
        var wearer = WearerProfile()
        wearer.maximumHeartRate = 200
        var state = SessionState()
        for entry in [SessionEntry(Self.start, .wearer(wearer))] + log { state.apply(entry) }
        let workout = try HKWorkout.of(state, id: UUID(), device: nil)
        let database = HealthEnvironment(sensors: []).database
        try database.save(workout, log: log, from: .current)
        let stored = try WorkoutSummary(workout, in: database, wearer: wearer)
        return (state.zones.map(\.seconds), stored.zones.map(\.seconds), workout.duration)
    }

    @Test func `time in zone contains nothing of a pause, whatever its dates`() async throws {
        let (live, stored, active) = try await zones(
            Self.log(
                [
                    Self.beat(150, "strap", at: 0),
                    // Comes before the pause, as a bike computer writes it, with its own date.
                    SessionEntry(Self.start + 10, Self.beat(170, "strap", at: 14).content),
                    SessionEntry(Self.start + 10, .state(.paused)), SessionEntry(Self.start + 20, .state(.running)),
                    Self.beat(190, "strap", at: 20), Self.beat(190, "strap", at: 25),
                    SessionEntry(Self.start + 30, Self.beat(130, "strap", at: 37).content),
                ], lasting: 30))
        #expect(live == stored)
        #expect(live.compactMap(\.self).reduce(0, +) == active)
        #expect(active == 20)
    }

    @Test(arguments: 1...20)
    func `every reader gives one time in zone, with pauses and absences`(_ seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var entries: [SessionEntry] = []
        var (second, isPaused) = (0.0, false)
        for _ in 0..<1_000 {
            second += [0.5, 1, 1, 1, 1, 29, 31].randomElement(using: &random) ?? 1
            let sensor = Int.random(in: 0..<9, using: &random) == 0 ? "watch" : "strap"
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                entries.append(SessionEntry(Self.start + second, .state(isPaused ? .running : .paused)))
                isPaused.toggle()
            case 1: entries.append(Self.sensor(sensor, .away, at: second))
            default:
                let rate = Double(Int.random(in: 60...180, using: &random))
                if !isPaused { entries.append(Self.beat(rate, sensor, at: second)) }
            }
        }
        let (live, stored, active) = try await zones(Self.log(entries, lasting: second + 1))
        #expect(live == stored, "seed \(seed)")
        #expect(live.compactMap(\.self).reduce(0, +) < active)
    }

    @Test(arguments: 1...40)
    func `every reader of a workout with pauses, absences and activities gives one average`(_ seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var entries: [SessionEntry] = []
        var second = 0.0
        var isPaused = false
        // Long enough for several rows of the store.
        for _ in 0..<Int.random(in: 50...6_000, using: &random) {
            let what = Int.random(in: 0..<60, using: &random)
            // Something else may have the same date as a reading.
            if what > 2 || Bool.random(using: &random) {
                second += [0.25, 0.5, 1, 1, 1, 1, 7, 29, 31].randomElement(using: &random) ?? 1
            }
            switch what {
            case 0:
                entries.append(SessionEntry(Self.start + second, .state(isPaused ? .running : .paused)))
                isPaused.toggle()
            case 1:
                let sensor = ["strap", "watch"].randomElement(using: &random) ?? ""
                entries.append(Self.sensor(sensor, .away, at: second))
            case 2:
                let part = ActivityRecord(id: UUID(), activity: ActivityDescription())
                if !isPaused { entries.append(SessionEntry(Self.start + second, .activityBegan(part))) }
            default:
                if isPaused { continue }
                let sensor = Int.random(in: 0..<20, using: &random) == 0 ? "watch" : "strap"
                entries.append(Self.beat(Double(Int.random(in: 60...180, using: &random)), sensor, at: second))
            }
        }
        entries.append(Self.beat(100, "strap", at: second + 1))
        if isPaused { entries.insert(SessionEntry(Self.start + second + 1, .state(.running)), at: entries.count - 1) }
        try await expectOne(Self.log(entries, lasting: second + 2), "seed \(seed)")
    }

    @Test(arguments: SampleRecordingsTests.names)
    func `a replayed workout has the average of its stored readings`(name: String) async throws {
        let summary = try await runs.replay(name)
        let live = try #require(summary.statistics.first { $0.identifier == Self.heartRate.identifier }?.average)
        let stored = try Stats.parse(["heartRate"]).report(runs.database, timeZone: .gmt)
        #expect(abs((stored.buckets.first?.total.average ?? 0) - live) < 1e-9 * live)
    }
}
