import Analytics
import Foundation
import GRDB
import MadeSamples
import SessionLog
import Testing

@testable import HealthStore

/// Statistics with bounds inside rows: hours and days of time zones with odd offsets, and other bounds. They are
/// compared with sums over single samples.
@Suite struct OddBoundsTests {
    /// A few hours at 1 Hz with gaps, with four kinds of times.
    private static func samples(_ kind: Int, from first: Double, _ random: inout SeededGenerator) -> [HKQuantitySample]
    {
        var samples: [HKQuantitySample] = []
        var second = first
        while second < first + 4 * 3600 {
            if Int.random(in: 0..<2000, using: &random) == 0 {
                second += Double(Int.random(in: 1...900, using: &random))
            }
            let value = Double(Int.random(in: 50...180, using: &random))
            switch kind {
            case 0: samples.append(Made.heartRate(value, at: second))
            case 1: samples.append(Made.heartRate(value, at: second + Double.random(in: 0..<0.9, using: &random)))
            // Seconds that begin and end with those of the clock, and seconds that cross each quarter of an hour.
            case 2: samples.append(Made.steps(value, from: second, to: second + 1))
            default: samples.append(Made.steps(value, from: second + 0.25, to: second + 1.25))
            }
            second += 1
        }
        return samples
    }

    private static func bounds(_ zone: String, _ component: Calendar.Component, around date: Date) throws -> [Date] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        let first = calendar.startOfDay(for: date - 86400)
        return try (0..<(component == .hour ? 80 : 4)).map {
            try #require(calendar.date(byAdding: component, value: $0, to: first))
        }
    }

    /// Adds one sample after another, each cut at the bounds.
    private func slowly(
        _ samples: [HKQuantitySample], _ bounds: [Date], _ rule: AveragingRule
    ) -> [Date: RunningStatistics] {
        var figures: [Date: RunningStatistics] = [:]
        /// The first bucket that the sample can be in.
        var next = 0
        for sample in samples.sorted(by: { ($0.startDate, $0.endDate) < ($1.startDate, $1.endDate) }) {
            let value = sample.quantity.doubleValue(for: sample.quantityType.recordingUnit)
            let length = sample.endDate.timeIntervalSince(sample.startDate)
            while next < bounds.count - 1, bounds[next + 1] <= sample.startDate { next += 1 }
            for (start, end) in zip(bounds[next...], bounds[next...].dropFirst()) {
                if start > sample.endDate { break }
                let (from, to) = (max(start, sample.startDate), min(end, sample.endDate))
                let isInside = start <= sample.startDate && sample.startDate < end
                guard length > 0 ? from < to : isInside else { continue }
                let share = length > 0 && rule == .arithmetic ? to.timeIntervalSince(from) / length : 1
                figures[start, default: RunningStatistics(rule)].add(value * share, start: from, end: to)
            }
        }
        return figures
    }

    private func check(
        _ database: any HealthDatabase, _ samples: [HKQuantitySample], _ bounds: [Date], _ text: Comment
    ) throws {
        let type = try #require(samples.first).quantityType
        let buckets = try database.statistics(
            SampleSelection(type), bounds: .dates(bounds), separatingSources: false)
        let expected = slowly(samples, bounds, type.averagingRule)
        #expect(Set(buckets.map(\.start)) == Set(expected.keys), text)
        for bucket in buckets {
            let one = try #require(expected[bucket.start])
            let total = bucket.total
            #expect(total.count == one.count && total.minimum == one.minimum && total.maximum == one.maximum, text)
            #expect(abs(total.sum - one.sum) <= 1e-9 * abs(one.sum), text)
            #expect(total.mostRecent == one.mostRecent && total.firstStart == one.firstStart, text)
            #expect(abs(total.coveredSeconds - one.coveredSeconds) < 1e-6, text)
            #expect(abs(total.weightedSeconds - one.weightedSeconds) < 1e-6, text)
            #expect(abs((total.average ?? 0) - (one.average ?? 0)) < 1e-9, text)
        }
    }

    private static let bounded: [(String, Calendar.Component)] = [
        ("UTC", .hour), ("Asia/Kolkata", .hour), ("Asia/Kolkata", .day), ("Asia/Kathmandu", .hour),
        ("Asia/Kathmandu", .day), ("Australia/Lord_Howe", .hour), ("Australia/Lord_Howe", .day),
    ]

    /// Around the night in which Lord Howe sets its clocks by half an hour, and around another night.
    @Test(arguments: [0, 1, 2, 3], [796_750_200, 800_000_000.0])
    func `figures at odd bounds are those of the single samples`(kind: Int, second: Double) throws {
        var random = SeededGenerator(seed: UInt64(kind + 1))
        let first = second - 7000 - Made.start.timeIntervalSinceReferenceDate
        let samples = Self.samples(kind, from: first, &random)
        let database = SQLiteHealthDatabase(.memory)
        try database.save(samples, from: Made.source("App"))
        let middle = samples[samples.count / 2].startDate
        for (zone, component) in Self.bounded {
            try check(database, samples, try Self.bounds(zone, component, around: middle), "\(zone) \(component)")
        }
        for width in [3600.0, 1234.5, 97] {
            let bounds = stride(from: -1111.25, to: 14_000, by: width).map { samples[0].startDate + $0 }
            try check(database, samples, bounds, "\(width) s")
        }
        #expect(try database.checkIntegrity() == [])
    }

    @Test func `an hour at 1 Hz is a row of four parts, also in an earlier store`() throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/health.sqlite"
            func parts(_ queue: DatabaseQueue) throws -> [Int] {
                try queue.read { db in
                    try Data.fetchAll(db, sql: "SELECT summary FROM run ORDER BY start").map { data in
                        data.withUnsafeBytes { RunSummary($0)?.parts.count ?? -1 }
                    }
                }
            }
            let hour = -Made.start.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: 3600)
            // With separate identities: other tests that run at the same time use those of the process, which would
            // split the rows.
            let samples = try (0..<7200).map { second in
                let made = Made.heartRate(60 + Double(second % 100), at: hour + Double(second))
                return try HKQuantitySample.validated(
                    ObjectIdentity(uuid: UUID(version8: 0xE3, UInt64(second))), type: Made.heartRate,
                    quantity: made.quantity, start: made.startDate, end: made.endDate)
            }
            try SQLiteHealthDatabase(.file(path)).save(samples, from: Made.source("App"))
            let queue = try DatabaseQueue(path: path)
            let now = try parts(queue)
            #expect(now == [4, 4])
            try queue.write { db in
                try db.execute(sql: "UPDATE run SET summary = substr(summary, 1, 88)")
                try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'parts of hours'")
            }
            #expect(try parts(queue).allSatisfy { $0 == 0 })
            let bounds = (0..<6).map { samples[0].startDate + Double($0) * 1800 - 600 }
            try check(SQLiteHealthDatabase(.file(path)), samples, bounds, "migrated")
            #expect(try parts(queue) == now)
        }
    }

    @Test(arguments: [AveragingRule.arithmetic, .temporal, .continuousLevel], 0..<20)
    func `values added together give the figures of values added one by one`(
        rule: AveragingRule, seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed + 1)
        var (starts, ends, values): ([Double], [Double], [Double]) = ([], [], [])
        var second = 800_000_000.0
        for _ in 0..<Int.random(in: 1...200, using: &random) {
            second += [0, 1, 1, 1.5, 29, 31, -2][Int.random(in: 0..<7, using: &random)]
            starts.append(second)
            ends.append(second + [0, 0, 0.5, 1, 4][Int.random(in: 0..<5, using: &random)])
            values.append(Double.random(in: 1...100, using: &random))
        }
        func addOneByOne(_ figures: inout RunningStatistics) {
            for index in starts.indices {
                figures.add(
                    values[index], start: Date(timeIntervalSinceReferenceDate: starts[index]),
                    end: Date(timeIntervalSinceReferenceDate: ends[index]))
            }
        }
        var (together, apart) = (RunningStatistics(rule), RunningStatistics(rule))
        for _ in 0..<2 {
            together.add(values, starts: starts, ends: ends, in: starts.indices)
            addOneByOne(&apart)
            #expect(together == apart)
            together.breakHold(at: Date(timeIntervalSinceReferenceDate: second + 10))
            apart.breakHold(at: Date(timeIntervalSinceReferenceDate: second + 10))
        }
    }

    @Test(arguments: [AveragingRule.arithmetic, .temporal, .continuousLevel], 0..<20)
    func `evenly spaced values give the figures of values added one by one`(
        rule: AveragingRule, seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed + 1)
        let step = [0, 0.5, 1, 29, 31][Int.random(in: 0..<5, using: &random)]
        let length = [0, 0.5, 1, 30][Int.random(in: 0..<4, using: &random)]
        let values = (0..<Int.random(in: 1...50, using: &random)).map { _ in
            Double(Int.random(in: 1...100, using: &random))
        }
        var (together, apart) = (RunningStatistics(rule), RunningStatistics(rule))
        for start in [800_000_000.0, 800_000_500, 800_003_000] {
            let times = values.indices.map { start + Double($0) * step...start + Double($0) * step + length }
            let first = Int.random(in: values.indices, using: &random)
            let range = first..<Int.random(in: first..<values.count, using: &random) + 1
            together.add(
                values, in: range, from: times[first], to: times[range.upperBound - 1], every: step, lasting: length)
            for index in range {
                apart.add(
                    values[index], start: Date(timeIntervalSinceReferenceDate: times[index].lowerBound),
                    end: Date(timeIntervalSinceReferenceDate: times[index].upperBound))
            }
            #expect(together.count == apart.count && together.sum == apart.sum)
            #expect(together.minimum == apart.minimum && together.maximum == apart.maximum)
            #expect(together.mostRecent == apart.mostRecent && together.firstStart == apart.firstStart)
            #expect(together.coveredSeconds == apart.coveredSeconds)
            #expect(together.weightedSeconds == apart.weightedSeconds)
            #expect(abs(together.integral - apart.integral) <= 1e-12 * apart.integral)
        }
    }

    @Test(arguments: 0..<50)
    func `a part of a column equals that part of the whole column`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed + 1)
        let count = Int.random(in: 1...1000, using: &random)
        var number = Int64(1) << 30
        let numbers = (0..<count).map { _ in
            number += Int64.random(in: 0...(seed % 2 == 0 ? 1 : 1 << 20), using: &random)
            return seed % 3 == 0 ? Int64.random(in: 0...200, using: &random) : number
        }
        var bytes: [UInt8] = []
        PackedIntegers.append(numbers, to: &bytes)
        PackedIntegers.append([7, 8], to: &bytes)
        let first = Int.random(in: 0..<count, using: &random)
        let range = PackedIntegers.blocks(around: first..<Int.random(in: first..<count, using: &random) + 1, of: count)
        let (part, next) = try bytes.withUnsafeBytes { bytes throws in
            var reader = ByteReader(bytes)
            return (
                try PackedIntegers.read(range, of: count, from: &reader).all, try PackedIntegers.read(2, from: &reader)
            )
        }
        #expect(part == Array(numbers[range]))
        #expect(next == [7, 8])
    }
}
