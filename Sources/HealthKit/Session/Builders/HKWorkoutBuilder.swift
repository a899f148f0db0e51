package import Engine
import SessionLog

/// Builds a workout step by step: begin, add, end, finish.
///
/// Every method has an async form, and one with a completion handler that is called on a background queue. Calls in the
/// wrong order change nothing and fail with ``HKError/Code/errorInvalidArgument``, whose message states what to do.
// Sendable holds: all stored properties are immutable, and the recorder has everything that changes.
open class HKWorkoutBuilder: NSObject, @unchecked Sendable {
    private let parts: Parts
    let series = WorkoutSeries()
    /// Completion handlers run here and not on the recorder's queue, so that a handler may wait for another call.
    private let completions = DispatchQueue(label: "HealthKit.builder.completions")

    // Public for the compiler, but not available to apps: if a class hides an initialiser, its subclasses inherit none.
    /// The parts of a builder.
    @_spi(Sessions) public struct Parts {
        let store: HKHealthStore
        let recorder: WorkoutRecorder
        let device: HKDevice?
    }

    package var recorder: WorkoutRecorder { parts.recorder }
    package var healthStore: HKHealthStore { parts.store }
    /// The device that the app passed. Nil for the builder of a session, whose samples contain the sensors.
    open var device: HKDevice? { parts.device }

    /// Creates a builder without a session, for a workout that the app measured or the user entered.
    public init(healthStore: HKHealthStore, configuration: HKWorkoutConfiguration, device: HKDevice?) {
        let environment = healthStore.environment
        let recorder = environment.asCurrent {
            WorkoutRecorder(configuration: configuration.activityDescription, time: environment.time)
        }
        environment.workoutMade?(recorder)
        parts = Parts(store: healthStore, recorder: recorder, device: device)
    }

    /// Creates a builder of this module.
    @_spi(Sessions) public init(_ parts: Parts) {
        self.parts = parts
    }

    /// When collection began. Nil before.
    open var startDate: Date? { recorder.read { $0.collectionStart } }
    /// When collection ended. Nil before.
    open var endDate: Date? { recorder.read { $0.collectionEnd } }
    /// A copy of the configuration.
    open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(of: recorder.configuration) }
    /// The metadata added so far.
    open var metadata: [String: Any] { MetadataCoding.readable(recorder.read { $0.metadata }) ?? [:] }
    /// The events of the session and of the app so far, sorted by start.
    open var workoutEvents: [HKWorkoutEvent] { recorder.read { $0.events }.compactMap { try? HKWorkoutEvent($0) } }
    /// The activities of the workout so far. The current one has no end.
    open var workoutActivities: [HKWorkoutActivity] {
        recorder.read { $0.activities }.map { HKWorkoutActivity($0) }
    }

    /// The statistics of all collected samples, by type.
    open var allStatistics: [HKQuantityType: HKStatistics] {
        HKStatistics.byType(recorder.read { $0.quantities })
    }

    /// Returns the statistics of one type, or nil while there are no samples of it.
    open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        recorder.read { $0.quantities[quantityType.swiftName] }.flatMap { HKStatistics(quantityType, $0) }
    }

    /// Returns the seconds from the start to `date` without pauses. 0 before collection has begun.
    open func elapsedTime(at date: Date) -> TimeInterval {
        recorder.activeSeconds(at: recorder.time.date(atWall: date))
    }

    // MARK: Collection

    /// Begins collection at `start`, before anything can be added. Like ``finishWorkout(completion:)``, this needs permission to
    /// share workouts: an app without it fails here rather than after the workout.
    @preconcurrency
    open func beginCollection(
        withStart start: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        perform(completion) { [self] recorder in
            if !recorder.isMirrored { try healthStore.requireBuilding() }
            addPreferredZones(to: recorder)
            try recorder.beginCollection(at: start)
        }
    }

    /// Begins collection, and returns when it has begun.
    ///
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` if the app never requested permission to share
    ///   workouts, ``HKError/Code/errorAuthorizationDenied`` if it was denied; ``HKError/Code/errorInvalidArgument`` if
    ///   collection has already begun, or the workout is over.
    open func beginCollection(at start: Date) async throws {
        try await perform { [self] recorder in
            if !recorder.isMirrored { try healthStore.requireBuilding() }
            addPreferredZones(to: recorder)
            try recorder.beginCollection(at: start)
        }
    }

    /// Adds samples to the workout, and to the store if it doesn't have them. None may start before the workout, and the app needs
    /// permission to share their types.
    @preconcurrency
    open func add(_ samples: [HKSample], completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
        perform(completion) { [healthStore] recorder in
            try healthStore.requireSharing(StoreWrite.types(of: samples))
            try recorder.add(samples)
        }
    }

    /// Adds samples, and returns when they are in the workout's log.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` before collection has begun, for an empty array, and for a
    ///   sample from before the workout; ``HKError/Code/errorAuthorizationDenied`` without permission to share a type.
    open func addSamples(_ samples: [HKSample]) async throws {
        try await perform { [healthStore] recorder in
            try healthStore.requireSharing(StoreWrite.types(of: samples))
            try recorder.add(samples)
        }
    }

    /// Adds laps, segments and markers. Without a session, also adds pauses and resumes.
    @preconcurrency
    open func addWorkoutEvents(
        _ workoutEvents: [HKWorkoutEvent], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        perform(completion) { try $0.add(workoutEvents) }
    }

    /// Adds laps, segments and markers. Without a session, also adds pauses and resumes.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` before collection has begun, or for any other event.
    open func addWorkoutEvents(_ workoutEvents: [HKWorkoutEvent]) async throws {
        try await perform { try $0.add(workoutEvents) }
    }

    /// Adds metadata. Existing keys get the new value. If a value is invalid, nothing is added.
    @preconcurrency
    open func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let values = Result { try MetadataCoding.neutral(metadata) }
        perform(completion) { try $0.add(metadata: try values.get()) }
    }

    /// Adds metadata. Existing keys get the new value.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an invalid value. Then nothing is added.
    open func addMetadata(_ metadata: [String: Any]) async throws {
        let values = try HKError.translating { try MetadataCoding.neutral(metadata) }
        try await perform { try $0.add(metadata: values) }
    }

    /// Adds an activity to the workout: a leg, or an interval. Activities don't overlap.
    /// ``updateActivity(uuid:end:completion:)`` ends one that has no end.
    @preconcurrency
    open func addWorkoutActivity(
        _ workoutActivity: HKWorkoutActivity, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        perform(completion) { try $0.add(workoutActivity) }
    }

    /// Adds an activity to the workout.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if it overlaps another one or begins before the workout,
    ///   ``HKError/Code/errorWorkoutActivityNotAllowed`` if the workout can't contain its activity type.
    open func addWorkoutActivity(_ workoutActivity: HKWorkoutActivity) async throws {
        try await perform { try $0.add(workoutActivity) }
    }

    /// Ends an activity that was added without an end.
    @preconcurrency
    open func updateActivity(
        uuid: UUID, end: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        perform(completion) { try $0.endActivity(uuid, at: end) }
    }

    /// Ends an activity that was added without an end.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if the activity is not running, and for an end before its start.
    open func updateActivity(uuid: UUID, end: Date) async throws {
        try await perform { try $0.endActivity(uuid, at: end) }
    }

    /// Adds metadata to an activity. Existing keys get the new value.
    @preconcurrency
    open func updateActivity(
        uuid: UUID, adding metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let values = Result { try MetadataCoding.neutral(metadata) }
        perform(completion) { try $0.updateActivity(uuid, adding: try values.get()) }
    }

    /// Adds metadata to an activity. Existing keys get the new value.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if the workout has no such activity, and for an invalid value.
    open func updateActivity(uuid: UUID, adding metadata: [String: Any]) async throws {
        let values = try HKError.translating { try MetadataCoding.neutral(metadata) }
        try await perform { try $0.updateActivity(uuid, adding: values) }
    }

    /// Ends collection at `end`. Call this before ``finishWorkout(completion:)``.
    @preconcurrency
    open func endCollection(
        withEnd end: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        perform(completion) { try $0.endCollection(at: end) }
    }

    /// Ends collection, and returns when it has ended.
    ///
    /// - Throws: ``HKError`` if collection has not begun, or has ended.
    open func endCollection(at end: Date) async throws {
        try await perform { try $0.endCollection(at: end) }
    }

    /// Saves the workout. `completion` gets the workout. It gets nil without an error if the device is locked: the
    /// workout then waits beside the store. Without permission to share workouts this fails, and can be called again
    /// later.
    @preconcurrency
    open func finishWorkout(completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void) {
        recorder.enqueue { [self] recorder in
            let result = Result { try finished(recorder) }
            completions.asyncInEnvironment { respond(to: completion, else: nil) { try result.get() } }
        }
    }

    /// Saves the workout.
    ///
    /// - Returns: The workout. Nil if the device is locked: the workout then waits beside the store.
    /// - Throws: ``HKError/Code/errorAuthorizationDenied`` without permission to share workouts. This method can then
    ///   be called again later.
    open func finishWorkout() async throws -> HKWorkout? {
        try await withCheckedThrowingContinuation { continuation in
            recorder.enqueue { [self] recorder in
                continuation.resume(with: Result { try finished(recorder) }.mapError(HKError.wrapping))
            }
        }
    }

    /// Discards the workout. Measured and added samples stay in the store.
    open func discardWorkout() {
        recorder.enqueue { [series, healthStore] recorder in
            recorder.discard { healthStore.liveSamples(of: recorder.id, recorder.log) }
            series.close("belongs to a workout that was discarded")
        }
    }

    /// Discards the workout and its measured samples.
    package func discardWorkoutAndSamples() {
        recorder.enqueue { [series] recorder in
            recorder.discard(keepingSamples: false) { nil }
            series.close("belongs to a workout that was discarded")
        }
    }

    /// Returns the builder of a series of this workout. Every call returns the same one. It is finished with the
    /// workout, not by the app. Nil for other types than routes and heartbeats, and for heartbeats before collection
    /// has begun.
    ///
    /// Locations are in the workout's log once they are acknowledged, so they survive a crash. Heartbeats are in memory
    /// until the workout is finished.
    open func seriesBuilder(for seriesType: HKSeriesType) -> HKSeriesBuilder? { makeSeriesBuilder(for: seriesType) }

    private func finished(_ recorder: isolated WorkoutRecorder) throws -> HKWorkout? {
        let isAlone = recorder.session == nil
        return try recorder.finish { state, log in
            var state = state
            // An app may describe the activities after it added their samples.
            if isAlone { try state.attributeReadings(of: log) }
            let workout = try HKWorkout.of(state, id: recorder.id, device: device)
            if healthStore.environment.keepsWorkouts {
                try healthStore.requireSharing([.workoutType()])
                try healthStore.keep(.workout(workout, log: log, adding: series.added()))
            }
            series.close("belongs to a workout that is finished")
            return healthStore.environment.keepsWorkouts && healthStore.isLocked ? nil : workout
        }
    }

    // MARK: Getting onto the recorder's queue and back

    func perform(
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
        _ body: @escaping @Sendable (isolated WorkoutRecorder) throws -> Void
    ) {
        recorder.enqueue { [completions] recorder in
            let result = Result { try body(recorder) }
            completions.asyncInEnvironment { respond(to: completion) { try result.get() } }
        }
    }

    func perform(_ body: @escaping @Sendable (isolated WorkoutRecorder) throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            recorder.enqueue { recorder in
                continuation.resume(with: Result { try body(recorder) }.mapError(HKError.wrapping))
            }
        }
    }
}
