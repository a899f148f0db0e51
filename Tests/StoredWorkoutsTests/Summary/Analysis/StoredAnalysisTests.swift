import Analytics
import Foundation
import SessionLog
import StoredWorkouts
import Testing

/// An analysis of a log and of its stored workout gives the same figures.
@Suite struct StoredAnalysisTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
    private static let athlete = WorkoutAnalysis.Athlete(
        wearer: WearerProfile(sex: .male, restingHeartRate: 60, maximumHeartRate: 190))

    private static func heartRate(_ rate: Double, at second: Double, _ sensor: String = "strap") -> SessionEntry {
        let date = start + second
        let reading = QuantityReading("heartRate", rate, unit: "count/min", start: date, end: date, sensor: sensor)
        return SessionEntry(date, .quantity(reading))
    }

    private static func beats(_ intervals: [Double], at second: Double) -> SessionEntry {
        SessionEntry(start + second, .beats(BeatReading(intervalsInMilliseconds: intervals, sensor: "strap")))
    }

    private static func sensor(_ id: String, _ presence: SensorStatus.Presence, at second: Double) -> SessionEntry {
        let status = SensorStatus(id: id, kind: .bluetooth, presence: presence, device: DeviceDescription(name: id))
        return SessionEntry(start + second, .sensor(status))
    }

    private static func log(_ entries: [SessionEntry], from first: Double = 0, to last: Double) -> [SessionEntry] {
        let (start, end) = (start + first, start + last)
        return [
            SessionEntry(start, .header(SessionHeader(id: UUID(), activity: ActivityDescription()))),
            SessionEntry(start, .state(.running)), SessionEntry(start, .collection(.began(events: true))),
            sensor("strap", .present, at: first), sensor("watch", .present, at: first),
        ] + entries + [SessionEntry(end, .state(.stopped)), SessionEntry(end, .collection(.ended))]
    }

    private static func save(_ log: [SessionEntry], in database: any HealthDatabase) throws -> HKWorkout {
        var state = SessionState()
        for entry in log { state.apply(entry) }
        let workout = try HKWorkout.of(state, id: UUID(), device: nil)
        try database.save(workout, log: log, from: .current)
        return workout
    }

    /// The figures of a log, and of the workout stored from it.
    private static func both(_ log: [SessionEntry]) throws -> (log: WorkoutAnalysis, stored: WorkoutAnalysis) {
        let database = HealthEnvironment(sensors: []).database
        var analysis = WorkoutAnalysis(athlete)
        for entry in log { analysis.take(entry) }
        return (analysis, try WorkoutAnalysis(try save(log, in: database), in: database, athlete))
    }

    private static func expectOne(_ log: [SessionEntry], _ comment: Comment? = nil) throws {
        let (log, stored) = try both(log)
        #expect(log.beats.intervals == stored.beats.intervals, comment)
        #expect(log.beats.artefacts == stored.beats.artefacts, comment)
        #expect(log.beats.statistics.differenceCount == stored.beats.statistics.differenceCount, comment)
        #expect(log.alpha1.count == stored.alpha1.count, comment)
        #expect(log.heartRates.efforts.map(\.seconds) == stored.heartRates.efforts.map(\.seconds), comment)
        for figure in [
            (log.beats.rmssd, stored.beats.rmssd), (log.beats.alpha1, stored.beats.alpha1),
            (log.alpha1.mean, stored.alpha1.mean), (log.load.banister, stored.load.banister),
            (log.load.edwards, stored.load.edwards),
        ] {
            switch figure {
            case (.success(let a), .success(let b)): #expect(abs(a - b) < 1e-6 * max(1, abs(b)), comment)
            case (let a, let b): #expect(a == b, comment)
            }
        }
    }

    /// Straps that send late, twice or nothing, with pauses and absences between.
    @Test(arguments: 1...30)
    func `beats and load are the same from a log and from the store`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var entries: [SessionEntry] = []
        var (second, lead, isPaused) = (0.0, 0.0, false)
        for _ in 0..<1500 {
            second += 1
            switch Int.random(in: 0..<150, using: &random) {
            case 0:
                entries.append(SessionEntry(start(second), .state(isPaused ? .running : .paused)))
                isPaused.toggle()
                if isPaused { second += Double.random(in: 0.1...4, using: &random) }
            case 1: entries.append(Self.sensor("strap", .away, at: second))
            case 2: entries.append(Self.sensor("watch", .away, at: second))
            case 3: lead += Double.random(in: -6...6, using: &random)
            case 4: if !isPaused { entries.append(Self.beats([65_535], at: second)) }
            case 5: if !isPaused { entries.append(Self.beats([150, 0, 700], at: second)) }
            case 6: second += Double.random(in: 1...40, using: &random)
            default:
                if isPaused {
                    entries.append(SessionEntry(start(second), .state(.running)))
                    isPaused = false
                }
                let rate = 120 + 40 * sin(second / 100)
                entries.append(Self.heartRate(rate.rounded(), at: second))
                // As many as have passed by then, by the strap's clock.
                var intervals: [Double] = []
                while lead < 0.5 {
                    let interval = (60_000 / rate + Double.random(in: -15...15, using: &random)).rounded()
                    intervals.append(interval)
                    lead += interval / 1000
                }
                lead -= 1
                if !intervals.isEmpty { entries.append(Self.beats(intervals, at: second)) }
            }
        }
        if isPaused { entries.append(SessionEntry(start(second + 1), .state(.running))) }
        try Self.expectOne(Self.log(entries, to: second + 2), "seed \(seed)")
    }

    private func start(_ second: Double) -> Date { Self.start + second }

    @Test func `a value is not held beyond its sensor's absence, and another sensor's absence does not end it`() throws
    {
        let log = Self.log(
            (0...100).map { Self.heartRate(150, at: Double($0)) } + [
                Self.sensor("watch", .away, at: 102), Self.sensor("strap", .away, at: 105),
                Self.sensor("strap", .present, at: 120), Self.heartRate(150, at: 125),
            ], to: 130)
        let (logged, stored) = try Self.both(log)
        #expect(logged.load.seconds == 110)
        #expect(stored.load.seconds == 110)
    }

    @Test func `an exported workout contains its sensor's absences`() throws {
        let database = HealthEnvironment(sensors: []).database
        let workout = try Self.save(
            Self.log(
                [
                    Self.heartRate(150, at: 1), Self.heartRate(140, at: 1, "watch"), Self.sensor("strap", .away, at: 5),
                    SessionEntry(Self.start + 8, .state(.paused)), SessionEntry(Self.start + 12, .state(.running)),
                    Self.heartRate(140, at: 20),
                ], to: 30), in: database)
        let told = try StoredWorkoutEntries(workout, in: database).compactMap { entry -> String? in
            guard case .sensor(let status) = entry.content, status.device.name == "strap" else { return nil }
            return "\(status.presence) \(entry.date.timeIntervalSince(Self.start))"
        }
        #expect(told == ["present 0.0", "away 5.0", "present 20.0"])
    }

    @Test func `an exported workout contains the ends of legs before the next ones`() throws {
        let database = HealthEnvironment(sensors: []).database
        func leg(_ activity: String, at second: Double) -> SessionEntry {
            let record = ActivityRecord(id: UUID(), activity: ActivityDescription(activity: activity))
            return SessionEntry(start(second), .activityBegan(record))
        }
        let workout = try Self.save(
            Self.log(
                [
                    leg("swimming", at: 0), Self.heartRate(150, at: 1), SessionEntry(start(100), .activityEnded),
                    leg("cycling", at: 120), Self.heartRate(140, at: 121), SessionEntry(start(200), .activityEnded),
                    leg("running", at: 200), Self.heartRate(140, at: 201),
                ], to: 300), in: database)
        let marks = try StoredWorkoutEntries(workout, in: database).compactMap { entry -> String? in
            let second = Int(entry.date.timeIntervalSince(Self.start))
            return switch entry.content {
            case .activityBegan(let record): "\(record.activity.activity) \(second)"
            case .activityEnded: "ended \(second)"
            default: nil
            }
        }
        #expect(marks == ["swimming 0", "ended 100", "cycling 120", "running 200"])
    }

    @Test func `the next workout's effort is not the recovery of the one before`() throws {
        let database = HealthEnvironment(sensors: []).database
        let first = try Self.save(
            Self.log((0..<600).map { Self.heartRate(170, at: Double($0)) }, to: 600), in: database)
        // Started at once, and half a minute later.
        for start in [600.0, 630] {
            let next = Self.log(
                (Int(start)..<900).map { Self.heartRate(140, at: Double($0) + 0.5) }, from: start, to: 900)
            _ = try Self.save(next, in: database)
        }
        let unread = try WorkoutAnalysis(first, in: database, Self.athlete).recovery
        #expect(unread.drop(after: 60) == .failure(.nothingAfterEnd(seconds: 60)))
        // A watch keeps measuring, and its readings belong to no workout.
        let unit = HKUnit.count().unitDivided(by: .minute())
        let samples = (1...25).map { index in
            let date = Self.start + 600 + 5 * Double(index)
            return HKQuantitySample(
                type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: unit, doubleValue: 170 - Double(index)),
                start: date, end: date)
        }
        try database.save(samples, from: .current)
        let found = try WorkoutAnalysis(first, in: database, Self.athlete).recovery
        #expect(try found.drop(after: 60).get() == 12)
        #expect(try found.drop(after: 120).get() == 24)
    }

    @Test func `a workout of several sports has no aerobic decoupling`() throws {
        func figures(_ second: String) throws -> (log: WorkoutAnalysis, stored: WorkoutAnalysis) {
            var entries: [SessionEntry] = []
            for (index, sport) in ["cycling", second].enumerated() {
                let from = Double(index) * 1800
                let record = ActivityRecord(id: UUID(), activity: ActivityDescription(activity: sport), metadata: [:])
                entries.append(SessionEntry(Self.start + from, .activityBegan(record)))
                for second in stride(from: from, to: from + 1800, by: 1) {
                    entries.append(Self.heartRate(140, at: second))
                    let reading = QuantityReading(
                        sport == "cycling" ? "distanceCycling" : "distanceWalkingRunning", index == 0 ? 8 : 3,
                        unit: "m",
                        start: Self.start + second, end: Self.start + second + 1, sensor: "watch")
                    entries.append(SessionEntry(reading.end, .quantity(reading)))
                }
            }
            return try Self.both(Self.log(entries, to: 3600))
        }
        let brick = try figures("running")
        #expect(brick.log.decoupling == .failure(.severalSports))
        #expect(brick.stored.decoupling == .failure(.severalSports))
        let laps = try figures("cycling")
        #expect(try laps.log.decoupling.get() > 60)
        #expect(try laps.stored.decoupling.get() > 60)
    }
}
