import Analytics
import Foundation
import HealthKit
import MadeSamples
import SessionLog
import Testing

@Suite struct HKStatisticsCollectionQueryTests {
    private let health = QueryStore()

    private func query(
        _ options: HKStatisticsOptions, of type: HKQuantityType = Made.steps, predicate: NSPredicate? = nil,
        anchor: Date = Made.start, every interval: DateComponents = DateComponents(hour: 1)
    ) -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: type, quantitySamplePredicate: predicate, options: options, anchorDate: anchor,
            intervalComponents: interval)
    }

    private func collection(_ query: HKStatisticsCollectionQuery) async throws -> HKStatisticsCollection {
        let calls = Calls<Result<HKStatisticsCollection, any Error>>()
        query.initialResultsHandler = { _, collection, error in
            calls.add(Result { try #require(collection, "\(String(describing: error))") })
        }
        health.store.execute(query)
        return try #require(await calls.next()).get()
    }

    private func sums(_ statistics: [HKStatistics]) -> [Double?] {
        statistics.map { $0.sumQuantity()?.doubleValue(for: .count()) }
    }

    @Test func `each interval has its own sum, and empty ones are enumerated too`() async throws {
        try health.save([
            Made.steps(10, from: 0, to: 60), Made.steps(20, from: 1800, to: 1860), Made.steps(5, from: 7200, to: 7260),
        ])
        let collection = try await collection(query(.cumulativeSum))
        #expect(sums(collection.statistics()) == [30, 5])
        var visited: [HKStatistics] = []
        collection.enumerateStatistics(from: Made.start + 60, to: Made.start + 4 * 3600) { item, _ in
            visited.append(item)
        }
        #expect(sums(visited) == [30, nil, 5, nil])
        #expect(visited.map { $0.startDate.timeIntervalSince(Made.start) } == [0, 3600, 7200, 10800])
        #expect(visited.allSatisfy { $0.endDate == $0.startDate + 3600 })
        #expect(collection.sources().isEmpty)
    }

    @Test func `enumeration stops on request`() async throws {
        let collection = try await collection(query(.cumulativeSum))
        var count = 0
        collection.enumerateStatistics(from: Made.start, to: Made.start + 86_400) { _, stop in
            count += 1
            if count == 3 { stop.pointee = true }
        }
        #expect(count == 3)
        #expect(collection.statistics().isEmpty)
    }

    @Test func `a date finds its interval`() async throws {
        try health.save([Made.steps(10, from: 0, to: 60)])
        let collection = try await collection(query(.cumulativeSum))
        #expect(collection.statistics(for: Made.start + 3599)?.sumQuantity()?.doubleValue(for: .count()) == 10)
        let empty = try #require(collection.statistics(for: Made.start + 3600))
        #expect(empty.sumQuantity() == nil)
        #expect(empty.startDate == Made.start + 3600)
        #expect(collection.statistics(for: Made.start - 1)?.startDate == Made.start - 3600)
    }

    @Test func `only the phase of the anchor matters`() async throws {
        try health.save([Made.steps(10, from: 0, to: 60), Made.steps(20, from: 1800, to: 1860)])
        for anchor in [Made.start - 365 * 86_400 + 1800, Made.start + 1800, Made.start + 10_000 * 3600 + 1800] {
            let collection = try await collection(query(.cumulativeSum, anchor: anchor))
            #expect(sums(collection.statistics()) == [10, 20])
        }
    }

    @Test func `a sample across a bound is divided by time`() async throws {
        try health.save([Made.steps(60, from: 3000, to: 4200)])
        let collection = try await collection(query(.cumulativeSum))
        #expect(sums(collection.statistics()) == [30, 30])
    }

    @Test func `days follow the calendar and last 23 or 25 hours at clock changes`() async throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let saturday = try #require(calendar.date(from: DateComponents(year: 2024, month: 3, day: 30)))
        // A step each hour for four days by the calendar: 95 hours.
        let samples = (0..<96).map { hour in
            HKQuantitySample(
                type: Made.steps, quantity: HKQuantity(unit: .count(), doubleValue: 1),
                start: saturday + Double(hour) * 3600, end: saturday + Double(hour) * 3600 + 60)
        }
        try health.save(samples)
        let collection = try await collection(
            query(.cumulativeSum, anchor: saturday, every: DateComponents(calendar: calendar, day: 1)))
        #expect(sums(collection.statistics()) == [24, 23, 24, 24, 1])
    }

    @Test func `averages of heart rate per hour`() async throws {
        try health.save([
            Made.heartRate(60, at: 0), Made.heartRate(80, at: 10), Made.heartRate(100, at: 3600 + 5),
        ])
        let collection = try await collection(
            query([.discreteAverage, .discreteMin, .discreteMax, .mostRecent], of: Made.heartRate))
        let maxima = collection.statistics().map { $0.maximumQuantity()?.doubleValue(for: Made.perMinute) }
        #expect(maxima == [80, 100])
        #expect(collection.statistics().last?.averageQuantity() == Made.bpm(100))
        #expect(collection.statistics().first?.minimumQuantity() == Made.bpm(60))
        #expect(collection.statistics().first?.mostRecentQuantity() == Made.bpm(80))
        #expect(collection.statistics().first?.sumQuantity() == nil)
    }

    @Test func `sources have figures of their own, and together count overlapping time once`() async throws {
        try health.save([Made.steps(60, from: 0, to: 60)], from: "Watch")
        try health.save([Made.steps(40, from: 0, to: 60)], from: "Phone")
        let collection = try await collection(query([.cumulativeSum, .separateBySource]))
        let statistics = try #require(collection.statistics().first)
        #expect(Set(collection.sources().map(\.name)) == ["Watch", "Phone"])
        let own = try collection.sources().sorted { $0.name < $1.name }.map {
            try #require(statistics.sumQuantity(for: $0)).doubleValue(for: .count())
        }
        #expect(own == [40, 60])
        #expect([40.0, 60].contains(try #require(statistics.sumQuantity()).doubleValue(for: .count())))
    }

    @Test func `the update handler gets the change and the whole collection`() async throws {
        try health.save([Made.steps(10, from: 0, to: 60)])
        let query = query(.cumulativeSum)
        let initial = Calls<Int>()
        let updates = Calls<(HKStatistics?, HKStatisticsCollection?)>()
        query.initialResultsHandler = { _, collection, _ in initial.add(collection?.statistics().count ?? -1) }
        query.statisticsUpdateHandler = { _, statistics, collection, _ in updates.add((statistics, collection)) }
        health.store.execute(query)
        #expect(await initial.next() == 1)
        try health.save([Made.steps(5, from: 7200, to: 7260)])
        let (changed, whole) = try #require(await updates.next())
        #expect(changed?.startDate == Made.start + 7200)
        #expect(sums(whole?.statistics() ?? []) == [10, 5])
        health.store.stop(query)
    }

    @Test func `the descriptor returns the collection and its changes`() async throws {
        try health.save([Made.steps(10, from: 0, to: 60)])
        let descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: Made.steps), options: .cumulativeSum, anchorDate: Made.start,
            intervalComponents: DateComponents(hour: 1))
        #expect(try await sums(descriptor.result(for: health.store).statistics()) == [10])
        var results = 0
        for try await result in descriptor.results(for: health.store) {
            results += 1
            if results == 1 {
                #expect(result.updatedStatistics == nil)
                try health.save([Made.steps(1, from: 60, to: 120), Made.steps(2, from: 7200, to: 7210)])
            } else {
                #expect(sums(result.updatedStatistics ?? []) == [11, 2])
                break
            }
        }
        #expect(results == 2)
    }

    @Test func `a predicate with an incompatible unit is an error`() async throws {
        let beats = HKQuery.predicateForQuantitySamples(with: .equalTo, quantity: Made.bpm(1))
        let query = query(.cumulativeSum, predicate: beats)
        let calls = Calls<HKError.Code?>()
        query.initialResultsHandler = { _, collection, error in
            #expect(collection == nil)
            calls.add((error as? HKError)?.code)
        }
        health.store.execute(query)
        #expect(await calls.next() == .errorInvalidArgument)
    }

    /// After random changes of every kind, reading bucket by bucket gives the same as a new query.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `an updated collection equals that of a new query`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let calls = Calls<HKStatisticsCollection>()
        let interval = DateComponents(minute: 20)
        let going = query(.cumulativeSum, every: interval)
        going.initialResultsHandler = { _, collection, _ in if let collection { calls.add(collection) } }
        going.statisticsUpdateHandler = { _, _, collection, _ in if let collection { calls.add(collection) } }
        health.store.execute(going)
        _ = await calls.next()
        var saved: [HKObject] = []
        // Away from all others, so that every round changes something.
        var markers: [HKObject] = []
        for round in 0..<12 {
            if round % 3 == 2 {
                let gone = saved.filter { _ in Int.random(in: 0..<3, using: &random) == 0 } + [markers.removeLast()]
                saved.removeAll(where: gone.contains)
                _ = try health.database.delete(Set(gone.map(\.uuid)), owner: nil)
            } else {
                let first = Double.random(in: 0..<50_000, using: &random)
                let new = (0..<Int.random(in: 1...60, using: &random)).map { number in
                    let start = first + Double(number) * 100
                    return Made.steps(
                        Double(Int.random(in: 1...99, using: &random)), from: start,
                        to: start + Double(Int.random(in: 0...5000, using: &random)))
                }
                saved += new
                let place = 100_000 + Double(round) * 10_000
                markers.append(Made.steps(1, from: place, to: place + 1))
                try health.save(new + markers.suffix(1), from: ["Watch", "Phone"][round % 2])
            }
            let latest = try #require(await calls.next())
            let anew = try await collection(query(.cumulativeSum, every: interval))
            #expect(latest.statistics().map(\.startDate) == anew.statistics().map(\.startDate))
            for (one, other) in zip(latest.statistics(), anew.statistics()) {
                #expect(abs(one.total.sum - other.total.sum) < 1e-9)
            }
        }
        health.store.stop(going)
    }
}
