public import CoreLocation

/// Reads the locations of a route in order of time, in batches.
// Sendable holds: all stored properties are immutable.
open class HKWorkoutRouteQuery: HKQuery, @unchecked Sendable {
    private typealias Handler = @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void

    private static let batchLength = 500

    private let route: HKWorkoutRoute
    private let interval: DateInterval?
    private let handler: Handler

    /// - Parameter dataHandler: Called with each batch of locations and false, and with the last one, which may be
    ///   empty, and true.
    @preconcurrency public init(
        route workoutRoute: HKWorkoutRoute,
        dataHandler: @escaping @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void
    ) {
        route = workoutRoute
        interval = nil
        handler = dataHandler
        super.init(objectType: workoutRoute.sampleType, predicate: nil)
    }

    /// Reads the locations within an interval, including its end.
    @preconcurrency public init(
        route workoutRoute: HKWorkoutRoute, dateInterval: DateInterval,
        dataHandler: @escaping @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void
    ) {
        route = workoutRoute
        interval = dateInterval
        handler = dataHandler
        super.init(objectType: workoutRoute.sampleType, predicate: nil)
    }

    package override func makePlan() -> QueryPlan {
        QueryPlan(fail: { self.handler(self, nil, true, $0) }) { pass in
            let all = try pass.store.maySee(self.route) ? pass.database.positions(self.route.uuid) : []
            guard !all.isEmpty else {
                throw HKError.make(
                    .errorInvalidArgument,
                    "The store holds no locations of the route \(self.route.uuid): save it, or query for it first.")
            }
            let positions = all.filter { self.interval?.contains($0.date) ?? true }
            var next = 0
            repeat {
                let end = min(next + Self.batchLength, positions.count)
                let batch = positions[next..<end].map { CLLocation($0.position, at: $0.date) }
                pass.deliver { self.handler(self, batch, end == positions.count, nil) }
                next = end
            } while next < positions.count && pass.isActive
        }
    }
}

/// A query for the locations of a route, in order of time.
public struct HKWorkoutRouteQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    /// Locations in order of time.
    public typealias Sequence = Results
    /// The sequence of ``results(for:)``: one location after another.
    public typealias Results = QueryResults<CLLocation>

    /// The route, as returned by the store.
    public var workoutRoute: HKWorkoutRoute

    /// - Parameter workoutRoute: A stored one. For another, the iteration throws ``HKError/Code/errorInvalidArgument``.
    public init(_ workoutRoute: HKWorkoutRoute) {
        self.workoutRoute = workoutRoute
    }

    /// Returns a sequence that ends with the last location.
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
