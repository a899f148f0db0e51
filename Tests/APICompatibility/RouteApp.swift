// App code as it is written for iOS and watchOS: routes, series, effort, deletion. Nothing here is for Linux.

import CoreLocation
import HealthKit

/// Records the route of a walk and saves it with a workout.
final class RouteRecorder: @unchecked Sendable {
    let healthStore: HKHealthStore
    private let workoutBuilder: HKWorkoutBuilder
    private let routeBuilder: HKWorkoutRouteBuilder
    private(set) var totalDistance: CLLocationDistance = 0
    private var lastLocation: CLLocation?

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .walking
        configuration.locationType = .outdoor
        workoutBuilder = HKWorkoutBuilder(healthStore: healthStore, configuration: configuration, device: .local())
        routeBuilder = HKWorkoutRouteBuilder(healthStore: healthStore, device: nil)
    }

    func start(at date: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
        workoutBuilder.beginCollection(withStart: date, completion: completion)
    }

    /// Acts as a location manager's delegate.
    func didUpdateLocations(_ locations: [CLLocation]) {
        let filteredLocations = locations.filter { (location: CLLocation) -> Bool in
            location.horizontalAccuracy <= 50.0
        }
        guard !filteredLocations.isEmpty else { return }
        for location in filteredLocations {
            if let lastLocation { totalDistance += location.distance(from: lastLocation) }
            lastLocation = location
        }
        routeBuilder.insertRouteData(filteredLocations) { success, error in
            if !success { print("Unable to insert route data: \(String(describing: error))") }
        }
    }

    func finish(at date: Date, completion: @escaping @Sendable (HKWorkout?, HKWorkoutRoute?) -> Void) {
        workoutBuilder.endCollection(withEnd: date) { _, _ in
            self.workoutBuilder.finishWorkout { workout, _ in
                guard let workout else { return completion(nil, nil) }
                self.routeBuilder.finishRoute(with: workout, metadata: [HKMetadataKeyIndoorWorkout: false]) {
                    newRoute, error in
                    guard newRoute != nil else { return completion(workout, nil) }
                    completion(workout, newRoute)
                }
            }
        }
    }
}

/// Draws the route of a workout.
struct RouteReader: Sendable {
    let healthStore: HKHealthStore

    func routes(of workout: HKWorkout, completion: @escaping @Sendable ([HKWorkoutRoute]) -> Void) {
        let runningObjectQuery = HKQuery.predicateForObjects(from: workout)
        let routeQuery = HKAnchoredObjectQuery(
            type: HKSeriesType.workoutRoute(), predicate: runningObjectQuery, anchor: nil, limit: HKObjectQueryNoLimit
        ) { _, samples, _, _, error in
            guard error == nil, let routes = samples as? [HKWorkoutRoute] else { return completion([]) }
            completion(routes)
        }
        healthStore.execute(routeQuery)
    }

    func coordinates(of route: HKWorkoutRoute, completion: @escaping @Sendable ([CLLocationCoordinate2D]) -> Void) {
        nonisolated(unsafe) var all: [CLLocation] = []
        let query = HKWorkoutRouteQuery(route: route) { query, locationsOrNil, done, errorOrNil in
            if errorOrNil != nil { return completion([]) }
            guard let locations = locationsOrNil else { return }
            all.append(contentsOf: locations)
            if done { completion(all.map(\.coordinate)) }
        }
        healthStore.execute(query)
    }

    func elevationGain(of route: HKWorkoutRoute) async throws -> Double {
        var gain = 0.0
        var last: CLLocation?
        for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: healthStore) {
            if let last, location.verticalAccuracy >= 0 { gain += max(0, location.altitude - last.altitude) }
            last = location
        }
        return gain
    }
}

/// Saves the strokes of a rowing machine, rates the effort, and cleans up.
struct RowingLog: Sendable {
    let healthStore: HKHealthStore
    let powerType = HKQuantityType(.cyclingPower)

    func savePower(_ watts: [Double], from start: Date) async throws -> [HKQuantitySample] {
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: healthStore, quantityType: powerType, startDate: start, device: nil)
        for (second, value) in watts.enumerated() {
            try builder.insert(
                HKQuantity(unit: .watt(), doubleValue: value), at: start.addingTimeInterval(TimeInterval(second)))
        }
        return try await builder.finishSeries(
            metadata: nil, endDate: start.addingTimeInterval(TimeInterval(watts.count)))
    }

    func power(completion: @escaping @Sendable ([Double]) -> Void) {
        nonisolated(unsafe) var values: [Double] = []
        let query = HKQuantitySeriesSampleQuery(quantityType: powerType, predicate: nil) {
            _, quantity, _, _, done, _ in
            if let quantity { values.append(quantity.doubleValue(for: .watt())) }
            if done { completion(values) }
        }
        query.orderByQuantitySampleStartDate = true
        healthStore.execute(query)
    }

    func rate(_ workout: HKWorkout, _ score: Int) async throws -> Bool {
        let sample = HKQuantitySample(
            type: HKQuantityType(.workoutEffortScore),
            quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: Double(score)), start: workout.startDate,
            end: workout.endDate)
        return try await healthStore.relateWorkoutEffortSample(sample, with: workout, activity: nil)
    }

    func effort(of workout: HKWorkout) async throws -> Int? {
        let predicate = HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: nil)
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.workoutEffortScore), predicate: predicate)],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1)
        return try await descriptor.result(for: healthStore).first.map {
            Int($0.quantity.doubleValue(for: .appleEffortScore()))
        }
    }

    func removeAll(completion: @escaping @Sendable (Int) -> Void) {
        let predicate = HKQuery.predicateForSamples(withStart: .distantPast, end: .distantFuture, options: [])
        healthStore.deleteObjects(of: powerType, predicate: predicate) { success, count, error in
            completion(success && error == nil ? count : -1)
        }
    }
}
