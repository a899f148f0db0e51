public import Foundation

// The initialisers that builders have taken the place of. Apps still use them for workouts that they know as a whole.
// A workout made this way has the totals it was given and no statistics, since no samples belong to it.
//
// They trap where HealthKit raises: an end before the start, a total in a unit that it cannot have, an event outside the
// workout, metadata of a type that is not allowed.

@available(iOS, deprecated: 17.0, message: "Use HKWorkoutBuilder")
extension HKWorkout {
    /// A workout of which only the time is known: no totals, no events, no statistics. Traps when it ends before it
    /// starts.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date, end endDate: Date
    ) {
        self.init(workoutActivityType, startDate, endDate)
    }

    /// - Parameter duration: Seconds without pauses. 0 stands for the time from start to end. (That is how this module
    ///   reads a duration that was not measured; Apple's documentation does not say.)
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date, end endDate: Date,
        duration: TimeInterval, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?, metadata: [String: Any]?
    ) {
        self.init(
            workoutActivityType, startDate, endDate, duration: duration == 0 ? nil : duration,
            totals: WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance), metadata: metadata)
    }

    /// With the device that measured it; the duration as above.
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

    /// The duration is that from start to end without the pauses among the events. Traps for an event outside the
    /// workout.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date, end endDate: Date,
        workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?,
        metadata: [String: Any]?
    ) {
        self.init(
            workoutActivityType, startDate, endDate, events: workoutEvents,
            totals: WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance), metadata: metadata)
    }

    /// With the device that measured it; the duration as above.
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

    /// With a count of strokes. Traps when a total is in a unit that it cannot have.
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

    /// With a count of flights of stairs. Traps when a total is in a unit that it cannot have.
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
