extension HKQuery {
    /// Workouts whose own type this is; see ``predicateForWorkoutActivities(workoutActivityType:)`` for the parts of a
    /// workout.
    public class func predicateForWorkouts(with workoutActivityType: HKWorkoutActivityType) -> NSPredicate {
        SampleFilter.workoutActivityType(.equal, workoutActivityType.rawValue).predicate
    }

    /// The duration is in seconds and leaves pauses out.
    public class func predicateForWorkouts(
        with operatorType: PredicateOperator, duration: TimeInterval
    ) -> NSPredicate {
        SampleFilter.workoutDuration(.init(comparing: operatorType, "durations"), duration).predicate
    }

    // A workout without the total, or without statistics of the type, matches `notEqualTo` and nothing else.

    /// Workouts whose total of active energy compares so, in any unit of energy. One without the total matches
    /// `notEqualTo` only.
    public class func predicateForWorkouts(
        with operatorType: PredicateOperator, totalEnergyBurned: HKQuantity
    ) -> NSPredicate {
        total(.energyBurned, operatorType, totalEnergyBurned)
    }

    /// Workouts whose total distance compares so, in any unit of length. One without the total matches `notEqualTo`
    /// only.
    public class func predicateForWorkouts(
        with operatorType: PredicateOperator, totalDistance: HKQuantity
    ) -> NSPredicate {
        total(.distance, operatorType, totalDistance)
    }

    /// Workouts whose total of swimming strokes compares so, in counts. One without the total matches `notEqualTo`
    /// only.
    public class func predicateForWorkouts(
        with operatorType: PredicateOperator, totalSwimmingStrokeCount: HKQuantity
    ) -> NSPredicate {
        total(.swimmingStrokeCount, operatorType, totalSwimmingStrokeCount)
    }

    /// Workouts whose total of flights of stairs compares so, in counts. One without the total matches `notEqualTo`
    /// only.
    public class func predicateForWorkouts(
        with operatorType: PredicateOperator, totalFlightsClimbed: HKQuantity
    ) -> NSPredicate {
        total(.flightsClimbed, operatorType, totalFlightsClimbed)
    }

    /// Workouts whose sum of a cumulative type compares so. One without statistics of the type matches `notEqualTo`
    /// only. Stops the program when the quantity's unit does not convert to the type's.
    public class func predicateForWorkouts(
        operatorType: PredicateOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sum, quantityType, operatorType, sumQuantity, SampleFilter.workoutStatistic)
    }

    /// Workouts whose smallest value of a type compares so. One without statistics of the type matches `notEqualTo`
    /// only. Stops the program when the quantity's unit does not convert to the type's.
    public class func predicateForWorkouts(
        operatorType: PredicateOperator, quantityType: HKQuantityType, minimumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.minimum, quantityType, operatorType, minimumQuantity, SampleFilter.workoutStatistic)
    }

    /// Workouts whose largest value of a type compares so. One without statistics of the type matches `notEqualTo`
    /// only. Stops the program when the quantity's unit does not convert to the type's.
    public class func predicateForWorkouts(
        operatorType: PredicateOperator, quantityType: HKQuantityType, maximumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.maximum, quantityType, operatorType, maximumQuantity, SampleFilter.workoutStatistic)
    }

    /// Workouts whose average of a discrete type compares so. One without statistics of the type matches `notEqualTo`
    /// only. Stops the program when the quantity's unit does not convert to the type's.
    public class func predicateForWorkouts(
        operatorType: PredicateOperator, quantityType: HKQuantityType, averageQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.average, quantityType, operatorType, averageQuantity, SampleFilter.workoutStatistic)
    }

    /// Workouts with an activity that matches.
    public class func predicateForWorkouts(activityPredicate: NSPredicate) -> NSPredicate {
        SampleFilter.workoutActivity(SampleFilter(any: activityPredicate)).predicate
    }

    // MARK: Activities of workouts, for predicateForWorkouts(activityPredicate:)

    /// Activities of this type: the legs of a triathlon, or intervals.
    public class func predicateForWorkoutActivities(workoutActivityType: HKWorkoutActivityType) -> NSPredicate {
        SampleFilter.activityType(.equal, workoutActivityType.rawValue).predicate
    }

    /// Activities by their duration in seconds.
    public class func predicateForWorkoutActivities(
        operatorType: PredicateOperator, duration: TimeInterval
    ) -> NSPredicate {
        SampleFilter.activityDuration(.init(comparing: operatorType, "durations"), duration).predicate
    }

    /// The interval means what it means in ``predicateForSamples(withStart:end:options:)``.
    public class func predicateForWorkoutActivities(
        start: Date?, end: Date?, options: HKQueryOptions = []
    ) -> NSPredicate {
        SampleFilter.interval(
            from: start, to: end, options: options, start: SampleFilter.activityStartDate,
            end: SampleFilter.activityEndDate
        ).predicate
    }

    /// Activities whose sum of a cumulative type compares so; without statistics of it, `notEqualTo` only. Stops the
    /// program when the quantity's unit does not convert to the type's.
    public class func predicateForWorkoutActivities(
        operatorType: PredicateOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sum, quantityType, operatorType, sumQuantity, SampleFilter.activityStatistic)
    }

    /// Activities whose smallest value of a type compares so; without statistics of it, `notEqualTo` only. Stops the
    /// program when the quantity's unit does not convert to the type's.
    public class func predicateForWorkoutActivities(
        operatorType: PredicateOperator, quantityType: HKQuantityType, minimumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.minimum, quantityType, operatorType, minimumQuantity, SampleFilter.activityStatistic)
    }

    /// Activities whose largest value of a type compares so; without statistics of it, `notEqualTo` only. Stops the
    /// program when the quantity's unit does not convert to the type's.
    public class func predicateForWorkoutActivities(
        operatorType: PredicateOperator, quantityType: HKQuantityType, maximumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.maximum, quantityType, operatorType, maximumQuantity, SampleFilter.activityStatistic)
    }

    /// Activities whose average of a discrete type compares so; without statistics of it, `notEqualTo` only. Stops the
    /// program when the quantity's unit does not convert to the type's.
    public class func predicateForWorkoutActivities(
        operatorType: PredicateOperator, quantityType: HKQuantityType, averageQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.average, quantityType, operatorType, averageQuantity, SampleFilter.activityStatistic)
    }

    // MARK: -

    private static func total(
        _ total: SampleFilter.WorkoutTotal, _ type: PredicateOperator, _ quantity: HKQuantity
    ) -> NSPredicate {
        SampleFilter.comparing(.init(comparing: type, "totals of workouts")) { .workoutTotal(total, $0, quantity) }
            .predicate
    }

    private static func statistic(
        _ statistic: SampleFilter.Statistic, _ quantityType: HKQuantityType, _ type: PredicateOperator,
        _ quantity: HKQuantity,
        _ filter: (HKQuantityType, SampleFilter.Statistic, SampleFilter.Comparison, HKQuantity) -> SampleFilter
    ) -> NSPredicate {
        guard quantityType.is(compatibleWith: quantity.unit) else {
            preconditionFailure("\(quantity.unit) does not convert to the unit of \(quantityType.identifier)")
        }
        return SampleFilter.comparing(.init(comparing: type, "statistics of workouts")) {
            filter(quantityType, statistic, $0, quantity)
        }.predicate
    }
}

extension HKQuery {
    /// Effort samples that were related to a workout; with an activity, those whose time overlaps it.
    ///
    /// A predicate knows no store, and which part a sample was related to is known there alone: the time stands in for it.
    /// ``HKWorkoutEffortRelationshipQuery`` tells parts apart as they were named.
    public class func predicateForWorkoutEffortSamplesRelated(
        workout: HKWorkout, activity: HKWorkoutActivity?
    ) -> NSPredicate {
        let related = SampleFilter.workout(workout.uuid)
        guard let activity else { return related.predicate }
        let end = activity.endDate ?? workout.endDate
        return SampleFilter.and([
            related, .startDate(.lessOrEqual, end), .endDate(.greaterOrEqual, activity.startDate),
        ]).predicate
    }
}
