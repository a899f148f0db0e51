import Analytics
import Engine
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Synchronization
import Testing

@testable import workout

/// An import stores the same as a session that replays the recording.
@Suite struct ImportedWorkoutTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    // MARK: Recordings of every shape

    private struct Maker {
        var random: SeededGenerator
        var entries: [SessionEntry] = []
        var second = 0.0
        var isPaused = false

        mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
        var date: Date { start + second }

        mutating func add(_ content: SessionEntry.Content) { entries.append(SessionEntry(date, content)) }

        mutating func reading(_ type: String, _ unit: String, _ range: ClosedRange<Double>, from offset: Double) {
            let from = start + max(0, second + offset)
            let isFinite = range.upperBound.isFinite
            let value = isFinite ? (Double.random(in: range, using: &random) * 8).rounded() / 8 : .infinity
            add(
                .quantity(
                    QuantityReading(
                        type, value, unit: unit, start: min(from, date), end: date,
                        sensor: ["strap", "watch", "unnamed", nil][Int.random(in: 0..<4, using: &random)])))
        }

        mutating func second(of activity: String) {
            if !isPaused || chance(3) { reading("heartRate", "count/min", 60...180, from: chance(9) ? -40 : 0) }
            if chance(2) {
                reading("distanceCycling", "m", 0...9, from: [-1, -2.5, -30][Int.random(in: 0..<3, using: &random)])
            }
            if chance(3) { reading("cyclingPower", "W", 0...400, from: 0) }
            if chance(30) { reading("noSuchType", "m", 0...1, from: 0) }
            if chance(40) { reading("heartRate", "m", 0...1, from: 0) }
            if chance(40) { reading("cyclingSpeed", "m/s", Double.infinity...Double.infinity, from: 0) }
            if chance(4) { add(.beats(BeatReading(intervalsInMilliseconds: [500, 512], sensor: "strap"))) }
            if chance(2) {
                add(
                    .position(
                        PositionReading(
                            latitudeInDegrees: 48 + second / 1e5, longitudeInDegrees: 11,
                            altitudeInMeters: chance(5) ? nil : 500)))
            }
            if chance(60) { add(.event(EventRecord(.lap, start: start, end: date, isAdded: true))) }
            if chance(80) { add(.metadata(["note": .number(second)])) }
            if chance(90) {
                add(
                    .category(
                        CategoryReading("mindfulSession", 0, start: date, end: date, origin: SampleOrigin(id: UUID()))))
            }
            if chance(70) {
                add(
                    .quantity(
                        QuantityReading(
                            "heartRate", 99, unit: "count/min", start: date, end: date, origin: SampleOrigin(id: UUID())
                        )))
            }
            if chance(50) {
                add(
                    .sensor(
                        SensorStatus(
                            id: chance(2) ? "strap" : "watch", kind: .bluetooth,
                            presence: chance(2) ? .away : .present, device: DeviceDescription(name: "Device"))))
            }
            if chance(45) {
                isPaused.toggle()
                add(.state(isPaused ? .paused : .running))
            }
            if chance(300) { add(.state(.paused)) }
            if activity == "swimBikeRun", chance(60) {
                let sport = chance(2) ? "cycling" : "running"
                add(.activityBegan(ActivityRecord(id: UUID(), activity: ActivityDescription(activity: sport))))
            }
            if activity == "swimBikeRun", chance(80) { add(.activityEnded) }
        }
    }

    private static func recording(_ seed: UInt64) -> Recording {
        var maker = Maker(random: SeededGenerator(seed: seed + 1))
        let activity = seed % 2 == 0 ? "cycling" : "swimBikeRun"
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: activity))
        maker.add(.header(header))
        if seed % 3 == 0 {
            maker.add(.wearer(WearerProfile(sex: .female, ageInYears: 40, massInKilograms: 60, restingHeartRate: 50)))
        }
        maker.add(.state(.running))
        for _ in 0..<Int.random(in: 0...400, using: &maker.random) {
            maker.second += [0, 1, 1, 1, 2, 35][Int.random(in: 0..<6, using: &maker.random)]
            maker.second(of: activity)
        }
        // Some recordings have no end, and some continue after it.
        if seed % 4 != 0 {
            maker.add(.state(.stopped))
            if seed % 4 == 1 {
                maker.second(of: activity)
                maker.second += 1
                maker.second(of: activity)
            }
        }
        return Recording(entries: maker.entries, file: RecordingSummary(format: "jsonl"))
    }

    // MARK: Contents of the store

    /// The contents of a store as text, in which a difference is found by its line.
    private func contents(_ database: any HealthDatabase, _ id: UUID) throws -> [String] {
        let workout = try StoredWorkouts(database).workout(id.uuidString)
        var lines = [
            "\(workout.uuid) \(workout.workoutActivityType.rawValue) \(workout.startDate.exact) \(workout.endDate.exact) \(workout.duration)",
            "metadata \(text(workout.metadata)) source \(workout.sourceRevision.source.bundleIdentifier)",
        ]
        lines += (workout.workoutEvents ?? []).map {
            "event \($0.type.rawValue) \($0.dateInterval.start.exact) \($0.dateInterval.end.exact) \(text($0.metadata))"
        }
        for activity in workout.workoutActivities {
            lines.append(
                "activity \(activity.uuid) \(activity.workoutConfiguration.activityType.rawValue) "
                    + "\(activity.startDate.exact) \(activity.endDate?.exact ?? "") \(activity.duration)")
            lines += statistics(activity.allStatistics)
        }
        lines += statistics(workout.allStatistics)
        let own = SampleFilter.workout(id)
        for type in TypeCatalogue.quantityTypes {
            for sample in try database.samples(
                [SampleSelection(type, own)], sortedBy: [SampleSort(.startDate)], limit: nil)
            {
                guard let sample = sample as? HKQuantitySample else { continue }
                lines.append(
                    "\(type.identifier) \(sample.uuid) \(sample.startDate.exact) \(sample.endDate.exact) "
                        + "\(sample.quantity) \(sample.device?.name ?? "") \(text(sample.metadata))")
            }
            let bounds = (0..<20).map { workout.startDate + Double($0) * 33.5 }
            for bucket in try database.statistics(
                SampleSelection(type, own), bounds: .dates(bounds), separatingSources: false)
            {
                lines.append("\(type.identifier) bucket \(bucket.start.exact) \(bucket.total)")
            }
        }
        for type in [HKCategoryType(.mindfulSession), HKSeriesType.heartbeat(), HKSeriesType.workoutRoute()]
            as [HKSampleType]
        {
            for sample in try database.samples([SampleSelection(type, own)], sortedBy: [], limit: nil) {
                lines.append("\(type.identifier) \(sample.startDate.exact) \(sample.endDate.exact)")
                if sample is HKHeartbeatSeriesSample { lines += try database.heartbeats(sample.uuid).map { "\($0)" } }
                if sample is HKWorkoutRoute {
                    lines += try database.positions(sample.uuid).map { "\($0.date.exact) \($0.position)" }
                }
            }
        }
        return lines
    }

    private func statistics(_ all: [HKQuantityType: HKStatistics]) -> [String] {
        all.sorted { $0.key.identifier < $1.key.identifier }.map {
            "\($0.key.identifier) \($0.value.startDate.exact) \($0.value.endDate.exact) \($0.value.total)"
        }
    }

    private func text(_ metadata: [String: Any]?) -> String {
        (metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    }

    /// The machine's clock, in an environment whose sessions save each sample at once.
    private struct EagerTime: TimeSource {
        private let machine = SystemTime()
        var isApart: Bool { true }
        func now() -> Date { machine.now() }
        func sleep(until date: Date) async throws { try await machine.sleep(until: date) }
    }

    @Test(arguments: 0..<24, [false, true])
    func `an import stores what a replayed session stores`(seed: UInt64, isEager: Bool) async throws {
        let recording = Self.recording(seed)
        let id = UUID()
        let (session, fold) = (StoredRuns(time: isEager ? EagerTime() : SystemTime()), StoredRuns())
        let run = try WorkoutRun(
            replaying: recording, speed: .infinity, keepsDates: true, id: id, saves: true,
            environment: session.environment)
        let finished = try await run.run()
        let log = try HKHealthStore(environment: fold.environment)
            .save(recording.adding(recording.activity.swimMetadata), as: id, findsEfforts: true)
        let expected = try contents(session.database, id)
        let found = try contents(fold.database, id)
        for change in found.difference(from: expected).prefix(8) { Issue.record("\(change)") }
        #expect(try WorkoutSummary(log) == WorkoutSummary(id: id, state: log.state, log: log))
        #expect(
            try WorkoutSummary(id: id, state: log.state, log: log)
                == WorkoutSummary(id: id, state: finished.state, log: finished.log))
        #expect(try fold.database.checkIntegrity() == [])
        let workout = try StoredWorkouts(fold.database).workout(id.uuidString)
        if let logged = log.efforts {
            #expect(logged == (try WorkoutEfforts(workout, in: fold.database)))
        }
    }

    @Test func `a sensor that describes itself late is the device of its first reading too`() throws {
        let runs = StoredRuns()
        let strap = DeviceDescription(name: "Strap", manufacturer: "Maker")
        func reading(_ second: Double) -> SessionEntry {
            let date = Self.start + second
            return SessionEntry(
                date,
                .quantity(QuantityReading("heartRate", 100, unit: "count/min", start: date, end: date, sensor: "a")))
        }
        func status(_ device: DeviceDescription) -> SessionEntry {
            SessionEntry(
                Self.start + 1, .sensor(SensorStatus(id: "a", kind: .bluetooth, presence: .present, device: device)))
        }
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "cycling"))
        let recording = Recording(
            entries: [
                SessionEntry(Self.start, .header(header)), SessionEntry(Self.start, .state(.running)),
                status(DeviceDescription(name: "Strap")), reading(1), status(strap), reading(2),
                SessionEntry(Self.start + 3, .state(.stopped)),
            ], file: RecordingSummary(format: "jsonl"))
        let log = try HKHealthStore(environment: runs.environment).save(recording, as: UUID())
        let samples = try runs.database.samples(
            [SampleSelection(HKQuantityType(.heartRate), .workout(log.id))], sortedBy: [], limit: nil)
        #expect(samples.map(\.device) == [HKDevice(strap), HKDevice(strap)])
        #expect(try runs.database.checkIntegrity() == [])
    }

    @Test func `a recording with a sync identifier is stored once, in its latest version`() throws {
        let runs = StoredRuns()
        func save(version: Double) throws -> UUID {
            let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "cycling"))
            let date = Self.start + version
            let recording = Recording(
                entries: [
                    SessionEntry(Self.start, .header(header)), SessionEntry(Self.start, .state(.running)),
                    SessionEntry(
                        Self.start,
                        .metadata([
                            HKMetadataKeySyncIdentifier: .string("ride"), HKMetadataKeySyncVersion: .number(version),
                        ])),
                    SessionEntry(
                        date,
                        .quantity(QuantityReading("heartRate", version, unit: "count/min", start: date, end: date))),
                    SessionEntry(Self.start + 9, .state(.stopped)),
                ], file: RecordingSummary(format: "jsonl"))
            return try HKHealthStore(environment: runs.environment).save(recording, as: UUID()).id
        }
        _ = try save(version: 1)
        let latest = try save(version: 2)
        _ = try save(version: 1)
        #expect(try StoredWorkouts(runs.database).all().map(\.uuid) == [latest])
        let rates = try runs.database.samples(
            [SampleSelection(HKQuantityType(.heartRate), .workout(latest))], sortedBy: [], limit: nil)
        #expect(rates.count == 1)
        #expect(try runs.database.checkIntegrity() == [])
    }

    @Test(arguments: 0..<12)
    func `the best efforts of a plain recording are those of the stored workout`(seed: Int) throws {
        let runs = StoredRuns()
        let url = URL.temporaryDirectory.appending(path: "plain-\(UUID()).csv")
        defer { try? FileManager.default.removeItem(at: url) }
        var generator = SeededGenerator(seed: UInt64(seed))
        var lines = ["secs,hr,watts,km,alt,lat,lon"]
        var meters = 0.0
        for second in 0..<1500 {
            meters += Double.random(in: 0...9, using: &generator)
            let isGap = seed % 3 == 0 && second % 100 > 90
            let watts = isGap ? "" : "\(Int.random(in: 0...400, using: &generator))"
            lines.append(
                "\(second),\(120 + second % 40),\(watts),\(meters / 1000),\(500 + second % 70),48.\(10000 + second),11.5"
            )
        }
        try lines.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
        let recording = try RecordingFile.read(url)
        let log = try HKHealthStore(environment: runs.environment).save(
            recording, as: UUID(), findsEfforts: true)
        let workout = try StoredWorkouts(runs.database).workout(log.id.uuidString)
        let logged = try #require(log.efforts)
        #expect(logged.efforts.count >= 6)
        #expect(logged == (try WorkoutEfforts(workout, in: runs.database)))
        let all = try BestEfforts(in: runs.database, computed: [log.id: logged]).efforts.byWorkout
        #expect(all == (try BestEfforts(in: runs.database).efforts.byWorkout))
    }

    @Test(arguments: ["intervals", "multisport"])
    func `a sample recording is imported as it is replayed`(name: String) async throws {
        let url = SampleRecordingsTests.folder.appendingPathComponent("\(name).jsonl")
        let recording = try RecordingFile.read(url)
        let (session, fold) = (StoredRuns(), StoredRuns())
        try await session.replay(name)
        _ = try HKHealthStore(environment: fold.environment)
            .save(recording.adding(recording.activity.swimMetadata), as: recording.id)
        #expect(try contents(fold.database, recording.id) == contents(session.database, recording.id))
    }

    @Test func `samples left by a deleted workout rejoin it, and are not stored twice`() throws {
        let runs = StoredRuns()
        let recording = Self.recording(2)
        let store = HKHealthStore(environment: runs.environment)
        let id = UUID()
        _ = try store.save(recording, as: id)
        let before = try contents(runs.database, id)
        _ = try runs.database.delete([id], owner: nil)
        _ = try store.save(recording, as: id)
        let after = try contents(runs.database, id)
        #expect(after.filter { $0.hasPrefix("HKQuantityType") } == before.filter { $0.hasPrefix("HKQuantityType") })
        #expect(try runs.database.checkIntegrity() == [])
    }

    @Test(arguments: [0, 1])
    func `an interrupted import stores nothing of the current file`(asked: Int) throws {
        let runs = StoredRuns()
        let recording = Self.recording(2)
        let count = Mutex(0)
        #expect(throws: CancellationError.self) {
            _ = try HKHealthStore(environment: runs.environment).save(recording, as: UUID()) {
                count.withLock { count in
                    count += 1
                    return count > asked
                }
            }
        }
        #expect(try StoredWorkouts(runs.database).all().isEmpty)
        #expect(
            try runs.database.samples([SampleSelection(HKQuantityType(.heartRate))], sortedBy: [], limit: 1).isEmpty)
    }

    @Test func `a stored workout can be read, whatever is interrupted then`() throws {
        let recording = Self.recording(2)
        let isEnded = Atomic(false)
        let log = try HKHealthStore(environment: StoredRuns().environment)
            .save(recording, as: UUID()) { isEnded.load(ordering: .relaxed) }
        isEnded.store(true, ordering: .relaxed)
        #expect(try WorkoutSummary(id: UUID(), state: log.state, log: log).durationInSeconds > 0)
    }

    @Test func `an activity that does not fit the workout is an error of the recording`() throws {
        let runs = StoredRuns()
        var maker = Maker(random: SeededGenerator(seed: 1))
        maker.add(.header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: "yoga"))))
        maker.add(.state(.running))
        maker.add(.activityBegan(ActivityRecord(id: UUID(), activity: ActivityDescription(activity: "running"))))
        let recording = Recording(entries: maker.entries, file: RecordingSummary(format: "jsonl"))
        let error = #expect(throws: HKError.self) {
            try HKHealthStore(environment: runs.environment).save(recording, as: UUID())
        }
        #expect(error?.code == .errorWorkoutActivityNotAllowed)
        #expect(try StoredWorkouts(runs.database).all().isEmpty)
    }
}

extension Date {
    fileprivate var exact: String { "\(timeIntervalSinceReferenceDate)" }
}
