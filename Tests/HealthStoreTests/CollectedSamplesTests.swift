import Foundation
import HealthStore
import MadeSamples
import SessionLog
import Testing

/// Samples that are saved while their session runs, and again with its workout.
@Suite struct CollectedSamplesTests {
    private let session = UUID()

    private func log(_ count: Int) -> [SessionEntry] {
        (0..<count).map { second in
            let date = Made.start + Double(second)
            return SessionEntry(date, .quantity(.heartRate(Double(100 + second % 50), at: date, sensor: nil)))
        }
    }

    private func samples(_ log: some Sequence<SessionEntry>) -> [HKSample] {
        var logged = LoggedSamples(of: session)
        return log.compactMap { logged.sample(of: $0) }
    }

    private func workout(lasting seconds: Double) throws -> HKWorkout {
        try HKWorkout.validated(
            ObjectIdentity(uuid: session), configuration: HKWorkoutConfiguration(), start: Made.start,
            end: Made.start + seconds)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `repeated samples are skipped`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let samples = samples(log(100))
            for sample in samples {
                try database.apply(.collect([sample], of: session, isDurable: false), from: Made.source("App"))
            }
            try database.apply(.collect(samples, of: session, isDurable: true), from: Made.source("App"))
            let stored = try database.all(Made.heartRate)
            #expect(stored.map(\.uuid) == samples.map(\.uuid))
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a saved workout takes its samples over unchanged, in the order they arrived`(
        _ store: StoreUnderTest
    )
        throws
    {
        try store.with { database in
            let log = log(400)
            let samples = samples(log)
            for first in stride(from: 0, to: 300, by: 3) {
                try database.apply(
                    .collect(Array(samples[first..<first + 3]), of: session, isDurable: false),
                    from: Made.source("App"))
            }
            let selection = SampleSelection(Made.heartRate)
            let anchor = try database.changes([selection], after: 0, limit: nil).anchor
            try database.save(try workout(lasting: 400), log: log, from: Made.source("App"))
            let rest = try database.changes([selection], after: anchor, limit: nil)
            #expect(rest.added.map(\.uuid) == samples[300...].map(\.uuid))
            #expect(rest.deleted.isEmpty)
            let members = try database.samples(
                [SampleSelection(Made.heartRate, .workout(session))], sortedBy: [SampleSort(.startDate)], limit: nil)
            #expect(members.map(\.uuid) == samples.map(\.uuid))
            #expect(try database.checkIntegrity() == [])
        }
    }

    /// UUIDs of readings share all but 16 bits, so 65,536 of them are reserved at a time.
    @Test func `a long session's samples are taken over across the blocks of their UUIDs`() throws {
        let database = SQLiteHealthDatabase(.memory)
        let log = log(66_000)
        let samples = samples(log)
        try database.apply(
            .collect(Array(samples[65_000..<65_900]), of: session, isDurable: false), from: Made.source("App"))
        let selection = SampleSelection(Made.heartRate)
        let early = try database.changes([selection], after: 0, limit: nil)
        #expect(early.added.count == 900)
        try database.save(try workout(lasting: 66_000), log: log, from: Made.source("App"))
        let late = try database.changes([selection], after: early.anchor, limit: nil).added
        #expect(late.count == 66_000 - 900)
        #expect(Set(late.map(\.uuid)).isDisjoint(with: early.added.map(\.uuid)))
        #expect(try database.checkIntegrity() == [])
    }

    /// A strap is identified some moments after its first readings, and an app adds samples of the same type.
    @Test(arguments: [1, 2, 5, 7, 30])
    func `a workout is stored the same, however its samples were saved meanwhile`(groupLength: Int) throws {
        var log = log(30)
        for second in 0..<30 {
            let date = Made.start + Double(second)
            let sensor = ["strap", "watch", nil][second % 3]
            log[second] = SessionEntry(date, .quantity(.heartRate(Double(100 + second), at: date, sensor: sensor)))
        }
        for second in [3, 4, 11, 12, 20] {
            let date = Made.start + Double(second)
            let added = QuantityReading(
                "heartRate", Double(second), unit: "count/min", start: date, end: date,
                origin: SampleOrigin(id: UUID()))
            log.insert(SessionEntry(date, .quantity(added)), at: second)
        }
        for sensor in ["watch", "strap"] {
            let status = SensorStatus(
                id: sensor, kind: .bluetooth, presence: .present, device: DeviceDescription(name: sensor))
            log.insert(SessionEntry(Made.start + 9, .sensor(status)), at: 14)
        }
        let (whole, grouped) = (SQLiteHealthDatabase(.memory), SQLiteHealthDatabase(.memory))
        var logged = LoggedSamples(of: session)
        for first in stride(from: 0, to: log.count, by: groupLength) {
            let group = log[first..<min(first + groupLength, log.count)].compactMap { logged.sample(of: $0) }
            try grouped.apply(.collect(group, of: session, isDurable: false), from: Made.source("App"))
        }
        let found = try [whole, grouped].map { database in
            try database.save(try workout(lasting: 30), log: log, from: Made.source("App"))
            #expect(try database.checkIntegrity() == [])
            return try database.samples(
                [SampleSelection(Made.heartRate, .workout(session))], sortedBy: [SampleSort(.startDate)], limit: nil)
        }
        #expect(found[0].map(\.uuid) == found[1].map(\.uuid))
        #expect(found[0].map(\.device?.name) == found[1].map(\.device?.name))
        #expect(found[0].count == 35 && found[0].filter { $0.device != nil }.count == 20)
        let selection = SampleSelection(Made.heartRate, .all)
        let totals = try [whole, grouped].map {
            try $0.statistics(selection, bounds: .whole, separatingSources: false).first?.total
        }
        #expect(totals[0] == totals[1])
    }

    /// A session that continues after a crash saves everything in its log again, and so does its workout.
    @Test(arguments: StoreUnderTest.allCases)
    func `samples deleted while the session ran do not return`(_ store: StoreUnderTest) throws {
        try store.with { database in
            var log = log(10)
            let added = UUID()
            let date = Made.start + 5
            let reading = QuantityReading(
                "heartRate", 77, unit: "count/min", start: date, end: date, origin: SampleOrigin(id: added))
            log.insert(SessionEntry(date, .quantity(reading)), at: 5)
            let samples = samples(log)
            #expect(samples.count == 11 && samples[5].uuid == added)
            try database.apply(.collect(samples, of: session, isDurable: false), from: Made.source("App"))
            let gone: Set<UUID> = [added, samples[3].uuid]
            _ = try database.remove(.objects(gone), owner: nil)
            let left = samples.map(\.uuid).filter { !gone.contains($0) }
            try database.apply(.collect(samples, of: session, isDurable: false), from: Made.source("App"))
            #expect(try database.all(Made.heartRate).map(\.uuid) == left)
            let workout = try workout(lasting: 20)
            try database.save(workout, log: log, from: Made.source("App"))
            #expect(try database.all(Made.heartRate).map(\.uuid) == left)
            #expect(try database.checkIntegrity() == [])
            // After deleting the workout, importing its log restores all of it.
            _ = try database.remove(.objects(Set(left + [session])), owner: nil)
            try database.save(workout, log: log, from: Made.source("App"))
            #expect(try database.all(Made.heartRate).map(\.uuid) == samples.map(\.uuid))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `samples get the device that their sensor names later`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let strap = DeviceDescription(name: "Strap")
            var log = log(6)
            for second in [0, 1, 3, 4] {
                let date = Made.start + Double(second)
                log[second] = SessionEntry(date, .quantity(.heartRate(Double(second), at: date, sensor: "s")))
            }
            var logged = LoggedSamples(of: session)
            var samples: [HKSample] = []
            for entry in log[..<3] { samples += [logged.sample(of: entry)].compactMap { $0 } }
            #expect(logged.takeIdentified().isEmpty)
            try database.apply(.collect(samples, of: session, isDurable: false), from: Made.source("App"))
            let anchor = try database.changes([SampleSelection(Made.heartRate, .all)], after: 0, limit: nil).anchor
            let status = SensorStatus(id: "s", kind: .bluetooth, presence: .present, device: strap)
            #expect(logged.sample(of: SessionEntry(Made.start + 2.5, .sensor(status))) == nil)
            let later = log[3...].compactMap { logged.sample(of: $0) }
            let identified = try #require(logged.takeIdentified().first)
            #expect(logged.takeIdentified().isEmpty)
            #expect(identified.samples.isSuperset(of: samples[..<2].map(\.uuid)))
            try database.apply(
                [
                    .setDevice(identified.device, of: identified.samples),
                    .collect(later, of: session, isDurable: false),
                ], from: Made.source("App"), once: nil)
            let stored = try database.all(Made.heartRate)
            #expect(stored.map(\.uuid) == (samples + later).map(\.uuid))
            #expect(stored.map { $0.device?.name } == ["Strap", "Strap", nil, "Strap", "Strap", nil])
            // A client that has seen them does not see them again.
            let rest = try database.changes([SampleSelection(Made.heartRate, .all)], after: anchor, limit: nil)
            #expect(rest.added.map(\.uuid) == later.map(\.uuid) && rest.deleted.isEmpty)
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a discarded session is removed, without samples of others`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let own = Made.heartRate(60, at: 5000)
            try database.save([own], from: Made.source("App"))
            try database.apply(.collect(samples(log(100)), of: session, isDurable: false), from: Made.source("App"))
            #expect(try database.remove(.collected(session: session), owner: nil) == 100)
            #expect(try database.all(Made.heartRate).map(\.uuid) == [own.uuid])
            #expect(try database.checkIntegrity() == [])
        }
    }
}
