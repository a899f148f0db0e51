extension HKHealthStore {
    /// Says that an effort sample is about a workout, or about a part of it. Saves the sample where it is not saved yet.
    /// - Parameter completion: Called on a background queue.
    @preconcurrency public func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground { [self] in respond(to: completion, else: false) { try relate(sample, workout, activity) } }
    }

    /// - Returns: True.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a sample that is of no effort, a workout that is not saved, and an
    ///   activity that is none of the workout's.
    @discardableResult
    public func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?
    ) async throws -> Bool {
        try HKError.translating { try relate(sample, workout, activity) }
    }

    /// Takes back what ``relateWorkoutEffortSample(_:with:activity:completion:)`` said; the sample stays saved.
    /// - Parameter completion: Called on a background queue.
    @preconcurrency public func unrelateWorkoutEffortSample(
        _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground { [self] in respond(to: completion, else: false) { try unrelate(sample, workout, activity) } }
    }

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
