extension HKWorkoutBuilder {
    /// See ``seriesBuilder(for:)``, which a subclass may override.
    func makeSeriesBuilder(for seriesType: HKSeriesType) -> HKSeriesBuilder? {
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
