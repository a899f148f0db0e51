import Engine
import Foundation
import HealthKit
import HealthStore
import SessionLog
import Testing

/// The samples of a running session are in the store: apps follow them with queries.
///
/// Apple: "Executing Anchored Object Queries" and "Executing Observer Queries" (developer.apple.com/documentation/healthkit); apps
/// since watchOS 2 follow the heart rate of a session with an anchored query and its update handler.
@Suite struct LiveSamplesTests {
    private static let heartRate = HKQuantityType(.heartRate)

    @Test func `a sample query finds the samples that a running session has collected`() async throws {
        let test = TestSession()
        try await test.begin()
        await test.pulse([100, 101, 102])
        #expect(try await test.heartRates().rates == [100, 101, 102])
        await test.pulse([103, 104], from: 3)
        #expect(try await test.heartRates().rates == [100, 101, 102, 103, 104])
        let later = HKQuery.predicateForSamples(withStart: TestSession.start + 3, end: nil, options: .strictStartDate)
        #expect(try await test.heartRates(later).rates == [103, 104])
    }

    @Test func `finishing stores no sample twice, and relates all to the workout`() async throws {
        let test = TestSession()
        try await test.begin()
        await test.pulse([100, 101, 102])
        let seen = try await test.heartRates().map(\.uuid)
        await test.pulse([103, 104], from: 3)
        let finished = try await test.finish(at: 10)
        let workout = try #require(finished)
        let stored = try await test.heartRates()
        #expect(stored.rates == [100, 101, 102, 103, 104])
        #expect(Array(stored.map(\.uuid).prefix(3)) == seen)
        #expect(try await test.heartRates(HKQuery.predicateForObjects(from: workout)).count == 5)
        #expect(workout.statistics(for: Self.heartRate)?.total.count == 5)
        #expect(try test.store.database.checkIntegrity() == [])
    }

    @Test func `an anchored query's update handler gets each sample once, including the workout's end`()
        async throws
    {
        let test = TestSession()
        let calls = Calls<[Double]>()
        let handler: HKAnchoredObjectQuery.Handler = { _, samples, deleted, _, error in
            #expect(error == nil && deleted?.isEmpty != false)
            calls.add((samples ?? []).compactMap { $0 as? HKQuantitySample }.rates)
        }
        let query = HKAnchoredObjectQuery(
            type: Self.heartRate, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit, resultsHandler: handler)
        query.updateHandler = handler
        test.store.execute(query)
        #expect(await calls.next() == [])
        try await test.begin()
        await test.pulse([100, 101])
        var got: [Double] = []
        while got.count < 2 { got += await calls.next() ?? [] }
        await test.pulse([102], from: 2)
        while got.count < 3 { got += await calls.next() ?? [] }
        _ = try await test.finish(at: 10)
        try await test.store.save(
            HKQuantitySample(
                type: Self.heartRate, quantity: HKQuantity(unit: TestSession.perMinute, doubleValue: 60),
                start: TestSession.start + 20, end: TestSession.start + 20))
        while got.count < 4 { got += await calls.next() ?? [] }
        #expect(got == [100, 101, 102, 60])
        test.store.stop(query)
    }

    @Test func `finishing the workout does not change anchors`() async throws {
        let test = TestSession()
        try await test.begin()
        await test.pulse([100, 101, 102])
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: Self.heartRate)], anchor: nil)
        let first = try await descriptor.result(for: test.store)
        #expect(first.addedSamples.rates == [100, 101, 102])
        await test.pulse([103], from: 3)
        _ = try await test.finish(at: 10)
        let rest = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: Self.heartRate)], anchor: first.newAnchor
        ).result(for: test.store)
        #expect(rest.addedSamples.rates == [103])
        #expect(rest.deletedObjects.isEmpty)
    }

    @Test func `an observer is called for samples that a session collects`() async throws {
        let test = TestSession()
        let calls = Calls<Bool>()
        let query = HKObserverQuery(sampleType: Self.heartRate, predicate: nil) { _, done, error in
            calls.add(error == nil)
            done()
        }
        test.store.execute(query)
        _ = await calls.next()
        try await test.begin()
        await test.pulse([100])
        #expect(await calls.next() == true)
        test.store.stop(query)
    }

    @Test func `a statistics collection is updated while the session runs`() async throws {
        let test = TestSession()
        let calls = Calls<Double?>()
        let query = HKStatisticsCollectionQuery(
            quantityType: Self.heartRate, quantitySamplePredicate: nil, options: .discreteAverage,
            anchorDate: TestSession.start, intervalComponents: DateComponents(hour: 1))
        query.initialResultsHandler = { _, collection, _ in calls.add(Self.average(collection)) }
        query.statisticsUpdateHandler = { _, _, collection, _ in calls.add(Self.average(collection)) }
        test.store.execute(query)
        #expect(await calls.next() == .some(nil))
        try await test.begin()
        await test.pulse([110, 110])
        #expect(await calls.next() == 110)
        test.store.stop(query)
    }

    /// hkanchoredobjectquerydescriptor/results(for:) and hkstatisticscollectionquerydescriptor/results(for:):
    /// sequences without an end.
    @Test func `the asynchronous descriptors follow a running session`() async throws {
        let test = TestSession()
        try await test.begin()
        let anchored = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: Self.heartRate)], anchor: nil
        ).results(for: test.store)
        let collections = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: Self.heartRate), options: .discreteMax, anchorDate: TestSession.start,
            intervalComponents: DateComponents(hour: 1)
        ).results(for: test.store)
        await test.pulse([100, 101])
        var rates: [Double] = []
        for try await result in anchored {
            rates += result.addedSamples.rates
            if rates.count == 2 { await test.pulse([102], from: 2) }
            if rates.count == 3 { break }
        }
        #expect(rates == [100, 101, 102])
        for try await result in collections {
            let greatest = result.statisticsCollection.statistics(for: TestSession.start)?.maximumQuantity()
            if greatest?.doubleValue(for: TestSession.perMinute) == 102 { break }
        }
        let whole = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: Self.heartRate), options: .discreteMin
        ).result(for: test.store)
        #expect(whole?.minimumQuantity()?.doubleValue(for: TestSession.perMinute) == 100)
    }

    private static func average(_ collection: HKStatisticsCollection?) -> Double? {
        collection?.statistics(for: TestSession.start)?.averageQuantity()?.doubleValue(for: TestSession.perMinute)
    }

    @Test func `another process finds samples, and its observers are called`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var environment = HealthEnvironment(sensors: [])
        environment.keepData(at: .file(folder.appendingPathComponent("health.sqlite").path))
        let test = TestSession(in: environment)
        try await test.begin()
        // A separate store on the same file sees what another process would. Nothing here knows that the paths name
        // the same file.
        let other = HKHealthStore(
            environment: HealthEnvironment(sensors: []),
            database: SQLiteHealthDatabase(.file(folder.path + "/./health.sqlite")))
        let calls = Calls<Bool>()
        let query = HKObserverQuery(sampleType: Self.heartRate, predicate: nil) { _, done, _ in
            calls.add(true)
            done()
        }
        other.execute(query)
        _ = await calls.next()
        await test.pulse([100, 101])
        // In one group or two.
        var found: [Double] = []
        while found.count < 2 {
            _ = await calls.next()
            found = try await TestSession.heartRates(in: other).rates
        }
        #expect(found == [100, 101])
        other.stop(query)
    }

    /// With one query and no second: what was measured is saved before the query reads.
    @Test func `a query of another process finds the latest measurements`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var environment = HealthEnvironment(sensors: [])
        let location = StoreLocation.file(folder.appendingPathComponent("health.sqlite").path)
        environment.keepData(at: location)
        let test = TestSession(in: environment)
        try await test.begin()
        var other = HealthEnvironment(sensors: [])
        other.keepData(at: location)
        let reader = HKHealthStore(environment: other)
        var sent: [Double] = []
        for round in 0..<5 {
            let at = Double(round * 2)
            await test.pulse([100 + at, 101 + at], from: at)
            sent += [100 + at, 101 + at]
            #expect(try await TestSession.heartRates(in: reader).rates == sent)
        }
        _ = try await test.finish(at: 20)
        #expect(try await TestSession.heartRates(in: reader).rates == sent)
    }

    /// Writing wears out a memory card.
    @Test func `nothing is written to the store while nobody reads it`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var environment = HealthEnvironment(sensors: [])
        environment.longestSampleWait = .never
        let location = StoreLocation.file(folder.appendingPathComponent("health.sqlite").path)
        environment.keepData(at: location)
        let test = TestSession(in: environment)
        try await test.begin()
        await test.pulse(Array(repeating: 100, count: 50))
        let unasked = SQLiteHealthDatabase(location)
        #expect(try unasked.extent(SampleSelection(Self.heartRate)) == nil)
        #expect(try await test.heartRates().count == 50)
        #expect(try unasked.extent(SampleSelection(Self.heartRate)) != nil)
        test.builder.discardWorkout()
        await test.settle()
    }

    @Test func `a sample deleted while the session ran does not return with the workout`() async throws {
        let test = TestSession()
        try await test.begin()
        await test.pulse([100, 101, 102])
        let found = try await test.heartRates()
        try await test.store.delete(found[1])
        await test.pulse([103], from: 3)
        _ = try await test.finish(at: 10)
        #expect(try await test.heartRates().rates == [100, 102, 103])
    }

    @Test func `a sample that the app added and deleted does not return with the workout`() async throws {
        let test = TestSession()
        try await test.begin()
        let added = (0..<3).map { second in
            let rate = HKQuantity(unit: TestSession.perMinute, doubleValue: Double(60 + second))
            let date = TestSession.start + Double(second)
            return HKQuantitySample(type: Self.heartRate, quantity: rate, start: date, end: date)
        }
        try await test.builder.addSamples(added)
        #expect(try await test.heartRates().rates == [60, 61, 62])
        try await test.store.delete(added[1])
        _ = try await test.finish(at: 10)
        #expect(try await test.heartRates().rates == [60, 62])
    }

    /// A strap is identified some moments after its first readings. On a watch, every sample of a session has its
    /// device.
    @Test(arguments: [true, false])
    func `early readings of a session without a workout get their device`(isDiscarded: Bool) async throws {
        let test = TestSession()
        try await test.begin()
        await test.pulse([100, 101], sensor: "s")
        let early = try await test.heartRates()
        #expect(early.map(\.device) == [nil, nil])
        await test.pulse([102], from: 2)
        await test.collect([TestSession.status(of: "s", name: "Strap", at: 3)])
        if isDiscarded { test.builder.discardWorkout() }
        test.session.end()
        await test.settle()
        let stored = try await test.heartRates()
        #expect(stored.map(\.device?.name) == ["Strap", "Strap", nil])
        #expect(stored.prefix(2).map(\.uuid) == early.map(\.uuid))
    }

    /// Rows and figures don't depend on whether anything read them during the session.
    @Test func `a workout is stored the same, whether its samples came early or at its end`() async throws {
        func workout(looking: Bool) async throws -> TestSession {
            let test = TestSession()
            try await test.begin()
            await test.collect([
                SessionEntry(
                    TestSession.start,
                    .sensor(
                        SensorStatus(
                            id: "s", kind: .bluetooth, presence: .present, device: DeviceDescription(name: "Strap"))))
            ])
            for minute in 0..<20 {
                for second in 0..<60 {
                    let at = Double(minute * 60 + second)
                    await test.collect([TestSession.pulse(100 + Double((minute + second) % 40), at: at, sensor: "s")])
                    if looking, second % 20 == 7 { _ = try await test.heartRates() }
                }
                guard minute == 9 else { continue }
                test.time.advance(by: 600)
                test.session.pause()
                await test.settle()
                test.session.resume()
                await test.settle()
            }
            _ = try await test.finish(at: 1300)
            return test
        }
        let (live, late) = (try await workout(looking: true), try await workout(looking: false))
        let (one, other) = (try await live.heartRates(), try await late.heartRates())
        #expect(one.rates == other.rates)
        #expect(one.map(\.startDate) == other.map(\.startDate))
        #expect(one.map(\.device) == other.map(\.device))
        let selection = SampleSelection(Self.heartRate, .all)
        let holds = try (live.store.database.holds(selection), late.store.database.holds(selection))
        #expect(holds.0 == holds.1)
        let statistics = try [live, late].map {
            try $0.store.database.statistics(selection, bounds: .whole, separatingSources: false).first?.total
        }
        #expect(statistics[0] == statistics[1])
        #expect(try live.store.database.checkIntegrity() == [])
    }

    // MARK: Ends without a workout

    /// Apple's documentation of `discardWorkout()`: the workout is not saved, samples that were added stay.
    @Test func `a discarded workout leaves its samples in the store`() async throws {
        let test = TestSession()
        try await test.begin()
        await test.pulse([100, 101])
        let added = HKQuantitySample(
            type: HKQuantityType(.distanceWalkingRunning), quantity: HKQuantity(unit: .meter(), doubleValue: 5),
            start: TestSession.start + 1, end: TestSession.start + 2)
        try await test.builder.addSamples([added])
        test.builder.discardWorkout()
        test.session.end()
        await test.settle()
        #expect(try await test.heartRates().rates == [100, 101])
        #expect(try test.store.database.contains(added.uuid))
        #expect(try !test.store.database.contains(test.session.recorder.id))
    }

    @Test func `samples added to a builder without a session stay when it is discarded`() async throws {
        let store = HKHealthStore(environment: HealthEnvironment(sensors: []))
        let builder = HKWorkoutBuilder(healthStore: store, configuration: HKWorkoutConfiguration(), device: nil)
        try await builder.beginCollection(at: TestSession.start)
        let added = HKQuantitySample(
            type: Self.heartRate, quantity: HKQuantity(unit: TestSession.perMinute, doubleValue: 80),
            start: TestSession.start + 1, end: TestSession.start + 1)
        try await builder.addSamples([added])
        builder.discardWorkout()
        _ = await builder.recorder.log
        #expect(try await TestSession.heartRates(in: store).map(\.uuid) == [added.uuid])
    }

    @Test func `a session that ends without a finished workout leaves its samples in the store`() async throws {
        let test = TestSession()
        try await test.begin()
        await test.pulse([100, 101])
        test.session.end()
        await test.settle()
        #expect(try await test.heartRates().rates == [100, 101])
    }

    @Test func `discarding a recording keeps nothing of it`() async throws {
        let test = TestSession()
        try await test.begin()
        await test.pulse([100, 101])
        #expect(try await test.heartRates().count == 2)
        await test.pulse([102], from: 2)
        test.builder.discardWorkoutAndSamples()
        await test.settle()
        #expect(try await test.heartRates().isEmpty)
    }

    // MARK: Samples that must not be stored

    @Test func `a session whose workout is not kept stores nothing`() async throws {
        var environment = HealthEnvironment(sensors: [])
        environment.keepsWorkouts = false
        let test = TestSession(in: environment)
        try await test.begin()
        await test.pulse([100])
        #expect(try await test.heartRates().isEmpty)
        test.builder.discardWorkout()
        await test.settle()
        #expect(try await test.heartRates().isEmpty)
    }

    @Test func `samples of a locked device wait until it is unlocked`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var environment = HealthEnvironment(sensors: [])
        environment.keepData(at: .file(folder.appendingPathComponent("health.sqlite").path))
        environment.conditions = .success([.locked])
        let test = TestSession(in: environment)
        try await test.begin()
        await test.pulse([100, 101])
        test.builder.discardWorkout()
        await test.settle()
        environment.conditions = .success([])
        let unlocked = HKHealthStore(environment: environment)
        #expect(try await TestSession.heartRates(in: unlocked).rates == [100, 101])
    }
}
