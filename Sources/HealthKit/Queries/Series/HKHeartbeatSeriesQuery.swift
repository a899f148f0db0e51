/// Reads the beats of a heartbeat series in order. The handler is called for each.
// Sendable holds: every stored property is immutable, and the handler is Sendable.
open class HKHeartbeatSeriesQuery: HKQuery, @unchecked Sendable {
    private let series: HKHeartbeatSeriesSample
    private let handler: @Sendable (HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?) -> Void

    /// - Parameter dataHandler: Called with the seconds since the start of the series, whether beats are missing before
    ///   this one, and whether it is the last.
    @preconcurrency public init(
        heartbeatSeries: HKHeartbeatSeriesSample,
        dataHandler: @escaping @Sendable (HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?) -> Void
    ) {
        series = heartbeatSeries
        handler = dataHandler
        super.init(objectType: heartbeatSeries.sampleType, predicate: nil)
    }

    package override func makePlan() -> QueryPlan {
        QueryPlan(fail: { self.handler(self, 0, false, true, $0) }) { pass in
            let beats = try pass.store.maySee(self.series) ? pass.database.heartbeats(self.series.uuid) : []
            guard !beats.isEmpty else {
                throw HKError.make(
                    .errorInvalidArgument,
                    "The store holds no beats of the heartbeat series \(self.series.uuid): save it, or query for it first."
                )
            }
            for (index, beat) in beats.enumerated() {
                pass.deliver {
                    self.handler(
                        self, beat.secondsSinceStart, beat.precededByGap, index == beats.count - 1, nil)
                }
            }
        }
    }
}

/// A query for the beats of a heartbeat series, in order.
public struct HKHeartbeatSeriesQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    /// Beats in order of time.
    public typealias Sequence = Results
    /// The sequence of ``results(for:)``: one beat after another.
    public typealias Results = QueryResults<Heartbeat>

    /// One beat of the series.
    public struct Heartbeat: Hashable, Sendable {
        /// Seconds since the start of the series.
        public let timeIntervalSinceStart: TimeInterval
        /// Whether beats are missing before this one.
        public let precededByGap: Bool
    }

    /// The series, as returned by the store.
    public var sample: HKHeartbeatSeriesSample

    /// - Parameter sample: A stored one. For another, the iteration throws ``HKError/Code/errorInvalidArgument``.
    public init(_ sample: HKHeartbeatSeriesSample) {
        self.sample = sample
    }

    /// Returns a sequence that ends with the last beat.
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
