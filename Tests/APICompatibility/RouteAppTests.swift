import CoreLocation
import Foundation
import HealthKit
import Testing

/// The app code of `RouteApp.swift` with a store in memory.
@Suite struct RouteAppTests {
    private let store = HKHealthStore(environment: HealthEnvironment(sensors: []))
    private let start = Date(timeIntervalSinceReferenceDate: 810_000_000)

    private func place(_ index: Int) -> CLLocation {
        let latitude: Double = 48 + Double(index) * 1e-5
        let altitude: Double = 500 + Double(index % 10)
        let accuracy: Double = index == 7 ? 200 : 5
        return CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: 11), altitude: altitude,
            horizontalAccuracy: accuracy, verticalAccuracy: 4, timestamp: start.addingTimeInterval(Double(index)))
    }

    private var walk: [CLLocation] { (0..<60).map(place) }

    private func recorded() async throws -> (HKWorkout, HKWorkoutRoute, RouteRecorder) {
        let recorder = RouteRecorder(healthStore: store)
        await withCheckedContinuation { done in recorder.start(at: start) { _, _ in done.resume() } }
        for location in walk { recorder.didUpdateLocations([location]) }
        let (workout, route) = await withCheckedContinuation { done in
            recorder.finish(at: start + 60) { done.resume(returning: ($0, $1)) }
        }
        return (try #require(workout), try #require(route), recorder)
    }

    @Test func `a walk's route is saved with it and drawn`() async throws {
        let (workout, route, recorder) = try await recorded()
        #expect(route.count == 59)
        #expect(abs(recorder.totalDistance - 65.6) < 0.1)
        let reader = RouteReader(healthStore: store)
        let routes = await withCheckedContinuation { done in
            reader.routes(of: workout) { done.resume(returning: $0) }
        }
        #expect(routes.map(\.uuid) == [route.uuid])
        #expect(routes.first?.metadata?[HKMetadataKeyIndoorWorkout] as? Bool == false)
        let coordinates = await withCheckedContinuation { done in
            reader.coordinates(of: route) { done.resume(returning: $0) }
        }
        #expect(coordinates.map(\.latitude) == walk.filter { $0.horizontalAccuracy <= 50 }.map(\.coordinate.latitude))
        #expect(try await reader.elevationGain(of: route) == 54)
    }

    @Test func `a series is saved, read value by value, and deleted by predicate`() async throws {
        let log = RowingLog(healthStore: store)
        let watts = (0..<300).map { 150 + Double($0 % 40) }
        let samples = try await log.savePower(watts, from: start)
        #expect(samples.map(\.count) == [300])
        #expect(await withCheckedContinuation { done in log.power { done.resume(returning: $0) } } == watts)
        #expect(await withCheckedContinuation { done in log.removeAll { done.resume(returning: $0) } } == 1)
        #expect(await withCheckedContinuation { done in log.power { done.resume(returning: $0) } }.isEmpty)
    }

    @Test func `an effort is rated and read`() async throws {
        let (workout, _, _) = try await recorded()
        let log = RowingLog(healthStore: store)
        #expect(try await log.effort(of: workout) == nil)
        #expect(try await log.rate(workout, 7))
        #expect(try await log.effort(of: workout) == 7)
    }
}
