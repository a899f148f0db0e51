public import CoreLocation
import Engine
import SessionLog

/// Builds the route of a workout. Completion handlers are called on a background queue.
///
/// An app that creates a builder saves its route with ``finishRoute(with:metadata:completion:)`` after the workout was
/// saved. A builder from ``HKWorkoutBuilder/seriesBuilder(for:)`` adds to a running workout, and its route is saved
/// with the workout.
///
/// Invalid locations end the builder. A route that can't be saved can be finished again. Once the route is saved, every
/// call fails with ``HKError/Code/errorInvalidArgument``. Calls after ``discard()`` stop the program, as HealthKit
/// raises.
// Sendable holds: all stored properties are immutable, or behind a lock.
public final class HKWorkoutRouteBuilder: HKSeriesBuilder, SeriesOfWorkout, @unchecked Sendable {
    // Sendable holds: `MetadataCoding` makes all values of metadata immutable.
    private struct Route: @unchecked Sendable {
        /// The locations of an app's own builder. Those of a running workout are in its log.
        var positions: [(date: Date, position: PositionReading)] = []
        var metadata: [String: Any] = [:]
    }

    private let store: HKHealthStore
    private let device: HKDevice?
    /// The running workout that the route belongs to. Nil for an app's own builder.
    private let recorder: WorkoutRecorder?
    private let route = SeriesCollector("route builder", Route())

    /// Creates a builder for a route that the app collects.
    /// - Parameter device: The device that measured the locations, saved with the route.
    public init(healthStore: HKHealthStore, device: HKDevice?) {
        store = healthStore
        self.device = device
        recorder = nil
    }

    init(healthStore: HKHealthStore, recorder: WorkoutRecorder) {
        store = healthStore
        device = nil
        self.recorder = recorder
    }

    /// Adds locations in any order. The route is sorted by time. If a coordinate is invalid, nothing is added.
    @preconcurrency public func insertRouteData(
        _ routeData: [CLLocation], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        route.requireUndiscarded()
        do {
            var positions: [(date: Date, position: PositionReading)] = []
            try route.insert { positions = try checked(routeData) }
            guard let recorder else {
                return route.answer(completion, Result { try route.change { $0.positions += positions } })
            }
            recorder.enqueue { [route, positions] recorder in
                let result = Result {
                    try route.change { _ in }
                    try recorder.add(positions)
                }
                route.answer(completion, result)
            }
        } catch {
            route.answer(completion, .failure(error))
        }
    }

    /// Adds locations in any order.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an empty array, and for an invalid coordinate. Then nothing is added.
    public func insertRouteData(_ routeData: [CLLocation]) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            insertRouteData(routeData) { _, error in
                continuation.resume(with: error.map(Result.failure) ?? .success(()))
            }
        }
    }

    /// Adds metadata to the route. Existing keys get the new value.
    @preconcurrency public func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        route.requireUndiscarded()
        route.answer(completion, Result { try merge(metadata) })
    }

    /// Adds metadata to the route. If a value is invalid, nothing is added.
    public func addMetadata(_ metadata: [String: Any]) async throws {
        route.requireUndiscarded()
        try merge(metadata)
    }

    /// Saves the route of a stored workout. If this fails, call it again.
    /// - Parameter metadata: Added to the metadata of ``addMetadata(_:completion:)``.
    @preconcurrency public func finishRoute(
        with workout: HKWorkout, metadata: [String: Any]?,
        completion: @escaping @Sendable (HKWorkoutRoute?, (any Error)?) -> Void
    ) {
        route.finish(saving(workout.uuid, metadata)) { result in
            switch result {
            case .success(let route): completion(route, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    /// Saves the route of a stored workout. If this fails, call it again.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a route without locations, and for a route of a workout builder, which is
    ///   saved with the workout.
    public func finishRoute(with workout: HKWorkout, metadata: [String: Any]?) async throws -> HKWorkoutRoute {
        try await route.finish(saving(workout.uuid, metadata))
    }

    /// Discards the locations, including those in the log of a running workout. Any later call stops the program.
    public override func discard() {
        if route.discard() { recorder?.enqueue { $0.discardRoute() } }
    }

    // MARK: -

    private func checked(_ locations: [CLLocation]) throws -> [(date: Date, position: PositionReading)] {
        guard !locations.isEmpty else {
            throw route.misuse("There is nothing to insert: the array of locations is empty.")
        }
        for location in locations where !CLLocationCoordinate2DIsValid(location.coordinate) {
            throw route.misuse(
                "A location at \(location.timestamp) cannot be inserted: its coordinate is not on Earth.")
        }
        return locations.map { ($0.timestamp, PositionReading($0)) }
    }

    private func merge(_ metadata: [String: Any]) throws {
        let added = try HKError.translating { try MetadataCoding.normalized(metadata) } ?? [:]
        try route.change { $0.metadata.merge(added) { _, new in new } }
    }

    /// Returns a function that saves the route on the builder's queue.
    private func saving(
        _ workout: UUID, _ metadata: [String: Any]?
    ) -> @Sendable (Route) throws -> HKWorkoutRoute {
        let normal = Result { try MetadataCoding.normalized(metadata) ?? [:] }
        nonisolated(unsafe) let added = normal  // `MetadataCoding` makes all values immutable.
        return { try self.save($0, of: workout, try added.get()) }
    }

    private func save(_ gathered: Route, of workout: UUID, _ metadata: [String: Any]) throws -> HKWorkoutRoute {
        guard recorder == nil else {
            throw route.misuse("This route builder belongs to a workout builder, whose finishWorkout saves the route.")
        }
        let positions = gathered.positions.sorted { $0.date < $1.date }
        guard let first = positions.first, let last = positions.last else {
            throw route.misuse("A route without locations cannot be saved: insert some first.")
        }
        let all = gathered.metadata.merging(metadata) { _, new in new }
        let sample = try HKWorkoutRoute.validated(
            ObjectIdentity(device: device, metadata: all), count: positions.count, start: first.date, end: last.date)
        try store.requireSharing([sample.sampleType])
        if store.environment.keepsWorkouts {
            try store.requireStored()
            try store.database.add([(sample, .positions(positions))], toWorkout: workout, from: .current)
        }
        return sample
    }

    // MARK: Of a workout under way

    func add(to added: inout AddedSeries) {
        let metadata = route.content.metadata
        if !metadata.isEmpty { added.routeMetadata = metadata }
    }

    func close(_ reason: String) { route.close(reason) }
}
