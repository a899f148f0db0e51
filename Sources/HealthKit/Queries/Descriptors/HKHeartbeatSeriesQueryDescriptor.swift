/// The beats of a heartbeat series, in order.
public struct HKHeartbeatSeriesQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    /// Beats in order of time.
    public typealias Sequence = Results
    /// What ``results(for:)`` gives: one beat after another.
    public typealias Results = QueryResults<Heartbeat>

    /// One beat of the series.
    public struct Heartbeat: Hashable, Sendable {
        /// Seconds since the start of the series.
        public let timeIntervalSinceStart: TimeInterval
        /// Whether beats are missing before this one.
        public let precededByGap: Bool
    }

    /// The series, as the store handed it out.
    public var sample: HKHeartbeatSeriesSample

    /// - Parameter sample: One that the store holds; of another the iteration throws
    ///   ``HKError/Code/errorInvalidArgument``.
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
