extension HKQuery {
    /// Workouts of this activity type. For the activities of a workout, see ``predicateForWorkoutActivities(workoutActivityType:)``.
    public class func predicateForWorkouts(with workoutActivityType: HKWorkoutActivityType) -> NSPredicate {
        SampleFilter.workoutActivityType(.equal, workoutActivityType.rawValue).predicate
    }

    /// Workouts whose duration matches the comparison: in seconds, excluding pauses.
    public class func predicateForWorkouts(
        with operatorType: PredicateOperator, duration: TimeInterval
    ) -> NSPredicate {
        SampleFilter.workoutDuration(.init(comparing: operatorType, "durations"), duration).predicate
    }

    // A workout without the total, or without statistics of the type, matches `notEqualTo` and nothing else.

    /// Workouts whose active energy matches the comparison, in any unit of energy. A workout without a total only matches `notEqualTo`.
    public class func predicateForWorkouts(
        with operatorType: PredicateOperator, totalEnergyBurned: HKQuantity
    ) -> NSPredicate {
        total(.energyBurned, operatorType, totalEnergyBurned)
    }

    /// Workouts whose distance matches the comparison, in any unit of length. A workout without a total only matches `notEqualTo`.
    public class func predicateForWorkouts(
        with operatorType: PredicateOperator, totalDistance: HKQuantity
    ) -> NSPredicate {
        total(.distance, operatorType, totalDistance)
    }

    /// Workouts whose number of swimming strokes matches the comparison. A workout without a total only matches `notEqualTo`.
    public class func predicateForWorkouts(
        with operatorType: PredicateOperator, totalSwimmingStrokeCount: HKQuantity
    ) -> NSPredicate {
        total(.swimmingStrokeCount, operatorType, totalSwimmingStrokeCount)
    }

    /// Workouts whose number of flights of stairs matches the comparison. A workout without a total only matches `notEqualTo`.
    public class func predicateForWorkouts(
        with operatorType: PredicateOperator, totalFlightsClimbed: HKQuantity
    ) -> NSPredicate {
        total(.flightsClimbed, operatorType, totalFlightsClimbed)
    }

    /// Workouts whose sum of a cumulative type matches the comparison. A workout without statistics of the type only matches
    /// `notEqualTo`. An incompatible unit stops the program.
    public class func predicateForWorkouts(
        operatorType: PredicateOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sum, quantityType, operatorType, sumQuantity, SampleFilter.workoutStatistic)
    }

    /// Workouts whose minimum of a type matches the comparison. A workout without statistics of the type only matches `notEqualTo`. An
    /// incompatible unit stops the program.
    public class func predicateForWorkouts(
        operatorType: PredicateOperator, quantityType: HKQuantityType, minimumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.minimum, quantityType, operatorType, minimumQuantity, SampleFilter.workoutStatistic)
    }

    /// Workouts whose maximum of a type matches the comparison. A workout without statistics of the type only matches `notEqualTo`. An
    /// incompatible unit stops the program.
    public class func predicateForWorkouts(
        operatorType: PredicateOperator, quantityType: HKQuantityType, maximumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.maximum, quantityType, operatorType, maximumQuantity, SampleFilter.workoutStatistic)
    }

    /// Workouts whose average of a discrete type matches the comparison. A workout without statistics of the type only matches
    /// `notEqualTo`. An incompatible unit stops the program.
    public class func predicateForWorkouts(
        operatorType: PredicateOperator, quantityType: HKQuantityType, averageQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.average, quantityType, operatorType, averageQuantity, SampleFilter.workoutStatistic)
    }

    /// Workouts with a matching activity.
    public class func predicateForWorkouts(activityPredicate: NSPredicate) -> NSPredicate {
        SampleFilter.workoutActivity(SampleFilter(any: activityPredicate)).predicate
    }

    // MARK: Activities of workouts, for predicateForWorkouts(activityPredicate:)

    /// Activities of this type: the legs of a triathlon, or intervals.
    public class func predicateForWorkoutActivities(workoutActivityType: HKWorkoutActivityType) -> NSPredicate {
        SampleFilter.activityType(.equal, workoutActivityType.rawValue).predicate
    }

    /// Activities whose duration in seconds matches the comparison.
    public class func predicateForWorkoutActivities(
        operatorType: PredicateOperator, duration: TimeInterval
    ) -> NSPredicate {
        SampleFilter.activityDuration(.init(comparing: operatorType, "durations"), duration).predicate
    }

    /// Activities in an interval, as in ``predicateForSamples(withStart:end:options:)``.
    public class func predicateForWorkoutActivities(
        start: Date?, end: Date?, options: HKQueryOptions = []
    ) -> NSPredicate {
        SampleFilter.interval(
            from: start, to: end, options: options, start: SampleFilter.activityStartDate,
            end: SampleFilter.activityEndDate
        ).predicate
    }

    /// Activities whose sum of a cumulative type matches the comparison. Those without statistics of the type only match `notEqualTo`. An
    /// incompatible unit stops the program.
    public class func predicateForWorkoutActivities(
        operatorType: PredicateOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sum, quantityType, operatorType, sumQuantity, SampleFilter.activityStatistic)
    }

    /// Activities whose minimum of a type matches the comparison. Those without statistics of the type only match `notEqualTo`. An
    /// incompatible unit stops the program.
    public class func predicateForWorkoutActivities(
        operatorType: PredicateOperator, quantityType: HKQuantityType, minimumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.minimum, quantityType, operatorType, minimumQuantity, SampleFilter.activityStatistic)
    }

    /// Activities whose maximum of a type matches the comparison. Those without statistics of the type only match `notEqualTo`. An
    /// incompatible unit stops the program.
    public class func predicateForWorkoutActivities(
        operatorType: PredicateOperator, quantityType: HKQuantityType, maximumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.maximum, quantityType, operatorType, maximumQuantity, SampleFilter.activityStatistic)
    }

    /// Activities whose average of a discrete type matches the comparison. Those without statistics of the type only match `notEqualTo`. An
    /// incompatible unit stops the program.
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
    /// Effort samples of a workout. With an activity, those that overlap it in time.
    ///
    /// Only the store knows which activity a sample was related to, so a predicate uses the time instead.
    /// ``HKWorkoutEffortRelationshipQuery`` distinguishes activities exactly.
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
