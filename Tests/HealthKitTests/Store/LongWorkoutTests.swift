import Foundation
import GRDB
import MadeSamples
import SessionLog
import Testing

@testable import HealthKit
@testable import HealthStore

/// The log of a long workout is stored piece by piece, with the same result.
@Suite struct LongWorkoutTests {
    /// The start of an hour.
    private static let start = Date(timeIntervalSinceReferenceDate: 222_222 * 3_600)
    private static let hours = 3

    private static func reading(
        _ type: String, _ value: Double, _ unit: String, from start: Date, to end: Date, origin: SampleOrigin? = nil
    ) -> SessionEntry {
        SessionEntry(
            end,
            .quantity(
                QuantityReading(
                    type, value, unit: unit, start: start, end: end, sensor: origin == nil ? "strap" : nil,
                    origin: origin)))
    }

    /// Heart rate, RR intervals and positions each second, energy each minute, and a strap that is identified late.
    private static func log() -> [SessionEntry] {
        var log: [SessionEntry] = []
        for second in 0..<(hours * 3_600) {
            let date = start + Double(second)
            log.append(reading("heartRate", 60 + Double(second % 100), "count/min", from: date, to: date))
            log.append(SessionEntry(date, .beats(BeatReading(intervalsInMilliseconds: [500, 500]))))
            let position = PositionReading(
                latitudeInDegrees: Double(second) / 1e4, longitudeInDegrees: 11, isAdded: second.isMultiple(of: 2))
            log.append(SessionEntry(date, .position(position)))
            if second % 60 == 59 {
                log.append(reading("activeEnergyBurned", 8, "kcal", from: date - 59, to: date + 1))
            }
        }
        let strap = SensorStatus(
            id: "strap", kind: .bluetooth, presence: .present, device: DeviceDescription(name: "Strap"))
        return log + [SessionEntry(start + Double(hours * 3_600), .sensor(strap))]
    }

    private static func workout() throws -> HKWorkout {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        return try HKWorkout.validated(
            ObjectIdentity(), configuration: configuration, start: start, end: start + Double(hours * 3_600))
    }

    @Test func `a workout of hours is stored in a run per hour, each sample once and with its sensor`() throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/health.sqlite"
            let database = SQLiteHealthDatabase(.file(path))
            let workout = try Self.workout()
            try database.save(workout, log: Self.log(), from: Made.source("App"))
            let rates = try database.all(Made.heartRate, .workout(workout.uuid))
            #expect(rates.count == Self.hours * 3_600)
            #expect(Set(rates.map(\.uuid)).count == rates.count)
            #expect(rates.allSatisfy { $0.device?.name == "Strap" })
            #expect(zip(rates, rates.dropFirst()).allSatisfy { $1.startDate.timeIntervalSince($0.startDate) == 1 })
            #expect(
                try database.all(HKQuantityType(.activeEnergyBurned), .workout(workout.uuid)).count == Self.hours * 60)
            let counts = try DatabaseQueue(path: path).read { db in
                try Int.fetchAll(
                    db, sql: "SELECT count FROM run WHERE count >= 3600 AND count < 5000 ORDER BY start")
            }
            #expect(counts == [Int](repeating: 3_600, count: Self.hours))
            let series = try #require(try database.all(HKSeriesType.heartbeat(), .workout(workout.uuid)).first)
            #expect(try database.heartbeats(series.uuid).count == Self.hours * 7_200 + 1)
            let route = try #require(try database.all(HKSeriesType.workoutRoute(), .workout(workout.uuid)).first)
            #expect(try database.positions(route.uuid).count == Self.hours * 3_600)
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test func `late readings, earlier samples of the app and a discarded route are where they belong`() throws {
        let database = SQLiteHealthDatabase(.memory)
        let workout = try Self.workout()
        let own = HKQuantitySample(
            type: Made.heartRate, quantity: HKQuantity(unit: Made.perMinute, doubleValue: 150),
            start: Self.start + 100.5, end: Self.start + 100.5)
        try database.save([own], from: Made.source("App"))
        var log = Self.log()
        log.append(
            Self.reading(
                "heartRate", 150, "count/min", from: own.startDate, to: own.endDate, origin: SampleOrigin(id: own.uuid))
        )
        log.append(
            Self.reading("heartRate", 201, "count/min", from: Self.start + 200.5, to: Self.start + 200.5))
        log.append(SessionEntry(Self.start, .routeDiscarded))
        try database.save(workout, log: log, from: Made.source("App"))
        let rates = try database.all(Made.heartRate, .workout(workout.uuid))
        #expect(rates.count == Self.hours * 3_600 + 2)
        #expect(rates.filter { $0.uuid == own.uuid }.count == 1)
        #expect(rates.filter { $0.startDate == Self.start + 200.5 }.count == 1)
        let buckets = try database.statistics(
            SampleSelection(Made.heartRate, .workout(workout.uuid)),
            bounds: .dates((0...Self.hours).map { Self.start + Double($0) * 3_600 }), separatingSources: false)
        #expect(buckets.map(\.total.count) == [3_602] + [Int](repeating: 3_600, count: Self.hours - 1))
        #expect(buckets.first?.total.maximum == 201)
        let route = try #require(try database.all(HKSeriesType.workoutRoute(), .workout(workout.uuid)).first)
        #expect(try database.positions(route.uuid).count == Self.hours * 1_800)
        #expect(try database.checkIntegrity() == [])
    }

    @Test func `samples are passed on by the thousand, whatever the length of the log`() throws {
        var contents = try WorkoutContents(of: try Self.workout().uuid, log: Self.log())
        var batches: [Int] = []
        try contents.forEachBatch({ batches.append($0.count) }, endHolds: { _, _ in })
        #expect(batches.reduce(0, +) == Self.hours * 3_660)
        #expect(batches.max() == 2_048)
    }

    @Test func `a log that cannot be read back saves nothing`() throws {
        let folder = MachineFolder()
        let journal = try SessionJournal(id: UUID(), in: folder.url)
        let log = LiveSessionLog(journal)
        for entry in Self.log().prefix(20_000) { log.append(entry) }
        try log.commit()
        #expect(truncate(journal.url.path, 1_000_000) == 0)
        let database = SQLiteHealthDatabase(.memory)
        let workout = try Self.workout()
        #expect(throws: (any Error).self) { try database.save(workout, log: log, from: Made.source("App")) }
        #expect(try !database.contains(workout.uuid))
        #expect(try database.all(Made.heartRate).isEmpty)
    }

    /// The ways in which data saved while locked may be kept beside the store.
    private enum Form: CaseIterable { case now, earlier, cutOff }

    @Test(arguments: Form.allCases)
    private func `a long workout saved while locked equals the recorded one`(form: Form) throws {
        try TemporaryFolder.with { folder in
            let machine = MachineFolder()
            let log = LiveSessionLog(try SessionJournal(id: UUID(), in: machine.url))
            for entry in Self.log() { log.append(entry) }
            let workout = try Self.workout()
            let unlocked = SQLiteHealthDatabase(.memory)
            try unlocked.save(workout, log: log, from: Made.source("App"))
            let waiting = LockedJournal(besideStore: folder + "/health.sqlite")
            try waiting.append(.workout(workout, log: log, adding: AddedSeries()), from: Made.source("App"))
            let names = try FileManager.default.contentsOfDirectory(atPath: waiting.folder.path)
            #expect(names.count == 1)
            let file = waiting.folder.appendingPathComponent(try #require(names.first))
            try Self.change(file, to: form)
            let database = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
            try waiting.merge(into: database)
            #expect(waiting.isEmpty)
            guard form != .cutOff else {
                #expect(try !database.contains(workout.uuid))
                let left = try FileManager.default.contentsOfDirectory(atPath: waiting.folder.path)
                return #expect(left.filter { $0.hasSuffix(".refused") }.count == 1)
            }
            #expect(
                try database.all(Made.heartRate, .workout(workout.uuid)).map(\.uuid)
                    == unlocked.all(Made.heartRate, .workout(workout.uuid)).map(\.uuid))
            let routes = try [database, unlocked].map {
                try #require(try $0.all(HKSeriesType.workoutRoute(), .workout(workout.uuid)).first)
            }
            #expect(try database.positions(routes[0].uuid).count == unlocked.positions(routes[1].uuid).count)
            #expect(try database.checkIntegrity() == [])
        }
    }

    private static func change(_ file: URL, to form: Form) throws {
        let data = try Data(contentsOf: file)
        let end = try #require(data.firstIndex(of: 0x0A))
        switch form {
        case .now: break
        // Before its log was appended to it.
        case .cutOff: try data[..<end].write(to: file)
        case .earlier:
            var object = try #require(try JSONSerialization.jsonObject(with: data[..<end]) as? [String: Any])
            object["isLogBehind"] = nil
            object["log"] = String(decoding: data[(end + 1)...], as: UTF8.self)
            try JSONSerialization.data(withJSONObject: object).write(to: file)
        }
    }
}
