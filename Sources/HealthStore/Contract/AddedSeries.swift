/// What an app added to the series of a workout that is not in its log.
// Sendable holds: metadata holds only immutable values, since it enters through `MetadataCoding` alone.
package struct AddedSeries: @unchecked Sendable {
    package var routeMetadata: [String: Any]?
    package var heartbeats: (sample: HKHeartbeatSeriesSample, beats: [StoredHeartbeat])?

    package init(
        routeMetadata: [String: Any]? = nil,
        heartbeats: (sample: HKHeartbeatSeriesSample, beats: [StoredHeartbeat])? = nil
    ) {
        self.routeMetadata = routeMetadata
        self.heartbeats = heartbeats
    }
}
