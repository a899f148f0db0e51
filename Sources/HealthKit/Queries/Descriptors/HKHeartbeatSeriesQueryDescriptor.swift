/// The beats of a heartbeat series, in order.
public struct HKHeartbeatSeriesQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    public typealias Sequence = Results
    public typealias Results = QueryResults<Heartbeat>

    public struct Heartbeat: Hashable, Sendable {
        /// Seconds since the start of the series.
        public let timeIntervalSinceStart: TimeInterval
        /// Whether beats are missing before this one.
        public let precededByGap: Bool
    }

    public var sample: HKHeartbeatSeriesSample

    public init(_ sample: HKHeartbeatSeriesSample) {
        self.sample = sample
    }

    /// Ends with the last beat.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(healthStore) { continuation in
            HKHeartbeatSeriesQuery(heartbeatSeries: sample) { _, seconds, precededByGap, isDone, error in
                if let error {
                    continuation.finish(throwing: error)
                    return
                }
                continuation.yield(Heartbeat(timeIntervalSinceStart: seconds, precededByGap: precededByGap))
                if isDone { continuation.finish() }
            }
        }
    }
}
