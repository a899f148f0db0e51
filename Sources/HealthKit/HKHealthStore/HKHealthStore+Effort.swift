extension HKHealthStore {
    /// Relates an effort sample to a workout or one of its activities. Saves the sample if necessary.
    /// - Parameter completion: Called on a background queue.
    @preconcurrency public func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground { [self] in respond(to: completion, else: false) { try relate(sample, workout, activity) } }
    }

    /// Relates an effort sample to a workout or one of its activities.
    /// - Returns: True.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if the sample is not an effort, the workout is not stored, or
    ///   the activity is not one of the workout's.
    @discardableResult
    public func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?
    ) async throws -> Bool {
        try HKError.translating { try relate(sample, workout, activity) }
    }

    /// Removes a relationship of ``relateWorkoutEffortSample(_:with:activity:completion:)``. The sample stays stored.
    /// - Parameter completion: Called on a background queue.
    @preconcurrency public func unrelateWorkoutEffortSample(
        _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground { [self] in respond(to: completion, else: false) { try unrelate(sample, workout, activity) } }
    }

    /// Removes a relationship.
    /// - Returns: Whether they were related.
    @discardableResult
    public func unrelateWorkoutEffortSample(
        _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?
    ) async throws -> Bool {
        try HKError.translating { try unrelate(sample, workout, activity) }
    }

    private func relate(_ sample: HKSample, _ workout: HKWorkout, _ activity: HKWorkoutActivity?) throws -> Bool {
        guard WorkoutEffort.types.contains(sample.sampleType) else {
            throw HKError.make(
                .errorInvalidArgument,
                "A sample of \(sample.sampleType.identifier) is not an effort; use workoutEffortScore or estimatedWorkoutEffortScore."
            )
        }
        if let activity, !workout.workoutActivities.contains(where: { $0.uuid == activity.uuid }) {
            throw HKError.make(
                .errorInvalidArgument, "The activity \(activity.uuid) does not belong to the workout \(workout.uuid).")
        }
        try requireSharing([sample.sampleType])
        try requireStored()
        try database.relateEffort(sample, toWorkout: workout.uuid, activity: activity?.uuid, from: .current)
        return true
    }

    private func unrelate(_ sample: HKSample, _ workout: HKWorkout, _ activity: HKWorkoutActivity?) throws -> Bool {
        try requireSharing([sample.sampleType])
        try requireStored()
        return try database.unrelateEffort(sample.uuid, fromWorkout: workout.uuid, activity: activity?.uuid)
    }
}
