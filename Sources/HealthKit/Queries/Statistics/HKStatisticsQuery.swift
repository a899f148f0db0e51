/// Computes statistics of all matching samples. The handler is called once.
///
/// The statistics cover the time from the start of the first sample to the end of the last one. Without samples the handler gets
/// ``HKError/Code/errorNoData``.
// Sendable holds: every stored property is immutable, the handler Sendable.
open class HKStatisticsQuery: HKQuery, @unchecked Sendable {
    private let type: HKQuantityType
    private let options: HKStatisticsOptions
    private let handler: @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void

    /// Stops the program if an option doesn't fit the type: a sum of a discrete type, or an average, minimum or maximum of a
    /// cumulative one.
    @preconcurrency public init(
        quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?, options: HKStatisticsOptions = [],
        completionHandler handler: @escaping @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void
    ) {
        options.require(for: quantityType)
        type = quantityType
        self.options = options
        self.handler = handler
        super.init(objectType: quantityType, predicate: quantitySamplePredicate)
    }

    package override func makePlan() -> QueryPlan {
        QueryPlan(fail: { self.handler(self, nil, $0) }) { pass in
            let buckets = try pass.database.statistics(
                pass.store.selection(self.type, self.predicate), bounds: .whole,
                separatingSources: self.options.contains(.separateBySource))
            guard let bucket = buckets.first, bucket.total.count > 0 else {
                throw HKError.make(.errorNoData, "No data available for the specified predicate")
            }
            let statistics = HKStatistics(bucket, of: self.type, options: self.options)
            pass.deliver { self.handler(self, statistics, nil) }
        }
    }
}

extension HKStatistics {
    convenience init(_ bucket: StatisticsBucket, of type: HKQuantityType, options: HKStatisticsOptions) {
        self.init(
            quantityType: type, startDate: bucket.start, endDate: bucket.end, options: options,
            unit: type.recordingUnit, total: bucket.total,
            bySource: options.contains(.separateBySource) ? bucket.bySource : [:])
    }

    /// Of a stretch of time without samples.
    convenience init(without type: HKQuantityType, from start: Date, to end: Date, options: HKStatisticsOptions) {
        self.init(
            quantityType: type, startDate: start, endDate: end, options: options, unit: type.recordingUnit,
            total: RunningStatistics(.arithmetic))
    }
}
