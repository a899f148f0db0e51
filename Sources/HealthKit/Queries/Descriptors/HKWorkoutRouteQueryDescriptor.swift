public import CoreLocation

/// The locations of a route, in order of time.
public struct HKWorkoutRouteQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    /// Locations in order of time.
    public typealias Sequence = Results
    /// What ``results(for:)`` gives: one location after another.
    public typealias Results = QueryResults<CLLocation>

    /// The route, as the store handed it out.
    public var workoutRoute: HKWorkoutRoute

    /// - Parameter workoutRoute: One that the store holds; of another the iteration throws
    ///   ``HKError/Code/errorInvalidArgument``.
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
