import Analytics
import Engine
import Foundation
import HealthKit
import HealthStore
import SessionLog
import Synchronization
import Testing

/// Zones of heart rate and power: definitions, live updates, and the zones of stored workouts.
@Suite struct WorkoutZonesTests {
    private let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
    private let beatsPerMinute = HKUnit.count().unitDivided(by: .minute())
    private let heartRate = HKQuantityType(.heartRate)
    private let power = HKQuantityType(.cyclingPower)

    private func quantities(_ values: [Double], _ unit: HKUnit) -> [HKQuantity] {
        values.map { HKQuantity(unit: unit, doubleValue: $0) }
    }

    private func zones(_ bounds: [Double] = [100, 120, 140]) throws -> HKWorkoutZoneConfiguration {
        try HKWorkoutZoneConfiguration(quantityType: heartRate, zoneBoundaries: quantities(bounds, beatsPerMinute))
    }

    private func sample(_ type: HKQuantityType, _ unit: HKUnit, _ value: Double, at seconds: Double) -> HKQuantitySample
    {
        HKQuantitySample(
            type: type, quantity: HKQuantity(unit: unit, doubleValue: value), start: start + seconds,
            end: start + seconds)
    }

    private func store(_ profile: StoredProfile? = nil) throws -> (HKHealthStore, ManualTime) {
        let time = ManualTime(start)
        let environment = HealthEnvironment(sensors: [], time: time)
        if let profile { try environment.database.store(profile) }
        return (HKHealthStore(environment: environment), time)
    }

    private func configuration(_ activity: HKWorkoutActivityType = .cycling) -> HKWorkoutConfiguration {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        return configuration
    }

    // MARK: Definitions

    @Test func `zones follow each other without gaps, and the outer ones have no outer bound`() throws {
        let zones = try zones()
        #expect(zones.quantityType == heartRate && zones.source == .app)
        #expect(zones.zones.map(\.index) == [0, 1, 2, 3])
        #expect(zones.zones.map { $0.minimum?.doubleValue(for: beatsPerMinute) } == [nil, 100, 120, 140])
        #expect(zones.zones.map { $0.maximum?.doubleValue(for: beatsPerMinute) } == [100, 120, 140, nil])
        let perSecond = HKUnit.count().unitDivided(by: .second())
        let same = try HKWorkoutZoneConfiguration(
            quantityType: heartRate, zoneBoundaries: quantities([100, 120, 140].map { $0 / 60 }, perSecond))
        #expect(same.zones.count == 4)
        #expect(try zones == self.zones() && zones != self.zones([90]))
    }

    @Test(arguments: [[], [0, 100], [120, 100], [100, 100], [-1], [.infinity], [.nan]] as [[Double]])
    func `boundaries that do not rise from above zero are an error`(bounds: [Double]) {
        #expect(throws: HKError.self) { try zones(bounds) }
    }

    @Test func `other types, and boundaries in another unit, are an error`() {
        #expect(throws: HKError.self) {
            try HKWorkoutZoneConfiguration(
                quantityType: HKQuantityType(.stepCount), zoneBoundaries: quantities([10], .count()))
        }
        #expect(throws: HKError.self) {
            try HKWorkoutZoneConfiguration(quantityType: heartRate, zoneBoundaries: quantities([100], .watt()))
        }
    }

    // MARK: A session

    private final class Delegate: NSObject, HKLiveWorkoutBuilderDelegate {
        let updates = Mutex<[HKLiveWorkoutZoneUpdate]>([])

        func workoutBuilder(_ builder: HKLiveWorkoutBuilder, didCollectDataOf types: Set<HKSampleType>) {}
        func workoutBuilderDidCollectEvent(_ builder: HKLiveWorkoutBuilder) {}
        func workoutBuilder(_ builder: HKLiveWorkoutBuilder, didUpdateWorkoutZone zoneUpdate: HKLiveWorkoutZoneUpdate) {
            updates.withLock { $0.append(zoneUpdate) }
        }
    }

    @Test func `a session calls its delegate for each change of zone, and its workout has the time in each`()
        async throws
    {
        let (store, time) = try store()
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration())
        let builder = session.associatedWorkoutBuilder()
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration())
        let delegate = Delegate()
        builder.delegate = delegate
        try await builder.setCustomZoneConfiguration(try zones(), for: heartRate)
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        #expect(builder.zoneGroup(for: heartRate) == nil)
        for (seconds, value) in [(0, 90), (10, 99), (20, 100), (30, 119), (40, 150)] as [(Double, Double)] {
            if seconds > 0 { time.advance(by: 10) }
            let date = start + seconds
            let reading = QuantityReading("heartRate", value, unit: "count/min", start: date, end: date)
            await session.recorder.collect([SessionEntry(date, .quantity(reading))])
        }
        time.advance(by: 5)
        #expect(builder.zoneGroup(for: heartRate)?.zoneDurations.map(\.duration) == [20, 20, 0, 5])
        session.pause()
        _ = await session.recorder.log
        time.advance(by: 15)
        session.resume()
        _ = await session.recorder.log
        time.advance(by: 10)
        session.stopActivity(with: nil)
        _ = await session.recorder.log
        try await builder.endCollection(at: start + 70)
        let workout = try #require(try await builder.finishWorkout())
        let updates = delegate.updates.withLock { $0 }
        #expect(updates.map { $0.previousZoneDuration?.zone.index } == [nil, 0, 1])
        #expect(updates.map { $0.currentZoneDuration?.zone.index } == [0, 1, 3])
        #expect(updates.map { $0.previousZoneDuration?.duration } == [nil, 20, 20])
        #expect(updates.last?.lastSampleProcessedDate == start + 40)
        #expect(updates.last?.zoneGroup?.configuration == (try zones()))
        let group = try #require(workout.zoneGroup(for: heartRate))
        #expect(group.configuration.source == .app)
        // The pause ended the last value's time.
        #expect(group.zoneDurations.map(\.duration) == [20, 20, 0, 5])
        #expect(workout.workoutActivities.first?.zoneGroupsByType == workout.zoneGroupsByType)
        #expect(workout.zoneGroup(for: power) == nil)

        let query = HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: [])
        let stored = try #require(try await query.result(for: store).first)
        #expect(stored.zoneGroupsByType == workout.zoneGroupsByType)
        #expect(stored.workoutActivities.first?.zoneGroupsByType == workout.zoneGroupsByType)
        let archive = try NSKeyedArchiver.archivedData(withRootObject: stored, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKWorkout.self, from: archive)
        #expect(read?.zoneGroupsByType == workout.zoneGroupsByType)
    }

    @Test func `zones can be set until collection begins, and are removed by nil`() async throws {
        let (store, _) = try store()
        let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration(), device: nil)
        #expect(try await builder.zoneConfiguration(for: heartRate) == nil)
        try await builder.setCustomZoneConfiguration(try zones(), for: heartRate)
        #expect(try await builder.zoneConfiguration(for: heartRate) == zones())
        try await builder.setCustomZoneConfiguration(nil, for: heartRate)
        #expect(try await builder.zoneConfiguration(for: heartRate) == nil)
        await #expect(throws: HKError.self) { try await builder.setCustomZoneConfiguration(zones(), for: power) }
        await #expect(throws: HKError.self) {
            try await builder.setCustomZoneConfiguration(nil, for: HKQuantityType(.stepCount))
        }
        try await builder.beginCollection(at: start)
        await #expect(throws: HKError.self) { try await builder.setCustomZoneConfiguration(zones(), for: heartRate) }
    }

    // MARK: The profile

    private var profile: StoredProfile {
        var profile = StoredProfile()
        profile.maximumHeartRate = 200
        profile.thresholdPowerInWatts = 200
        return profile
    }

    @Test func `the preferred zones are those of the profile, and nil without one`() async throws {
        let (empty, _) = try store()
        #expect(try await empty.preferredWorkoutZoneConfiguration(for: heartRate) == nil)
        let (computed, _) = try store(profile)
        let system = try #require(try await computed.preferredWorkoutZoneConfiguration(for: heartRate))
        #expect(system.source == .system)
        #expect(system.zones.compactMap { $0.maximum?.doubleValue(for: beatsPerMinute) } == [120, 140, 160, 180])
        #expect(try await computed.preferredWorkoutZoneConfiguration(for: power) == nil)
        var own = profile
        own.heartRateZones = [DatedZones(try #require(HeartRateZoneDefinition("110,130,150")))]
        own.powerZones = [DatedMotionZones(try #require(MotionZoneDefinition("100,150,250 W")))]
        let (user, _) = try store(own)
        let heart = try #require(try await user.preferredWorkoutZoneConfiguration(for: heartRate))
        #expect(heart.source == .user)
        #expect(heart.zones.compactMap { $0.maximum?.doubleValue(for: beatsPerMinute) } == [130, 150])
        let watts = try #require(try await user.preferredWorkoutZoneConfiguration(for: power))
        #expect(watts.source == .user)
        #expect(watts.zones.compactMap { $0.maximum?.doubleValue(for: .watt()) } == [150, 250])
        #expect(try await user.preferredWorkoutZoneConfiguration(for: HKQuantityType(.stepCount)) == nil)
    }

    @Test func `a builder without a session counts the time in the preferred zones of each activity`() async throws {
        var own = profile
        own.powerZones = [DatedMotionZones(try #require(MotionZoneDefinition("100,150,250 W")))]
        let (store, _) = try store(own)
        let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration(.swimBikeRun), device: nil)
        try await builder.beginCollection(at: start)
        let swim = HKWorkoutActivity(
            workoutConfiguration: configuration(.swimming), start: start, end: nil, metadata: nil)
        try await builder.addWorkoutActivity(swim)
        try await builder.addSamples([
            sample(heartRate, beatsPerMinute, 130, at: 0), sample(power, .watt(), 0, at: 5),
            sample(heartRate, beatsPerMinute, 170, at: 20),
        ])
        try await builder.updateActivity(uuid: swim.uuid, end: start + 30)
        let ride = HKWorkoutActivity(
            workoutConfiguration: configuration(), start: start + 30, end: nil, metadata: nil)
        try await builder.addWorkoutActivity(ride)
        try await builder.addSamples([
            sample(heartRate, beatsPerMinute, 190, at: 40), sample(power, .watt(), 300, at: 40),
        ])
        try await builder.updateActivity(uuid: ride.uuid, end: start + 60)
        try await builder.endCollection(at: start + 60)
        let workout = try #require(try await builder.finishWorkout())
        func seconds(_ groups: [HKQuantityType: HKWorkoutZoneGroup]?, _ type: HKQuantityType) -> [TimeInterval]? {
            groups?[type]?.zoneDurations.map(\.duration)
        }
        #expect(seconds(workout.zoneGroupsByType, heartRate) == [0, 20, 0, 20, 20])
        // Coasting is in the first zone, for as long as a value holds.
        #expect(seconds(workout.zoneGroupsByType, power) == [30, 0, 20])
        let parts = workout.workoutActivities
        #expect(seconds(parts[0].zoneGroupsByType, heartRate) == [0, 20, 0, 10, 0])
        #expect(seconds(parts[1].zoneGroupsByType, heartRate) == [0, 0, 0, 10, 20])
        #expect(seconds(parts[0].zoneGroupsByType, power) == [25, 0, 0])
        #expect(seconds(parts[1].zoneGroupsByType, power) == [5, 0, 20])
    }

    @Test func `a workout without zones has none`() async throws {
        let (store, _) = try store()
        let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration(), device: nil)
        try await builder.beginCollection(at: start)
        try await builder.addSamples([sample(heartRate, beatsPerMinute, 130, at: 0)])
        #expect(builder.zoneGroup(for: heartRate) == nil)
        try await builder.endCollection(at: start + 60)
        let workout = try #require(try await builder.finishWorkout())
        #expect(workout.zoneGroupsByType == nil && workout.workoutActivities.first?.zoneGroupsByType == nil)
    }
}
