import CoreLocation
import Foundation
import HealthKit
import HealthKitTesting
import Testing

@Suite struct HealthKitWorldTests {
    private static let mass = HKQuantityType(.bodyMass)
    private static let heartRate = HKQuantityType(.heartRate)
    private static let beats = HKUnit.count().unitDivided(by: .minute())

    private static func sample(_ kilograms: Double = 70) -> HKQuantitySample {
        let now = Date()
        return HKQuantitySample(
            type: mass, quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms), start: now, end: now
        )
    }

    /// The log's entries about the strap, in seconds since the workout began.
    private static func presence(_ world: HealthKitWorld) async throws -> [[LogEntry.Value]] {
        let entries = try await world.entries()
        let start = entries.first { $0["state"] == "running" }?.date ?? .distantPast
        return entries.compactMap { entry in
            entry["presence"].map { [$0, .number(entry.date.timeIntervalSince(start))] }
        }
    }

    private static func read(_ store: HKHealthStore) async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(predicates: [.quantitySample(type: mass)], sortDescriptors: [])
            .result(for: store)
    }

    // MARK: Permissions

    @Test(
        .healthKit(
            authorization: .allowingPast(days: 30), clock: .byHand(from: Date(timeIntervalSince1970: 1_700_000_000))))
    func `the person allows the past 30 days, more later, and everything in the end`() async throws {
        let world = try HealthKitWorld.current
        let store = HKHealthStore()
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let samples = [29.0, 31, 50].map { days in
            let date = now - days * 86400
            return HKQuantitySample(
                type: Self.mass, quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 70), start: date,
                end: date)
        }
        try world.place(samples, from: "scale")
        try await store.requestAuthorization(toShare: [], read: [Self.mass])
        #expect(try await store.earliestAuthorizedSampleDate(for: [Self.mass]) == [Self.mass: now - 30 * 86400])
        #expect(try await Self.read(store).count == 1)
        world.limitReading(of: [Self.mass], from: now - 40 * 86400)
        #expect(try await Self.read(store).count == 2)
        world.allow(read: [Self.mass])
        #expect(try await store.earliestAuthorizedSampleDate(for: [Self.mass]) == [:])
        #expect(try await Self.read(store).count == 3)
    }

    @Test(.healthKit(authorization: .allowing(share: [HKQuantityType(.bodyMass)], read: [])))
    func `the person allows some types, denies others and changes their mind`() async throws {
        let world = try HealthKitWorld.current
        let store = HKHealthStore()
        try await store.requestAuthorization(toShare: [Self.mass, .workoutType()], read: [Self.mass])
        #expect(store.authorizationStatus(for: Self.mass) == .sharingAuthorized)
        #expect(store.authorizationStatus(for: .workoutType()) == .sharingDenied)
        try world.place([Self.sample(1)], from: "scale")
        #expect(try await Self.read(store).isEmpty)
        world.allow(read: [Self.mass])
        #expect(try await Self.read(store).count == 1)
        world.refuse(share: [Self.mass])
        let error = await #expect(throws: HKError.self) { try await store.save(Self.sample()) }
        #expect(error?.code == .errorAuthorizationDenied)
        world.forgetAnswers(share: [Self.mass])
        #expect(store.authorizationStatus(for: Self.mass) == .notDetermined)
        #expect(world.authorizationRequests == [.init(share: [Self.mass, .workoutType()], read: [Self.mass])])
    }

    // MARK: The device

    @Test(.healthKit(authorization: .allowedBefore, store: .file))
    func `a locked device keeps saved data until it is unlocked`() async throws {
        let world = try HealthKitWorld.current
        let store = HKHealthStore()
        world.device = [.locked]
        try await store.save(Self.sample())
        let error = await #expect(throws: HKError.self) { try await Self.read(store) }
        #expect(error?.code == .errorDatabaseInaccessible)
        world.device = []
        #expect(try await Self.read(store).count == 1)
    }

    // MARK: Faults

    @Test(.healthKit(sensors: .script, authorization: .allow, clock: .byHand))
    func `a workout that a full disk refused is stored when there is space`() async throws {
        let world = try HealthKitWorld.current
        world.storeIsFull = true
        let app = TestedApp()
        app.start()
        try await world.strap.send(heartRate: 120)
        app.stop()
        try await world.until { app.failure != nil }
        #expect((app.failure as? HKError)?.code == .errorDatabaseInaccessible)
        #expect(try world.savedWorkouts.isEmpty)
        world.storeIsFull = false
        let builder = try #require(app.session?.associatedWorkoutBuilder())
        #expect(try await builder.finishWorkout() != nil)
        #expect(try world.savedWorkouts.count == 1)
    }

    @Test(.healthKit(authorization: .allowedBefore)) func `as many saves and queries fail as the test requests`()
        async throws
    {
        let world = try HealthKitWorld.current
        let store = HKHealthStore()
        world.failSaves(2, with: .unknownError)
        for _ in 1...2 {
            let error = await #expect(throws: HKError.self) { try await store.save(Self.sample()) }
            #expect(error?.code == .unknownError)
        }
        try await store.save(Self.sample())
        world.failQueries()
        await #expect(throws: HKError.self) { try await Self.read(store) }
        #expect(try await Self.read(store).count == 1)
    }

    // MARK: The strap and the clock

    @Test(.healthKit(sensors: .script, clock: .byHand(from: Date(timeIntervalSince1970: 1_700_000_000))))
    func `a strap follows the test, on a clock that the test advances`() async throws {
        let world = try HealthKitWorld.current
        let app = TestedApp()
        app.start()
        for heartRate in [120, 130, 140] {
            try await world.strap.send(heartRate: heartRate)
            try await world.advance(by: .seconds(1))
        }
        #expect(app.heartRates == [120, 130, 140])
        try await world.strap.takeOff()
        try await world.advance(by: .seconds(60))
        try await world.strap.send(heartRate: 300)
        try await world.strap.send(heartRate: 301)
        #expect(app.heartRates == [120, 130, 140, 300])
        try await world.advance(by: .seconds(7))
        app.stop()
        let workout = try #require(try await world.finished())
        #expect(workout.startDate == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(workout.duration == 70)
        // 300 bpm is possible; 301 bpm is logged and counted nowhere.
        #expect(workout.statistics(for: Self.heartRate)?.maximumQuantity()?.doubleValue(for: Self.beats) == 300)
        let presence = try await Self.presence(world)
        #expect(presence == [["away", 0], ["present", 0], ["away", 3], ["present", 63], ["away", 68]])
    }

    @Test(.healthKit(sensors: .script, authorization: .allowedBefore, clock: .byHand))
    func `a workout begins at the exact date that the app passes, with its first sample`() async throws {
        let world = try HealthKitWorld.current
        let store = HKHealthStore()
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
        // After the start of the world, by the machine's clock.
        let before = world.now
        try await world.until { Date() > before }
        let start = Date()
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        try await world.strap.send(heartRate: 120)
        try await world.advance(by: .seconds(10))
        try await world.strap.send(heartRate: 130)
        session.stopActivity(with: Date())
        try await builder.endCollection(at: Date())
        let workout = try #require(try await builder.finishWorkout())
        #expect(session.startDate == start)
        #expect(workout.startDate == start)
        #expect(workout.duration == 10)
        let predicate = HKQuery.predicateForSamples(withStart: start, end: nil, options: .strictStartDate)
        let rates = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: Self.heartRate, predicate: predicate)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        #expect(rates.map(\.startDate) == [start, start + 10])
    }

    @Test(
        .healthKit(sensors: .script, authorization: .allowedBefore, clock: .byHand, profile: HealthKitWorldTests.wearer)
    )
    func `a watch measures beside the strap`() async throws {
        let world = try HealthKitWorld.current
        let app = TestedApp()
        app.start(.cycling)
        try await world.strap.send(heartRate: 118)
        let source = app.session?.associatedWorkoutBuilder().dataSource
        source?.enableCollection(for: HKQuantityType(.cyclingPower), predicate: nil)
        for second in 1...3 {
            try await world.advance(by: .seconds(1))
            try await world.watch.send(
                heartRate: 120, distanceInMeters: 8, cadencePerMinute: 90, powerInWatts: 200,
                activeEnergyInKilocalories: 0.2,
                location: CLLocation(latitude: 47 + Double(second) / 10_000, longitude: 8))
        }
        try await world.watch.send(
            HKQuantity(unit: .meter(), doubleValue: 6), of: HKQuantityType(.distanceCycling), over: .seconds(1))
        let error = await #expect(throws: WorldError.self) {
            try await world.watch.send(HKQuantity(unit: .watt(), doubleValue: 6), of: HKQuantityType(.distanceCycling))
        }
        #expect(error?.description.contains("HKQuantityTypeIdentifierDistanceCycling") == true)
        app.stop()
        let workout = try #require(try await world.finished())
        let figures = workout.allStatistics
        #expect(figures[HKQuantityType(.distanceCycling)]?.sumQuantity() == HKQuantity(unit: .meter(), doubleValue: 30))
        #expect(
            figures[HKQuantityType(.cyclingPower)]?.averageQuantity() == HKQuantity(unit: .watt(), doubleValue: 200))
        let cadence = HKQuantity(unit: Self.beats, doubleValue: 90)
        #expect(figures[HKQuantityType(.cyclingCadence)]?.averageQuantity() == cadence)
        // The energy of the strap's first heart rate is an estimate; from then on the watch measures it.
        let energy = figures[HKQuantityType(.activeEnergyBurned)]?.sumQuantity()?.doubleValue(for: .kilocalorie())
        #expect(abs((energy ?? 0) - 0.6) < 0.2)
        let own = HKQuery.predicateForObjects(from: [HKDevice.local()])
        let rates = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: Self.heartRate, predicate: own)], sortDescriptors: []
        ).result(for: app.healthStore)
        #expect(rates.map { $0.quantity.doubleValue(for: Self.beats) } == [120, 120, 120])
        let routes = try await HKSampleQueryDescriptor(predicates: [.workoutRoute()], sortDescriptors: [])
            .result(for: app.healthStore)
        #expect(routes.map(\.count) == [3])
    }

    private static let wearer = HealthKitWorld.Profile(
        biologicalSex: .male, dateOfBirth: DateComponents(year: 1980, month: 1, day: 1), massInKilograms: 75)

    @Test(.healthKit(sensors: .script, clock: .byHand)) func `a strap that is silent for five seconds is away`()
        async throws
    {
        let world = try HealthKitWorld.current
        let app = TestedApp()
        app.start()
        try await world.strap.send(heartRate: 120)
        try await world.advance(by: .seconds(4))
        let early = try await Self.presence(world)
        #expect(early == [["away", 0], ["present", 0]])
        try await world.strap.reportBattery(percent: 7)
        try await world.advance(by: .seconds(3))
        try await world.strap.loseLink()
        app.stop()
        try await world.finished()
        let presence = try await Self.presence(world)
        #expect(presence == [["away", 0], ["present", 0], ["present", 4], ["away", 5]])
        let battery = try await world.entries().compactMap { $0["battery"] }
        // The battery of an absent strap stays known.
        #expect(battery == [7, 7])
    }

    @Test(.healthKit(sensors: .replay("Recordings/intervals.jsonl", speed: 1), clock: .byHand))
    func `a recording in real time advances with the clock`() async throws {
        let world = try HealthKitWorld.current
        let app = TestedApp()
        app.start()
        try await world.until { app.session?.state == .running }
        await world.settle()
        try await world.advance(by: .seconds(30))
        #expect(app.heartRates.count >= 29 && app.heartRates.count <= 31)
        #expect(app.workout == nil)
    }

    @Test(.healthKit(sensors: .replay("Recordings/intervals.jsonl", speed: 1), clock: .speed(20_000)))
    func `a faster clock plays a recording faster, with the same workout`() async throws {
        let app = TestedApp()
        app.start()
        let workout = try #require(try await HealthKitWorld.current.finished())
        #expect(workout.duration == 1140)
    }

    // MARK: The end

    @Test(.healthKit(sensors: .none)) func `a wait that never ends reports its progress`() async throws {
        let world = try HealthKitWorld.current
        let none = await #expect(throws: WorldError.self) { try await world.finished(within: .milliseconds(1)) }
        #expect(none?.description.contains("The app has begun none.") == true)
        let app = TestedApp()
        app.start()
        try await world.until { app.session?.state == .running }
        let error = await #expect(throws: WorldError.self) { try await world.finished(within: .milliseconds(1)) }
        #expect(error?.description.contains("the session is running") == true)
        app.session?.associatedWorkoutBuilder().discardWorkout()
        let discarded = await #expect(throws: WorldError.self) { try await world.finished() }
        #expect(discarded?.description.contains("discarded") == true)
    }

    // MARK: The store

    @Test func `a copied store belongs to the test`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("copied-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("health.sqlite")
        try SQLiteHealthDatabase(.file(file.path)).save([Self.sample(1)], from: .current)
        try await HealthKitWorld.run(.init(authorization: .allowedBefore, store: .copy(of: file.path))) {
            let store = HKHealthStore()
            #expect(try await Self.read(store).count == 1)
            try await store.save(Self.sample(2))
            #expect(try HealthKitWorld.current.saved.count == 1)
            #expect(try await Self.read(store).count == 2)
        }
        #expect(
            try SQLiteHealthDatabase(.file(file.path)).changes([SampleSelection(Self.mass)], after: 0, limit: nil).added
                .count == 1)
    }

    @Test(.healthKit(profile: .init(biologicalSex: .female, massInKilograms: 62)))
    func `the test decides who the wearer is`() async throws {
        let store = HKHealthStore()
        try await store.requestAuthorization(
            toShare: [], read: [HKCharacteristicType(.biologicalSex), HKCharacteristicType(.dateOfBirth)])
        #expect(try store.biologicalSex().biologicalSex == .female)
        #expect(throws: HKError.self) { try store.dateOfBirthComponents() }
        try HealthKitWorld.current.setProfile(.init(dateOfBirth: DateComponents(year: 1990, month: 4, day: 1)))
        #expect(try store.dateOfBirthComponents().year == 1990)
    }
}
