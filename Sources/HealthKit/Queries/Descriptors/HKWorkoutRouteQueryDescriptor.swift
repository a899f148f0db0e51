public import CoreLocation

/// The locations of a route, in order of time.
public struct HKWorkoutRouteQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    public typealias Sequence = Results
    public typealias Results = QueryResults<CLLocation>

    public var workoutRoute: HKWorkoutRoute

    public init(_ workoutRoute: HKWorkoutRoute) {
        self.workoutRoute = workoutRoute
    }

    /// Ends with the last location.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(healthStore) { continuation in
            HKWorkoutRouteQuery(route: workoutRoute) { _, locations, isDone, error in
                if let error {
                    continuation.finish(throwing: error)
                    return
                }
                for location in locations ?? [] { continuation.yield(location) }
                if isDone { continuation.finish() }
            }
        }
    }
}
