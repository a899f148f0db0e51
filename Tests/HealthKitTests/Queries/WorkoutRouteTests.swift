import CoreLocation
import Foundation
import HealthKit
import MadeSamples
import SessionLog
import Testing

@Suite struct WorkoutRouteTests {
    private let health = QueryStore()

    private func place(_ index: Int, at seconds: Double) -> CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 48.1 + Double(index) * 1e-4 / 3, longitude: 11.5),
            altitude: 519.25 + Double(index), horizontalAccuracy: 3.7, verticalAccuracy: 5.1, course: 359.9,
            speed: 2.875, timestamp: Made.start + seconds)
    }

    private func locations(of route: HKWorkoutRoute) async throws -> [CLLocation] {
        var all: [CLLocation] = []
        for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: health.store) {
            all.append(location)
        }
        return all
    }

    private func routes(of workout: HKWorkout) async throws -> [HKWorkoutRoute] {
        try await HKSampleQueryDescriptor(
            predicates: [.workoutRoute(HKQuery.predicateForObjects(from: workout))],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: health.store)
    }

    @Test func `a saved route belongs to its workout and is returned unchanged and in order`() async throws {
        let workout = try Made.workout(.running, at: 0, lasting: 600)
        try health.save([workout])
        let builder = HKWorkoutRouteBuilder(healthStore: health.store, device: .local())
        let places = (0..<1200).map { place($0, at: Double($0) / 2) }
        try await builder.insertRouteData(Array(places[600...]))
        try await builder.insertRouteData(Array(places[..<600]))
        try await builder.addMetadata(["A": "a", "B": "b"])
        let route = try await builder.finishRoute(with: workout, metadata: ["B": 2])
        #expect(route.count == 1200 && route.startDate == Made.start && route.endDate == places.last?.timestamp)

        let stored = try await routes(of: workout)
        #expect(stored.map(\.uuid) == [route.uuid])
        #expect(stored.first?.metadata?["A"] as? String == "a" && stored.first?.metadata?["B"] as? Int == 2)
        #expect(stored.first?.device == .local())
        #expect(try await locations(of: route) == places)
        await #expect(throws: HKError.self) { try await builder.insertRouteData([places[0]]) }
    }

    @Test func `a query of an interval returns its locations in batches`() async throws {
        let workout = try Made.workout(.running, at: 0, lasting: 3600)
        try health.save([workout])
        let builder = HKWorkoutRouteBuilder(healthStore: health.store, device: nil)
        try await builder.insertRouteData((0..<3600).map { place($0, at: Double($0)) })
        let route = try await builder.finishRoute(with: workout, metadata: nil)
        let calls = Calls<(count: Int, isDone: Bool)>()
        health.store.execute(
            HKWorkoutRouteQuery(
                route: route, dateInterval: DateInterval(start: Made.start + 100, end: Made.start + 1299)
            ) { _, batch, isDone, _ in calls.add((batch?.count ?? -1, isDone)) })
        var counts: [Int] = []
        while let call = await calls.next() {
            counts.append(call.count)
            if call.isDone { break }
        }
        #expect(counts.reduce(0, +) == 1200 && counts.count > 1)
    }

    @Test func `an invalid route is rejected with a reason`() async throws {
        let workout = try Made.workout(.running, at: 0, lasting: 60)
        let nowhere = CLLocation(
            coordinate: kCLLocationCoordinate2DInvalid, altitude: 0, horizontalAccuracy: -1, verticalAccuracy: -1,
            timestamp: Made.start)
        // Apple's documentation: locations that cannot be inserted end the builder.
        for refused in [[], [nowhere]] {
            let builder = HKWorkoutRouteBuilder(healthStore: health.store, device: nil)
            await #expect(throws: HKError.self) { try await builder.insertRouteData(refused) }
            await #expect(throws: HKError.self) { try await builder.insertRouteData([place(0, at: 0)]) }
        }
        let builder = HKWorkoutRouteBuilder(healthStore: health.store, device: nil)
        await #expect(throws: HKError.self) { try await builder.finishRoute(with: workout, metadata: nil) }
        try await builder.insertRouteData([place(0, at: 0)])
        // The workout is not saved yet. Once it is, the same builder succeeds.
        await #expect(throws: HKError.self) { try await builder.finishRoute(with: workout, metadata: nil) }
        try health.save([workout])
        #expect(try await builder.finishRoute(with: workout, metadata: nil).count == 1)
    }

    /// Apple's documentation of `HKSeriesBuilder.discard()`: any further calls raise an exception.
    @Test func `using a discarded route builder stops the program`() async {
        await #expect(processExitsWith: .failure) {
            let builder = HKWorkoutRouteBuilder(healthStore: QueryStore().store, device: nil)
            builder.discard()
            builder.insertRouteData([CLLocation(latitude: 1, longitude: 1)]) { _, _ in }
        }
    }

    /// The same for the builder of heartbeats. A second discard does no harm.
    @Test func `using a discarded heartbeat builder stops the program`() async {
        let builder = HKHeartbeatSeriesBuilder(healthStore: health.store, device: nil, start: Made.start)
        builder.discard()
        builder.discard()
        await #expect(processExitsWith: .failure) {
            let builder = HKHeartbeatSeriesBuilder(healthStore: QueryStore().store, device: nil, start: Date())
            builder.discard()
            builder.finishSeries { _, _ in }
        }
    }

    /// This may happen later, and is no mistake of the app.
    @Test func `a call from before a discard is answered`() async {
        let builder = HKHeartbeatSeriesBuilder(healthStore: health.store, device: nil, start: Made.start)
        let isAnswered = await withCheckedContinuation { answer in
            builder.addHeartbeatWithTimeInterval(sinceSeriesStartDate: 1, precededByGap: false) { _, _ in
                answer.resume(returning: true)
            }
            builder.discard()
        }
        #expect(isAnswered)
    }

    private func builder() async throws -> HKWorkoutBuilder {
        let builder = HKWorkoutBuilder(healthStore: health.store, configuration: HKWorkoutConfiguration(), device: nil)
        try await builder.beginCollection(at: Made.start)
        return builder
    }

    @Test func `series of a workout builder are saved with the workout`() async throws {
        let builder = try await builder()
        let route = try #require(builder.seriesBuilder(for: .workoutRoute()) as? HKWorkoutRouteBuilder)
        #expect(builder.seriesBuilder(for: .workoutRoute()) === route)
        try await route.insertRouteData((0..<10).map { place($0, at: Double($0)) })
        try await route.addMetadata(["K": "v"])
        let beats = try #require(builder.seriesBuilder(for: .heartbeat()) as? HKHeartbeatSeriesBuilder)
        try await beats.addHeartbeat(at: 0.9, precededByGap: false)
        try await beats.addHeartbeat(at: 1.8, precededByGap: true)
        await #expect(throws: HKError.self) { try await beats.finishSeries() }
        try await builder.endCollection(at: Made.start + 60)
        let finished = try await builder.finishWorkout()
        let workout = try #require(finished)
        await #expect(throws: HKError.self) { try await route.finishRoute(with: workout, metadata: nil) }
        await #expect(throws: HKError.self) { try await route.insertRouteData([place(1, at: 1)]) }

        let stored = try await routes(of: workout)
        #expect(stored.map(\.count) == [10])
        #expect(stored.first?.metadata?["K"] as? String == "v")
        let series = try await HKSampleQueryDescriptor(
            predicates: [.heartbeatSeries(HKQuery.predicateForObjects(from: workout))], sortDescriptors: []
        ).result(for: health.store)
        #expect(series.map(\.count) == [2])
    }

    @Test func `a discarded route is not saved with the workout`() async throws {
        let builder = try await builder()
        let route = try #require(builder.seriesBuilder(for: .workoutRoute()) as? HKWorkoutRouteBuilder)
        try await route.insertRouteData([place(0, at: 0), place(1, at: 1)])
        route.discard()
        try await builder.endCollection(at: Made.start + 60)
        let finished = try await builder.finishWorkout()
        #expect(try await routes(of: #require(finished)).isEmpty)
    }

    @Test func `deleting a workout keeps its route`() async throws {
        let workout = try Made.workout(.running, at: 0, lasting: 600)
        try await health.store.save(workout)
        let builder = HKWorkoutRouteBuilder(healthStore: health.store, device: nil)
        try await builder.insertRouteData([place(0, at: 0), place(1, at: 1)])
        let route = try await builder.finishRoute(with: workout, metadata: nil)
        try await health.store.delete(workout)
        let left = try await HKSampleQueryDescriptor(predicates: [.workoutRoute()], sortDescriptors: [])
            .result(for: health.store)
        #expect(left.map(\.uuid) == [route.uuid])
        try await health.store.delete(route)
        await #expect(throws: HKError.self) { try await locations(of: route) }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `samples and series join a stored workout all or none`(_ kind: StoreUnderTest) throws {
        try kind.with { database in
            let workout = try Made.workout(.running, at: 0, lasting: 60)
            let positions = (0..<3).map { index in
                (
                    date: Made.start + Double(index) + 0.1,
                    position: PositionReading(
                        latitudeInDegrees: 48.123_456_789_012, longitudeInDegrees: Double(index) / 3)
                )
            }
            let route = try HKWorkoutRoute.validated(
                ObjectIdentity(), count: 3, start: positions[0].date, end: positions[2].date)
            let rate = Made.heartRate(100, at: 5)
            let source = Made.source("Watch")
            #expect(throws: HKError.self) {
                try database.add([(rate, nil), (route, .positions(positions))], toWorkout: workout.uuid, from: source)
            }
            #expect(try database.all(Made.heartRate).isEmpty)
            try database.save([workout], from: source)
            #expect(throws: HKError.self) { try database.add([(rate, nil)], toWorkout: route.uuid, from: source) }
            try database.add([(rate, nil), (route, .positions(positions))], toWorkout: workout.uuid, from: source)
            #expect(try database.all(Made.heartRate, .workout(workout.uuid)).map(\.uuid) == [rate.uuid])
            let read = try database.positions(route.uuid)
            #expect(read.map(\.date) == positions.map(\.date) && read.map(\.position) == positions.map(\.position))
        }
    }
}
