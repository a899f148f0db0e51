/// Data of a workout that is not in its log: what an app added to its series, and its effort.
// Sendable holds: metadata holds only immutable values, since it enters through `MetadataCoding` alone.
package struct AddedSeries: @unchecked Sendable {
    package var routeMetadata: [String: Any]?
    package var heartbeats: (sample: HKHeartbeatSeriesSample, beats: [StoredHeartbeat])?

    /// The effort score, which is about the workout and not one of its figures.
    package var effort: HKQuantitySample?

    package init(
        routeMetadata: [String: Any]? = nil,
        heartbeats: (sample: HKHeartbeatSeriesSample, beats: [StoredHeartbeat])? = nil,
        effort: HKQuantitySample? = nil
    ) {
        self.routeMetadata = routeMetadata
        self.heartbeats = heartbeats
        self.effort = effort
    }
}
