import Engine
import Foundation
import HealthKit
import SessionLog
import Testing

/// A session makes the sensors measure, with a builder or without.
///
/// Apple: `HKWorkoutSession` ("the session fine-tunes the sensors", developer.apple.com/documentation/healthkit/hkworkoutsession). Apps
/// of watchOS 2 to 4, which had no live builder, began a session and read heart rates with an anchored query.
@Suite struct SessionWithoutBuilderTests {
    private let time = ManualTime()
    private let start = TestSession.start

    private func session(_ sensor: some Sensor) -> (HKHealthStore, HKWorkoutSession) {
        let store = HKHealthStore(environment: HealthEnvironment(sensors: [], time: time))
        let recorder = WorkoutRecorder(
            configuration: ActivityDescription(activity: "running"), sensors: [sensor], time: time)
        return (store, HKWorkoutSession(healthStore: store, recorder: recorder))
    }

    /// Reads with an anchored query until it has this many.
    private func follow(_ count: Int, in store: HKHealthStore) async throws -> [Double] {
        var rates: [Double] = []
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.heartRate))], anchor: nil)
        for try await result in descriptor.results(for: store) {
            rates += result.addedSamples.rates
            if rates.count >= count { break }
        }
        return rates
    }

    @Test func `heart rates arrive in the store without a builder`() async throws {
        let sensor = PushedSensor()
        let (store, session) = session(sensor)
        session.startActivity(with: start)
        for second in 0..<3 { sensor.push([TestSession.pulse(100 + Double(second), at: Double(second))]) }
        #expect(try await follow(3, in: store) == [100, 101, 102])
        session.end()
        _ = await session.recorder.log
        #expect(try await TestSession.heartRates(in: store).rates == [100, 101, 102])
    }

    @Test func `early readings without a builder get the strap's device once it is known`() async throws {
        let sensor = PushedSensor()
        let (store, session) = session(sensor)
        session.startActivity(with: start)
        sensor.push([TestSession.pulse(100, at: 0, sensor: "s")])
        #expect(try await follow(1, in: store) == [100])
        #expect(try await TestSession.heartRates(in: store).map(\.device) == [nil])
        sensor.push([TestSession.status(of: "s", name: "Strap", at: 1), TestSession.pulse(101, at: 1, sensor: "s")])
        #expect(try await follow(2, in: store) == [100, 101])
        #expect(try await TestSession.heartRates(in: store).map(\.device?.name) == ["Strap", "Strap"])
        session.end()
    }

    @Test func `a replay continues without a builder`() async throws {
        let entries =
            [SessionEntry(start, .state(.running))]
            + (0..<5).map { TestSession.pulse(100 + Double($0), at: Double($0)) }
        let (store, session) = session(ReplaySensor(ReplayedWorkout(entries, start: start), speed: .infinity))
        session.startActivity(with: start)
        #expect(try await follow(5, in: store) == [100, 101, 102, 103, 104])
        session.end()
    }

    /// A recording must not lose its beginning if an app's builder begins late.
    @Test func `the sensors of a session with a builder wait for its collection`() async throws {
        let entries =
            [SessionEntry(start, .state(.running))]
            + (0..<5).map { TestSession.pulse(100 + Double($0), at: Double($0)) }
        let (store, session) = session(ReplaySensor(ReplayedWorkout(entries, start: start), speed: .infinity))
        let builder = session.associatedWorkoutBuilder()
        let configuration = session.workoutConfiguration
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
        session.startActivity(with: start)
        _ = await session.recorder.log
        #expect(try await TestSession.heartRates(in: store).isEmpty)
        try await builder.beginCollection(at: start)
        #expect(try await follow(5, in: store).count == 5)
        #expect(builder.statistics(for: HKQuantityType(.heartRate))?.total.count == 5)
        session.end()
    }

    /// Apps that read the sensors with their own queries, and add to the builder what they choose.
    @Test func `a builder without a data source collects nothing, but the sensors measure`() async throws {
        let sensor = PushedSensor()
        let (store, session) = session(sensor)
        let builder = session.associatedWorkoutBuilder()
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        sensor.push([TestSession.pulse(100, at: 1)])
        #expect(try await follow(1, in: store) == [100])
        #expect(builder.statistics(for: HKQuantityType(.heartRate)) == nil)
        session.stopActivity(with: start + 10)
        _ = await session.recorder.log
        try await builder.endCollection(at: start + 10)
        let workout = try #require(try await builder.finishWorkout())
        #expect(try await TestSession.heartRates(in: store).rates == [100])
        #expect(
            try await TestSession.heartRates(in: store, HKQuery.predicateForObjects(from: workout)).isEmpty)
    }
}
