#if PostgreSQL
import Analytics
import Foundation
import MadeSamples
import PostgreSQLStore
import SessionLog
import Testing

@testable import HealthStore

/// The same history gives the same answers in memory, in a file and on PostgreSQL, bit for bit.
@Suite(.enabled(if: PostgreSQLUnderTest.address != nil, "needs a server: make test-postgres"))
struct SameNumbersTests {
    @Test(arguments: 0..<6)
    func `random histories are the same in every store`(_ seed: Int) throws {
        try TemporaryFolder.with { folder in
            var random = SeededGenerator(seed: UInt64(seed))
            let stores: [any SQLHealthDatabase] = [
                SQLiteHealthDatabase(.memory), SQLiteHealthDatabase(.file(folder + "/health.sqlite")),
                try PostgreSQLUnderTest.database(),
            ]
            var saved: [HKSample] = []
            var workouts: [HKWorkout] = []
            for step in 0..<40 {
                let source = Made.source("S\(Int.random(in: 0..<3, using: &random))")
                try Self.step(step, &random, source, &saved, &workouts, stores)
            }
            let answers = try stores.map(Self.answers)
            #expect(answers[0].count > 100)
            for (place, answer) in answers.enumerated().dropFirst() {
                #expect(answer.count == answers[0].count)
                for (one, other) in zip(answer, answers[0]) where one != other {
                    Issue.record("store \(place): \(one) instead of \(other)")
                    return
                }
            }
            #expect(try stores.map { try $0.checkIntegrity() } == [[], [], []])
            #expect(try Self.runs(stores[2]) == Self.runs(stores[0]))
        }
    }

    /// Does the same with all stores.
    private static func step(
        _ step: Int, _ random: inout SeededGenerator, _ source: HKSourceRevision, _ saved: inout [HKSample],
        _ workouts: inout [HKWorkout], _ stores: [any SQLHealthDatabase]
    ) throws {
        let start = Double(Int.random(in: 0..<20_000, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0...1:
            let count = Int.random(in: 1..<2_000, using: &random)
            let rates = (0..<count).map {
                Made.heartRate(50 + Double.random(in: 0..<100, using: &random), at: start + Double($0) * 1.1)
            }
            for store in stores { try store.save(rates, from: source) }
            saved += rates
        case 2...3:
            let steps = (0..<Int.random(in: 1..<100, using: &random)).map { index in
                Made.steps(
                    Double.random(in: 0..<90, using: &random), from: start + Double(index) * 60,
                    to: start + Double(index) * 60 + Double.random(in: 0..<90, using: &random))
            }
            for store in stores { try store.save(steps, from: source) }
            saved += steps
        case 4:
            let sleep = Made.sleep(.asleepREM, from: start, to: start + 600)
            for store in stores { try store.save([sleep], from: source) }
            saved.append(sleep)
        case 5:
            let workout = try Made.workout(.running, at: start, lasting: 600, kilocalories: 12.3)
            for store in stores {
                try store.save([workout], from: source)
                let members = saved.filter { $0.startDate >= workout.startDate && $0.endDate <= workout.endDate }
                    .prefix(50)
                try store.add(members.map { ($0, nil) }, toWorkout: workout.uuid, from: source)
            }
            workouts.append(workout)
        case 6 where !saved.isEmpty:
            let gone = Set((0..<5).compactMap { _ in saved.randomElement(using: &random)?.uuid })
            for store in stores { _ = try store.delete(gone, owner: nil) }
            saved.removeAll { gone.contains($0.uuid) }
        default:
            let session = UUID()
            var logged = LoggedSamples(of: session)
            let samples: [HKSample] = (0..<90).compactMap { second in
                let date = Made.start + start + Double(second)
                return logged.sample(
                    of: SessionEntry(date, .quantity(.heartRate(Double(100 + second % 7), at: date, sensor: nil))))
            }
            for store in stores {
                for sample in samples.chunked(into: 10) {
                    try store.apply(.collect(sample, of: session, isDurable: false), from: source)
                }
            }
            saved += samples
        }
    }

    /// The results of all ways of reading, as text with all bits.
    private static func answers(_ store: any SQLHealthDatabase) throws -> [String] {
        var lines: [String] = []
        func bits(_ number: Double?) -> String { number.map { String($0.bitPattern, radix: 16) } ?? "-" }
        for type in [Made.heartRate, Made.steps, Made.sleep, HKObjectType.workoutType()] as [HKSampleType] {
            let selection = SampleSelection(type)
            for sample in try store.samples([selection], sortedBy: [], limit: nil) {
                let quantity = (sample as? HKQuantitySample)?.quantity.value
                lines.append(
                    "\(sample.uuid) \(bits(sample.startDate.timeIntervalSinceReferenceDate)) "
                        + "\(bits(sample.endDate.timeIntervalSinceReferenceDate)) \(bits(quantity)) \(sample.sourceRevision.source.name)"
                )
            }
            for limit in [1, 7] {
                let latest = try store.samples(
                    [selection], sortedBy: [SampleSort(.endDate, ascending: false)], limit: limit)
                lines.append("latest \(latest.map(\.uuid))")
            }
            var anchor: Int64 = 0
            for _ in 0..<3 {
                let changes = try store.changes([selection], after: anchor, limit: 500)
                lines.append("changes \(changes.added.map(\.uuid)) \(changes.deleted.map(\.uuid)) \(changes.anchor)")
                anchor = changes.anchor
            }
            lines.append("extent \(try store.extent(selection).map { "\($0.dates)" } ?? "none")")
            for hold in try store.holds(selection) {
                lines.append(
                    "hold \(bits(hold.dates.lowerBound.timeIntervalSinceReferenceDate)) "
                        + "\(bits(hold.dates.upperBound.timeIntervalSinceReferenceDate)) "
                        + bits(hold.end?.timeIntervalSinceReferenceDate))
            }
            for width in [900.0, 1_237, 3_600] {
                let dates = (0..<20).map { Made.start + Double($0) * width }
                for bucket in try store.statistics(selection, bounds: .dates(dates), separatingSources: true) {
                    let parts = bucket.bySource.sorted { $0.key.name < $1.key.name }.map { ($0.key.name, $0.value) }
                    for (name, figures) in [("all", bucket.total)] + parts {
                        lines.append(
                            "\(type.identifier) \(bits(bucket.start.timeIntervalSinceReferenceDate)) \(name) \(figures.count) "
                                + "\(bits(figures.sum)) \(bits(figures.minimum)) \(bits(figures.maximum)) \(bits(figures.average)) "
                                + "\(bits(figures.coveredSeconds))")
                    }
                }
            }
        }
        return lines
    }

    /// The columns of all runs. Rows of workouts refer to other rows by numbers, which differ between stores.
    private static func runs(_ store: any SQLHealthDatabase) throws -> [String] {
        try store.withReader { reader in
            try Data.fetchAll(
                reader.db, sql: "SELECT columns FROM content JOIN run ON run.id = content.run WHERE kind IN (?, ?)",
                arguments: [StoredRun.Kind.quantities.rawValue, StoredRun.Kind.categories.rawValue]
            ).map { $0.base64EncodedString() }.sorted()
        }
    }
}

extension Array {
    fileprivate func chunked(into size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
#endif
