public import CoreLocation
import Recordings
import Synchronization

/// Puts locations together into the route of a workout. Completion handlers are called on a background queue.
///
/// One that an app makes saves its route with ``finishRoute(with:metadata:completion:)``, when the workout is saved. One
/// from ``HKWorkoutBuilder/seriesBuilder(for:)`` adds to a workout under way, and its route is saved with that. Once
/// finished, every call fails with ``HKError/Code/errorInvalidArgument``; after ``discard()`` it stops the program, where
/// HealthKit raises.
// Sendable holds: what changes is in a mutex.
public final class HKWorkoutRouteBuilder: HKSeriesBuilder, @unchecked Sendable {
    private struct Route {
        /// Of a builder of the app's own; those of a workout under way are in its log.
        var positions: [(date: Date, position: PositionReading)] = []
        var metadata: [String: Any] = [:]
        /// Why nothing more can be added; nil while it can.
        var closed: String?
        /// Whether the app said so.
        var isDiscarded = false
    }

    private let store: HKHealthStore
    private let device: HKDevice?
    /// The workout under way that the route is of; nil for a builder of the app's own.
    private let recorder: WorkoutRecorder?
    private let route = Mutex(Route())
    private let queue = DispatchQueue(label: "HealthKit.HKWorkoutRouteBuilder")

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

    /// Adds locations, in any order: a route is in order of time. Refuses all of them when one is nowhere.
    @preconcurrency public func insertRouteData(
        _ routeData: [CLLocation], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        requireUndiscarded()
        let answer = queued(completion)
        do {
            let positions = try checked(routeData)
            guard let recorder else {
                try change { $0.positions += positions }
                return answer(nil)
            }
            recorder.enqueue { recorder in
                do {
                    try self.insert(positions, recorder)
                    answer(nil)
                } catch {
                    answer(error)
                }
            }
        } catch {
            answer(error)
        }
    }

    public func insertRouteData(_ routeData: [CLLocation]) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            insertRouteData(routeData) { _, error in
                continuation.resume(with: error.map(Result.failure) ?? .success(()))
            }
        }
    }

    /// Adds to the metadata of the route; a key that is there already gets the new value.
    @preconcurrency public func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        requireUndiscarded()
        let added = Result { try merge(metadata) }
        queued(completion)(added.error)
    }

    public func addMetadata(_ metadata: [String: Any]) async throws {
        requireUndiscarded()
        try merge(metadata)
    }

    /// Saves the route as one of a workout that is saved. When that fails, it can be tried again.
    /// - Parameter metadata: Added to what ``addMetadata(_:completion:)`` added.
    @preconcurrency public func finishRoute(
        with workout: HKWorkout, metadata: [String: Any]?,
        completion: @escaping @Sendable (HKWorkoutRoute?, (any Error)?) -> Void
    ) {
        requireUndiscarded()
        let normal = Result { try MetadataCoding.normalized(metadata) }
        nonisolated(unsafe) let added = normal  // Immutable values, as `MetadataCoding` makes them.
        queue.async {
            do {
                completion(try self.finish(workout.uuid, try added.get()), nil)
            } catch {
                completion(nil, HKError.wrapping(error))
            }
        }
    }

    public func finishRoute(with workout: HKWorkout, metadata: [String: Any]?) async throws -> HKWorkoutRoute {
        requireUndiscarded()
        return try HKError.translating { try finish(workout.uuid, try MetadataCoding.normalized(metadata)) }
    }

    public override func discard() {
        if close("was discarded") { recorder?.enqueue { $0.discardRoute() } }
        route.withLock { $0.isDiscarded = true }
    }

    // MARK: -

    /// Gives the answer on the builder's queue.
    private func queued(
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) -> @Sendable ((any Error)?) -> Void {
        { [queue] error in queue.async { completion(error == nil, error.map(HKError.wrapping)) } }
    }

    private func checked(_ locations: [CLLocation]) throws -> [(date: Date, position: PositionReading)] {
        guard !locations.isEmpty else {
            throw misuse("There is nothing to insert: the array of locations is empty.")
        }
        for location in locations where !CLLocationCoordinate2DIsValid(location.coordinate) {
            throw misuse("A location at \(location.timestamp) cannot be inserted: its coordinate is no place on Earth.")
        }
        return locations.map { ($0.timestamp, PositionReading($0)) }
    }

    private func insert(
        _ positions: [(date: Date, position: PositionReading)], _ recorder: isolated WorkoutRecorder
    ) throws {
        try change { _ in }
        try recorder.add(positions)
    }

    private func merge(_ metadata: [String: Any]) throws {
        let normal = try HKError.translating { try MetadataCoding.normalized(metadata) }
        nonisolated(unsafe) let added = normal ?? [:]  // Immutable values, as `MetadataCoding` makes them.
        try change { $0.metadata.merge(added) { _, new in new } }
    }

    /// In the call itself: one that was made before the builder was discarded may come to its turn afterwards.
    private func requireUndiscarded() {
        precondition(!route.withLock { $0.isDiscarded }, "this route builder was discarded: make a new one")
    }

    private func change(_ body: (inout Route) -> Void) throws {
        try route.withLock { route in
            if let closed = route.closed { throw misuse("This route builder \(closed): make a new one.") }
            body(&route)
        }
    }

    private func misuse(_ message: String) -> HKError { .make(.errorInvalidArgument, message) }

    private func finish(_ workout: UUID, _ metadata: [String: Any]?) throws -> HKWorkoutRoute {
        guard recorder == nil else {
            throw misuse("This route builder belongs to a workout builder, whose finishWorkout saves the route.")
        }
        try change { $0.metadata.merge(metadata ?? [:]) { _, new in new } }
        let (positions, all) = route.withLock { route in
            nonisolated(unsafe) let metadata = route.metadata  // As above.
            return (route.positions.sorted { $0.date < $1.date }, metadata)
        }
        guard let first = positions.first, let last = positions.last else {
            throw misuse("A route without locations cannot be saved: insert some first.")
        }
        let sample = try HKWorkoutRoute.validated(
            ObjectIdentity(device: device, metadata: all), count: positions.count, start: first.date, end: last.date)
        try store.requireSharing([sample.sampleType])
        if store.environment.keepsWorkouts {
            try store.requireStored()
            try store.database.add([(sample, .positions(positions))], toWorkout: workout, from: .current)
        }
        close("has finished")
        return sample
    }

    // MARK: Of a workout under way

    /// What was added to the route's metadata; nil without any.
    var metadata: [String: Any]? {
        route.withLock { route in
            nonisolated(unsafe) let metadata = route.metadata  // As above.
            return metadata.isEmpty ? nil : metadata
        }
    }

    /// - Returns: Whether it was open until now.
    @discardableResult
    func close(_ reason: String) -> Bool {
        route.withLock { route in
            guard route.closed == nil else { return false }
            route = Route(closed: reason)
            return true
        }
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
