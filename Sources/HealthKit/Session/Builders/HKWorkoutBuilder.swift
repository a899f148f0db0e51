import Recordings

/// Builds a workout step by step: begin, add, end, finish.
///
/// Every method has a form with a completion handler, called on a background queue, and an async one. Calls in the wrong
/// order change nothing and report ``HKError/Code/errorInvalidArgument`` with a sentence that says what to do.
// Sendable holds: all stored properties are immutable; what changes is the recorder's.
open class HKWorkoutBuilder: NSObject, @unchecked Sendable {
    private let parts: Parts
    let series = WorkoutSeries()
    /// Completion handlers run here and not on the recorder's queue, so that a handler may wait for another call.
    private let completions = DispatchQueue(label: "HealthKit.builder.completions")

    // Public to the compiler and to no app: a class that hides an initialiser passes none on to its subclasses.
    /// What a builder is made of.
    @_spi(Sessions) public struct Parts {
        let store: HKHealthStore
        let recorder: WorkoutRecorder
        let device: HKDevice?
    }

    package var recorder: WorkoutRecorder { parts.recorder }
    package var healthStore: HKHealthStore { parts.store }
    /// The workout's device, as the app gave it; nil for the builder of a session, whose samples name the sensors.
    open var device: HKDevice? { parts.device }

    /// A builder without a session, for a workout that the app measured or was told of itself.
    public init(healthStore: HKHealthStore, configuration: HKWorkoutConfiguration, device: HKDevice?) {
        let environment = healthStore.environment
        let recorder = environment.asCurrent {
            WorkoutRecorder(configuration: configuration.activityDescription, time: environment.time)
        }
        environment.workoutMade?(recorder)
        parts = Parts(store: healthStore, recorder: recorder, device: device)
    }

    /// For the builders that this module makes itself.
    @_spi(Sessions) public init(_ parts: Parts) {
        self.parts = parts
    }

    /// When collection began; nil before.
    open var startDate: Date? { recorder.read { $0.collectionStart } }
    /// When collection ended; nil before.
    open var endDate: Date? { recorder.read { $0.collectionEnd } }
    /// A copy: changing it changes nothing.
    open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(of: recorder.configuration) }
    /// What was added so far; empty at first.
    open var metadata: [String: Any] { MetadataCoding.readable(recorder.read { $0.metadata }) ?? [:] }
    /// The events so far, in order of their start: those of the session, if there is one, and those that the app added.
    open var workoutEvents: [HKWorkoutEvent] { recorder.read { $0.events }.compactMap { try? HKWorkoutEvent($0) } }
    /// The parts of the workout so far; one under way has no end.
    open var workoutActivities: [HKWorkoutActivity] {
        recorder.read { $0.activities }.map { HKWorkoutActivity($0) }
    }

    /// The figures of everything collected so far, by type.
    open var allStatistics: [HKQuantityType: HKStatistics] {
        HKStatistics.byType(recorder.read { $0.quantities })
    }

    /// The figures of one type; nil while there are no samples of it.
    open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        recorder.read { $0.quantities[quantityType.swiftName] }.flatMap { HKStatistics(quantityType, $0) }
    }

    /// Seconds from the start to `date` without pauses; 0 before collection has begun.
    open func elapsedTime(at date: Date) -> TimeInterval {
        recorder.activeSeconds(at: recorder.time.date(atWall: date))
    }

    // MARK: Collection

    /// Begins collection at `start`. Must come before anything is added. Needs the right to share workouts, as
    /// ``finishWorkout(completion:)`` does: an app without it hears of that now, and not after the workout.
    @preconcurrency
    open func beginCollection(
        withStart start: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        perform(completion) { [healthStore] recorder in
            if !recorder.isMirrored { try healthStore.requireBuilding() }
            try recorder.beginCollection(at: start)
        }
    }

    /// Begins collection, and returns when it has begun.
    ///
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` if the app never asked for the right to share workouts,
    ///   ``HKError/Code/errorAuthorizationDenied`` if it was refused; ``HKError/Code/errorInvalidArgument`` if collection began
    ///   before, or the workout is over.
    open func beginCollection(at start: Date) async throws {
        try await perform { [healthStore] recorder in
            if !recorder.isMirrored { try healthStore.requireBuilding() }
            try recorder.beginCollection(at: start)
        }
    }

    /// Adds samples to the workout, and to the store where they are not in it yet. None may start before the workout, and
    /// the app needs the right to share their types.
    @preconcurrency
    open func add(_ samples: [HKSample], completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
        perform(completion) { [healthStore] recorder in
            try healthStore.requireSharing(StoreWrite.types(of: samples))
            try recorder.add(samples)
        }
    }

    /// Adds samples, and returns when they are in the workout's log.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` before collection has begun, for an empty array, and for a
    ///   sample from before the workout; ``HKError/Code/errorAuthorizationDenied`` without the right to share a type.
    open func addSamples(_ samples: [HKSample]) async throws {
        try await perform { [healthStore] recorder in
            try healthStore.requireSharing(StoreWrite.types(of: samples))
            try recorder.add(samples)
        }
    }

    /// Adds events: laps, segments, markers, and without a session pauses and resumes.
    @preconcurrency
    open func addWorkoutEvents(
        _ workoutEvents: [HKWorkoutEvent], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        perform(completion) { try $0.add(workoutEvents) }
    }

    /// Adds laps, segments and markers, without a session pauses and resumes too.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` before collection has begun, or for an event that does not
    ///   belong there.
    open func addWorkoutEvents(_ workoutEvents: [HKWorkoutEvent]) async throws {
        try await perform { try $0.add(workoutEvents) }
    }

    /// Adds metadata; keys that are there already get the new value. An invalid value refuses all of it.
    @preconcurrency
    open func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let values = Result { try MetadataCoding.neutral(metadata) }
        perform(completion) { try $0.add(metadata: try values.get()) }
    }

    /// Adds metadata; keys that are there already get the new value.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a value that metadata cannot have, and then none of it is
    ///   added.
    open func addMetadata(_ metadata: [String: Any]) async throws {
        let values = try HKError.translating { try MetadataCoding.neutral(metadata) }
        try await perform { try $0.add(metadata: values) }
    }

    /// Adds an activity of the workout: a sport of several, or an interval. One without an end is ended with
    /// ``updateActivity(uuid:end:completion:)``. Parts do not overlap.
    @preconcurrency
    open func addWorkoutActivity(
        _ workoutActivity: HKWorkoutActivity, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        perform(completion) { try $0.add(workoutActivity) }
    }

    /// Adds an activity of the workout.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` where it overlaps another one or begins before the workout,
    ///   ``HKError/Code/errorWorkoutActivityNotAllowed`` for a sport that the workout does not take.
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
    /// - Throws: ``HKError/Code/errorInvalidArgument`` where the activity is not under way, and for an end before its
    ///   beginning.
    open func updateActivity(uuid: UUID, end: Date) async throws {
        try await perform { try $0.endActivity(uuid, at: end) }
    }

    /// Adds metadata to an activity; keys that are there already get the new value.
    @preconcurrency
    open func updateActivity(
        uuid: UUID, adding metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let values = Result { try MetadataCoding.neutral(metadata) }
        perform(completion) { try $0.updateActivity(uuid, adding: try values.get()) }
    }

    /// Adds metadata to an activity; keys that are there already get the new value.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` where the workout has no such activity, and for a value that
    ///   metadata cannot have.
    open func updateActivity(uuid: UUID, adding metadata: [String: Any]) async throws {
        let values = try HKError.translating { try MetadataCoding.neutral(metadata) }
        try await perform { try $0.updateActivity(uuid, adding: values) }
    }

    /// Ends collection at `end`. Must come before ``finishWorkout(completion:)``.
    @preconcurrency
    open func endCollection(
        withEnd end: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        perform(completion) { try $0.endCollection(at: end) }
    }

    /// Ends collection, and returns when it has ended.
    ///
    /// - Throws: `HKError` where it did not begin, or has ended.
    open func endCollection(at end: Date) async throws {
        try await perform { try $0.endCollection(at: end) }
    }

    /// Saves the workout and hands it out; nil and no error on a locked device, where it waits beside the store. Needs the
    /// right to share workouts; without it the builder stays as it is, and can be finished later.
    @preconcurrency
    open func finishWorkout(completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void) {
        recorder.enqueue { [self] recorder in
            let result = Result { try finished(recorder) }
            completions.asyncInEnvironment {
                switch result {
                case .success(let workout): completion(workout, nil)
                case .failure(let error): completion(nil, HKError.wrapping(error))
                }
            }
        }
    }

    /// Saves the workout.
    ///
    /// - Returns: The workout; nil on a locked device, where it waits beside the store.
    /// - Throws: ``HKError/Code/errorAuthorizationDenied`` without the right to share workouts. The builder stays as it is then, and
    ///   can be finished later.
    open func finishWorkout() async throws -> HKWorkout? {
        try await withCheckedThrowingContinuation { continuation in
            recorder.enqueue { [self] recorder in
                continuation.resume(with: Result { try finished(recorder) }.mapError(HKError.wrapping))
            }
        }
    }

    /// Gives the workout up: nothing is saved as a workout. Samples that the sensors measured and that were added stay in the store.
    open func discardWorkout() {
        recorder.enqueue { [series, healthStore] recorder in
            recorder.discard { healthStore.liveSamples(of: recorder.id, recorder.log) }
            series.close("belongs to a workout that was discarded")
        }
    }

    /// Gives the workout up, with what was measured for it: for a user who wants nothing left of it.
    package func discardWorkoutAndSamples() {
        recorder.enqueue { [series] recorder in
            recorder.discard(keepingSamples: false) { nil }
            series.close("belongs to a workout that was discarded")
        }
    }

    /// The builder of a series that belongs to this workout: the same one at every call, finished with the workout and not
    /// to be finished by itself. Nil for other types than routes and heartbeats, and for heartbeats before collection has
    /// begun.
    ///
    /// Locations go into the workout's log: what was acknowledged survives a crash. Heartbeats are held until the workout
    /// is finished.
    open func seriesBuilder(for seriesType: HKSeriesType) -> HKSeriesBuilder? { makeSeriesBuilder(for: seriesType) }

    private func finished(_ recorder: isolated WorkoutRecorder) throws -> HKWorkout? {
        let isAlone = recorder.session == nil
        return try recorder.finish { state, log in
            var state = state
            // An app may describe the parts after it added their samples.
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
            completions.asyncInEnvironment {
                switch result {
                case .success: completion(true, nil)
                case .failure(let error): completion(false, HKError.wrapping(error))
                }
            }
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
