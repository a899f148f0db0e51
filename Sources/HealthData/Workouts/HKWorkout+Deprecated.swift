public import Foundation

// The initialisers that builders have replaced. Apps still use them for complete workouts. A workout created this way
// has the given totals and no statistics, since it has no samples.
//
// They trap if HealthKit raises: for an end before the start, a total in a wrong unit, an event outside the workout,
// metadata of a type that is not allowed.

@available(iOS, deprecated: 17.0, message: "Use HKWorkoutBuilder")
extension HKWorkout {
    /// Creates a workout with a time and without totals, events and statistics. Traps if it ends before it starts.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date, end endDate: Date
    ) {
        self.init(workoutActivityType, startDate, endDate)
    }

    /// Creates a workout with totals.
    /// - Parameter duration: Seconds without pauses. 0 stands for the time from start to end. (This module interprets a
    ///   missing duration that way. Apple's documentation does not cover it.)
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date, end endDate: Date,
        duration: TimeInterval, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?, metadata: [String: Any]?
    ) {
        self.init(
            workoutActivityType, startDate, endDate, duration: duration == 0 ? nil : duration,
            totals: WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance), metadata: metadata)
    }

    /// Creates a workout with the device that measured it. The duration is as above.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date, end endDate: Date,
        duration: TimeInterval, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        self.init(
            workoutActivityType, startDate, endDate, duration: duration == 0 ? nil : duration,
            totals: WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance), device: device,
            metadata: metadata)
    }

    /// Creates a workout with events. The duration is that from start to end without the pauses among the events. Traps
    /// if an event is outside the workout.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date, end endDate: Date,
        workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?,
        metadata: [String: Any]?
    ) {
        self.init(
            workoutActivityType, startDate, endDate, events: workoutEvents,
            totals: WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance), metadata: metadata)
    }

    /// Creates a workout with the device that measured it. The duration is as above.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date, end endDate: Date,
        workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            workoutActivityType, startDate, endDate, events: workoutEvents,
            totals: WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance), device: device,
            metadata: metadata)
    }

    /// Creates a workout with a count of strokes. Traps if a total is in a wrong unit.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date, end endDate: Date,
        workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?,
        totalSwimmingStrokeCount: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            workoutActivityType, startDate, endDate, events: workoutEvents,
            totals: WorkoutTotals(
                energyBurned: totalEnergyBurned, distance: totalDistance, swimmingStrokeCount: totalSwimmingStrokeCount),
            device: device, metadata: metadata)
    }

    /// Creates a workout with a count of flights of stairs. Traps if a total is in a wrong unit.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date, end endDate: Date,
        workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?,
        totalFlightsClimbed: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            workoutActivityType, startDate, endDate, events: workoutEvents,
            totals: WorkoutTotals(
                energyBurned: totalEnergyBurned, distance: totalDistance, flightsClimbed: totalFlightsClimbed),
            device: device, metadata: metadata)
    }

    private convenience init(
        _ activityType: HKWorkoutActivityType, _ start: Date, _ end: Date, duration: TimeInterval? = nil,
        events: [HKWorkoutEvent]? = nil, totals: WorkoutTotals = WorkoutTotals(), device: HKDevice? = nil,
        metadata: [String: Any]? = nil
    ) {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activityType
        let identity = raising(try ObjectIdentity(device: device, metadata: metadata))
        self.init(
            like: raising(
                try HKWorkout.validated(
                    identity, configuration: configuration, start: start, end: end, duration: duration,
                    events: events ?? [], totals: totals)))
    }
}
