import Foundation
import HealthKit
import HealthKitTesting
import Testing

/// Apple's documentation of live workout builders. Paths are those below developer.apple.com/documentation/healthkit.
@Suite(.healthKit(sensors: .script, authorization: .allowedBefore, clock: .byHand)) struct LiveBuilderTests {
    private static let energy = HKQuantityType(.activeEnergyBurned)

    private static func bpm(_ statistics: HKStatistics?) -> Double? {
        statistics?.averageQuantity()?.doubleValue(for: WatchWorkout.beats)
    }

    /// hkliveworkoutbuilderdelegate/workoutbuilder(_:didcollectdataof:): new data has been added to the builder.
    @Test func `statistics contain the data when the delegate is called`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        try await workout.begin()
        for heartRate in [120, 130, 125] { try await world.strap.send(heartRate: heartRate) }
        #expect(workout.heartRates == [120, 130, 125])
        #expect(world.calls.filter { $0 == .didCollectData(of: [WatchWorkout.heartRate]) }.count == 3)
    }

    /// hkliveworkoutbuilder/datasource: the data source provides the live data.
    @Test func `without a data source nothing is collected from sensors`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout(collects: false)
        try await workout.begin()
        try await world.strap.send(heartRate: 120)
        await world.settle()
        #expect(workout.heartRates.isEmpty)
        #expect(workout.builder.allStatistics.isEmpty)
    }

    /// hkliveworkoutdatasource/typestocollect: they depend on the configuration. WWDC 2018, session 707: those of an outdoor run.
    @Test func `a data source begins with the types of the activity`() {
        let store = HKHealthStore()
        func types(_ activity: HKWorkoutActivityType) -> Set<HKQuantityType> {
            HKLiveWorkoutDataSource(
                healthStore: store, workoutConfiguration: WatchWorkout.configuration(activity)
            ).typesToCollect
        }
        let common: Set = [WatchWorkout.heartRate, Self.energy, HKQuantityType(.basalEnergyBurned)]
        #expect(types(.running).isSuperset(of: common.union([HKQuantityType(.distanceWalkingRunning)])))
        #expect(types(.cycling).isSuperset(of: common.union([HKQuantityType(.distanceCycling)])))
        #expect(!types(.cycling).contains(HKQuantityType(.distanceWalkingRunning)))
        #expect(types(.swimming).contains(HKQuantityType(.distanceSwimming)))
        #expect(HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil).typesToCollect.isEmpty)
    }

    /// hkliveworkoutdatasource/enablecollection(for:predicate:): statistics of the samples that match.
    @Test func `a predicate of the data source selects the samples`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        let high = HKQuery.predicateForQuantitySamples(
            with: .greaterThan, quantity: HKQuantity(unit: WatchWorkout.beats, doubleValue: 150))
        workout.builder.dataSource?.enableCollection(for: WatchWorkout.heartRate, predicate: high)
        try await workout.begin()
        for heartRate in [120, 160, 130, 170] {
            try await world.strap.send(heartRate: heartRate)
            try await world.advance(by: .seconds(1))
        }
        let statistics = try #require(workout.builder.statistics(for: WatchWorkout.heartRate))
        #expect(statistics.minimumQuantity()?.doubleValue(for: WatchWorkout.beats) == 160)
        #expect(workout.latestHeartRate() == 170)
    }

    /// hkliveworkoutdatasource/disablecollection(for:): no more statistics of the type.
    @Test func `a disabled type is no longer collected`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        try await workout.begin()
        try await world.strap.send(heartRate: 120)
        let source = try #require(workout.builder.dataSource)
        source.disableCollection(for: WatchWorkout.heartRate)
        #expect(!source.typesToCollect.contains(WatchWorkout.heartRate))
        try await world.strap.send(heartRate: 150)
        #expect(workout.latestHeartRate() == 120)
    }

    /// hkworkout/workoutevents: the duration is the active time between start and end. hkworkoutbuilder/elapsedtime(at:).
    @Test func `pauses do not count towards the duration`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        try await workout.begin()
        try await world.advance(by: .seconds(10))
        workout.session.pause()
        await world.settle()
        try await world.advance(by: .seconds(20))
        #expect(workout.builder.elapsedTime == 10)
        workout.session.resume()
        await world.settle()
        try await world.advance(by: .seconds(5))
        #expect(workout.builder.elapsedTime == 15)
        let finished = try #require(try await workout.finish())
        #expect(finished.duration == 15)
        #expect(finished.endDate.timeIntervalSince(finished.startDate) == 35)
        #expect(finished.workoutEvents?.map(\.type) == [.pause, .resume])
    }

    /// hkliveworkoutbuilder/shouldcollectworkoutevents: true by default; false leaves the session's events out.
    @Test(arguments: [true, false]) func `the session's events are added to the workout if the app wants them`(
        _ collects: Bool
    ) async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        #expect(workout.builder.shouldCollectWorkoutEvents)
        workout.builder.shouldCollectWorkoutEvents = collects
        try await workout.begin()
        workout.session.pause()
        workout.session.resume()
        await world.settle()
        #expect(workout.builder.workoutEvents.map(\.type) == (collects ? [.pause, .resume] : []))
        #expect(world.calls.contains(.didCollectEvent) == collects)
    }

    /// hkworkoutbuilder/addworkoutevents(_:completion:) and hkworkoutevent: laps, segments and markers are the app's.
    @Test func `events that the app adds are part of the workout`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        try await workout.begin()
        let start = try #require(workout.session.startDate)
        try await world.advance(by: .seconds(60))
        let lap = HKWorkoutEvent(
            type: .lap, dateInterval: DateInterval(start: start, end: world.now), metadata: ["lane": 4])
        try await world.advance(by: .seconds(30))
        let marker = HKWorkoutEvent(
            type: .marker, dateInterval: DateInterval(start: world.now, duration: 0), metadata: nil)
        try await workout.builder.addWorkoutEvents([lap, marker])
        let finished = try #require(try await workout.finish())
        #expect(finished.workoutEvents?.map(\.type) == [.lap, .marker])
        #expect(finished.workoutEvents?.first?.dateInterval == lap.dateInterval)
        #expect(finished.workoutEvents?.first?.metadata?["lane"] as? Int == 4)
    }

    /// hkworkoutevent: a pause in a pause, and a resumption without one, are ignored.
    @Test func `a second pause during a pause changes nothing`() async throws {
        let store = HKHealthStore()
        let builder = HKWorkoutBuilder(
            healthStore: store, configuration: WatchWorkout.configuration(.running), device: nil)
        let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
        try await builder.beginCollection(at: start)
        let events: [(HKWorkoutEventType, Double)] = [(.resume, 5), (.pause, 10), (.pause, 20), (.resume, 30)]
        for (type, seconds) in events {
            let moment = DateInterval(start: start + seconds, duration: 0)
            try await builder.addWorkoutEvents([HKWorkoutEvent(type: type, dateInterval: moment, metadata: nil)])
        }
        try await builder.endCollection(at: start + 60)
        #expect(try await builder.finishWorkout()?.duration == 40)
    }

    /// hkworkoutbuilder/finishworkout(completion:): collection has to be ended first, and the workout is saved with its samples.
    @Test func `a workout is finished after its collection, and stored with its samples`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        try await workout.begin()
        try await world.strap.send(heartRate: 120)
        try await world.advance(by: .seconds(1))
        try await world.watch.send(activeEnergyInKilocalories: 2)
        let early = await #expect(throws: HKError.self) { try await workout.builder.finishWorkout() }
        #expect(early?.code == .errorInvalidArgument)
        let finished = try #require(try await workout.finish())
        let own = HKQuery.predicateForObjects(from: finished)
        let rates = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: WatchWorkout.heartRate, predicate: own)], sortDescriptors: []
        ).result(for: workout.store)
        #expect(rates.map { $0.quantity.doubleValue(for: WatchWorkout.beats) } == [120])
        #expect(Self.bpm(finished.statistics(for: WatchWorkout.heartRate)) == 120)
        let total = finished.statistics(for: Self.energy)?.sumQuantity()
        #expect(total == HKQuantity(unit: .kilocalorie(), doubleValue: 2))
        let all = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: [])
            .result(for: workout.store)
        #expect(all.map(\.uuid) == [finished.uuid])
    }

    /// hkworkoutbuilder/begincollection(withstart:completion:): it begins the workout, so nothing can be added before.
    @Test func `nothing is added before the collection, which begins only once`() async throws {
        let workout = try WatchWorkout()
        let now = Date()
        let sample = HKQuantitySample(
            type: Self.energy, quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 1), start: now, end: now)
        #expect(workout.builder.startDate == nil)
        await #expect(throws: HKError.self) { try await workout.builder.addSamples([sample]) }
        try await workout.begin()
        await #expect(throws: HKError.self) { try await workout.builder.beginCollection(at: now) }
        #expect(workout.builder.startDate == workout.session.startDate)
        #expect(workout.builder.endDate == nil)
    }

    /// hkworkoutbuilder/metadata: what the builder saves with the workout.
    @Test func `added metadata becomes the workout's, and the last value of a key counts`() async throws {
        let workout = try WatchWorkout()
        try await workout.begin()
        try await workout.builder.addMetadata([HKMetadataKeyGroupFitness: false, "coach": "Ada"])
        try await workout.builder.addMetadata([HKMetadataKeyGroupFitness: true])
        #expect(workout.builder.metadata["coach"] as? String == "Ada")
        let finished = try #require(try await workout.finish())
        #expect(finished.metadata?[HKMetadataKeyGroupFitness] as? Bool == true)
        #expect(finished.metadata?["coach"] as? String == "Ada")
    }

    /// hkworkoutbuilder/discardworkout(): stops the collection, and saves no workout.
    @Test func `a discarded workout is not saved and no longer collects`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        try await workout.begin()
        try await world.strap.send(heartRate: 120)
        workout.builder.discardWorkout()
        await world.settle()
        #expect(try world.savedWorkouts.isEmpty)
        await #expect(throws: HKError.self) { try await workout.builder.endCollection(at: Date()) }
    }

    /// hkworkoutbuilder/finishworkout(completion:): neither a workout nor an error on a locked device: it is saved and cannot be read.
    @Test(.healthKit(sensors: .script, authorization: .allowedBefore, store: .file, clock: .byHand))
    func `a workout finished on a locked device is saved but not returned`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        try await workout.begin()
        try await world.strap.send(heartRate: 120)
        world.device = [.locked]
        #expect(try await workout.finish() == nil)
        world.device = []
        let all = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: [])
            .result(for: workout.store)
        #expect(all.count == 1)
    }
}
