extension HKWorkoutBuilder {
    /// The builder of a series that belongs to this workout: the same one at every call, finished with the workout and not
    /// to be finished by itself. Nil for other types than routes and heartbeats, and for heartbeats before collection has
    /// begun.
    ///
    /// Locations go into the workout's log: what was acknowledged survives a crash. Heartbeats are held until the workout
    /// is finished.
    public func seriesBuilder(for seriesType: HKSeriesType) -> HKSeriesBuilder? {
        switch seriesType {
        case HKSeriesType.workoutRoute():
            let route = series.builder(of: seriesType) {
                HKWorkoutRouteBuilder(healthStore: healthStore, recorder: recorder)
            }
            return route
        case HKSeriesType.heartbeat():
            guard let start = startDate else { return nil }
            let beats = series.builder(of: seriesType) {
                HKHeartbeatSeriesBuilder(healthStore: healthStore, device: device, start: start, isOfWorkout: true)
            }
            return beats
        default:
            return nil
        }
    }
}
