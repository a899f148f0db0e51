import Foundation
import HealthKit
import Testing

@Suite struct OldAppTests {
    private static func environment(_ sensors: String) -> HealthEnvironment {
        HealthEnvironment(variables: [
            "HEALTHKIT_SENSORS": sensors, "HEALTHKIT_STORE": "memory", "HEALTHKIT_AUTHORIZATION": "allow",
        ])
    }

    @Test func `an app from the days of Swift 5 records a simulated run`() async throws {
        let environment = Self.environment("simulate:easyRun?seed=3&speed=max&duration=60")
        // The app also asks whether health data is available, which needs no store.
        try await HealthEnvironment.$current.withValue(environment) {
            let manager = OldWorkoutManager()
            let allowed = await withCheckedContinuation { answer in
                manager.requestAuthorization { success, _ in answer.resume(returning: success) }
            }
            #expect(allowed)
            let workout = try await withCheckedThrowingContinuation { (done: CheckedContinuation<HKWorkout?, Error>) in
                manager.start { workout, error in
                    if let error { done.resume(throwing: error) } else { done.resume(returning: workout) }
                }
            }
            #expect(workout?.duration == 60)
            #expect(!manager.heartRates.isEmpty)
            #expect(manager.log.contains("began true 1"))
        }
    }

    @Test func `an exporter that blocks its queue gets its workout`() async throws {
        let start = Date(timeIntervalSince1970: 1_000_000)
        let store = HealthEnvironment.$current.withValue(Self.environment("simulate:easyRun")) { HKHealthStore() }
        try await store.requestAuthorization(toShare: [.workoutType(), HKQuantityType(.distanceCycling)], read: [])
        let workout: HKWorkout? = await withCheckedContinuation { done in
            DispatchQueue.global().async {
                let collector = SampleCollector()
                collector.insert([
                    HKQuantitySample(
                        type: HKQuantityType(.distanceCycling), quantity: HKQuantity(unit: .meter(), doubleValue: 900),
                        start: start, end: start + 60)
                ])
                _ = collector.wait()
                done.resume(returning: collector.workout(store: store, from: start, to: start + 60))
            }
        }
        #expect(workout?.duration == 60)
        #expect(workout?.totalDistance?.doubleValue(for: .meter()) == 900)
    }

    @Test func `a double of an observer query is created through its metatype`() {
        let factory = OldQueryFactory()
        factory.observerQueryType = OldObserverQuery.self
        let query = factory.make(HKQuantityType(.stepCount)) { _, done, _ in done() }
        #expect((query as? OldObserverQuery)?.handler != nil)
    }

    @Test func `identifiers are encoded in JSON as strings`() throws {
        let header = WorkoutHeader(type: .heartRate, start: Date(timeIntervalSince1970: 0), unit: "count/min")
        let data = try JSONEncoder().encode(header)
        #expect(String(data: data, encoding: .utf8)?.contains("\"HKQuantityTypeIdentifierHeartRate\"") == true)
        let read = try JSONDecoder().decode(WorkoutHeader.self, from: data)
        #expect(read.type == .heartRate)
        #expect(read.quantity(72) > read.quantity(71))
    }

    @Test func `options work as keys, and statistics as rows`() {
        #expect([HKStatisticsOptions.cumulativeSum: 1][.cumulativeSum] == 1)
        #expect(HKWorkoutActivityType.favourites.map(\.name) == ["Running", "Other", "Dance"])
    }
}

@Suite struct OldWatchAppTests {
    @Test func `an app without a store of its own begins a session`() async {
        let environment = HealthEnvironment(variables: [
            "HEALTHKIT_SENSORS": "none", "HEALTHKIT_STORE": "memory", "HEALTHKIT_AUTHORIZATION": "allow",
        ])
        let app = HealthEnvironment.$current.withValue(environment) { () -> OldWatchApp in
            let app = OldWatchApp()
            app.begin()
            return app
        }
        let session = app.session
        #expect(session?.activityType == .running && session?.locationType == .outdoor)
        while app.session?.state == .notStarted { await Task.yield() }
        #expect(app.session?.state == .running && app.heading == 0)
        app.session.map(app.healthStore.end)
        #expect(isMissing(NSError(domain: HKErrorDomain, code: 11)) && !isMissing(NSError(domain: "x", code: 11)))
        let workout = HKWorkout(activityType: .running, start: Date(), end: Date())
        correct(workout, HKQuantity(unit: .meter(), doubleValue: 10))
        #expect(workout.totalDistance == HKQuantity(unit: .meter(), doubleValue: 10))
    }

    @Test func `a phone without a watch learns that there is none`() async {
        let environment = HealthEnvironment(variables: [
            "HEALTHKIT_STORE": "memory", "HEALTHKIT_MIRROR": "", "HEALTHKIT_AUTHORIZATION": "allow",
        ])
        let app = HealthEnvironment.$current.withValue(environment) { OldWatchApp() }
        let error = await withCheckedContinuation { answer in
            app.startWatch { success, error in answer.resume(returning: success ? nil : error) }
        }
        #expect((error as? HKError)?.code == .errorHealthDataUnavailable)
    }
}
