import Analytics
import Foundation
import HealthStore
import MadeSamples
import SessionLog
import Testing

@Suite struct StoreStatisticsTests {
    private func sums(_ buckets: [StatisticsBucket]) -> [Double] { buckets.map(\.total.sum) }

    @Test(arguments: StoreUnderTest.allCases)
    func `a sample across a bound is divided by time`(_ store: StoreUnderTest) throws {
        try store.with { database in
            try database.save([Made.steps(100, from: 50, to: 150)], from: Made.source("App"))
            let dates = [0.0, 75, 100, 200, 300].map { Made.start + $0 }
            let buckets = try database.statistics(
                SampleSelection(Made.steps), bounds: .dates(dates), separatingSources: false)
            #expect(sums(buckets) == [25, 25, 50])
            #expect(buckets.map(\.start) == Array(dates[..<3]))
            let whole = try database.statistics(SampleSelection(Made.steps), bounds: .whole, separatingSources: false)
            #expect(sums(whole) == [100])
            #expect(whole.first?.start == Made.start + 50)
            #expect(whole.first?.end == Made.start + 150)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `overlapping sources count once, and the last one wins`(_ store: StoreUnderTest) throws {
        try store.with { database in
            try database.save(
                [Made.steps(100, from: 0, to: 100), Made.steps(30, from: 200, to: 300)], from: Made.source("Phone"))
            try database.save(
                [Made.steps(80, from: 50, to: 150), Made.steps(5, from: 220, to: 230)], from: Made.source("Watch"))
            let buckets = try database.statistics(
                SampleSelection(Made.steps), bounds: .dates([Made.start, Made.start + 1000]), separatingSources: true)
            let bucket = try #require(buckets.first)
            #expect(abs(bucket.total.sum - (50 + 80 + 27 + 5)) < 1e-9)
            #expect(bucket.bySource[Made.source("Phone").source]?.sum == 130)
            #expect(bucket.bySource[Made.source("Watch").source]?.sum == 85)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `values per minute read back unchanged`(_ store: StoreUnderTest) throws {
        try store.with { database in
            try database.save([Made.heartRate(123, at: 0), Made.heartRate(62, at: 10)], from: Made.source("App"))
            let total = try #require(
                try database.statistics(SampleSelection(Made.heartRate), bounds: .whole, separatingSources: false)
                    .first?
                    .total)
            #expect(total.maximum == 123)
            #expect(total.minimum == 62)
            #expect(total.mostRecent?.value == 62)
        }
    }

    /// Random samples, saved in random batches and partly deleted: runs of every shape.
    @Test(arguments: StoreUnderTest.allCases, [1, 2, 3, 4])
    func `statistics from summaries equal those of the single samples`(
        _ store: StoreUnderTest, seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        try store.with { database in
            var samples: [HKQuantitySample] = []
            var second = 0.0
            for _ in 0..<20 {
                var batch: [HKQuantitySample] = []
                for _ in 0..<Int.random(in: 1...700, using: &random) {
                    second += [1, 1, 1, 1, 5, 40][Int.random(in: 0..<6, using: &random)]
                    batch.append(Made.heartRate(Double(Int.random(in: 50...180, using: &random)), at: second))
                }
                if Bool.random(using: &random) { second -= 200.5 }
                try database.save(batch.shuffled(using: &random), from: Made.source("App"))
                samples += batch
            }
            let gone = Set(samples.filter { _ in Int.random(in: 0..<40, using: &random) == 0 }.map(\.uuid))
            _ = try database.delete(gone, owner: nil)
            samples = samples.filter { !gone.contains($0.uuid) }.sorted {
                ($0.startDate, $0.endDate) < ($1.startDate, $1.endDate)
            }
            let from = Made.start.timeIntervalSinceReferenceDate.rounded(.down)
            let width = [600.0, 3600, 1000.25][Int.random(in: 0..<3, using: &random)]
            let dates = stride(from: from + 500, through: from + 20_000, by: width).map {
                Date(timeIntervalSinceReferenceDate: $0)
            }
            let buckets = try database.statistics(
                SampleSelection(Made.heartRate), bounds: .dates(dates), separatingSources: false)
            var expected: [Date: RunningStatistics] = [:]
            for sample in samples {
                guard let index = dates.lastIndex(where: { $0 <= sample.startDate }), index < dates.count - 1 else {
                    continue
                }
                expected[dates[index], default: RunningStatistics(.temporal)].add(
                    sample.quantity.doubleValue(for: Made.perMinute), start: sample.startDate, end: sample.endDate)
            }
            #expect(Set(buckets.map(\.start)) == Set(expected.keys))
            for bucket in buckets {
                let one = try #require(expected[bucket.start])
                #expect(bucket.total.count == one.count)
                #expect(bucket.total.sum == one.sum)
                #expect(bucket.total.minimum == one.minimum)
                #expect(bucket.total.maximum == one.maximum)
                #expect(bucket.total.mostRecent?.end == one.mostRecent?.end)
                #expect(abs((bucket.total.average ?? 0) - (one.average ?? 0)) < 1e-9)
            }
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a filter on values limits statistics to the matching samples`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let samples = (0..<2000).map { Made.heartRate(60 + Double($0 % 80), at: Double($0)) }
            try database.save(samples, from: Made.source("App"))
            let filter = SampleFilter.and([
                .quantity(.greaterOrEqual, HKQuantity(unit: Made.perMinute, doubleValue: 100)),
                .startDate(.less, Made.start + 1000),
            ])
            let total = try database.statistics(
                SampleSelection(Made.heartRate, filter), bounds: .whole, separatingSources: false
            ).first?.total
            let expected = samples[..<1000].filter { $0.quantity.doubleValue(for: Made.perMinute) >= 100 }
            #expect(total?.count == expected.count)
            #expect(total?.minimum == 100)
            let range = try database.dateRange(SampleSelection(Made.heartRate, filter))
            #expect(range == expected[0].startDate...expected[expected.count - 1].endDate)
            #expect(try database.sources(SampleSelection(Made.heartRate, filter)) == [Made.source("App").source])
            #expect(try database.sources(SampleSelection(Made.heartRate, .none)) == [])
        }
    }
}
