import SessionLog

/// Computes statistics of all matching samples. The handler is called once.
///
/// The statistics cover the time from the start of the first sample to the end of the last one. Without samples the handler gets
/// ``HKError/Code/errorNoData``.
// Sendable holds: every stored property is immutable, and the handler is Sendable.
open class HKStatisticsQuery: HKQuery, @unchecked Sendable {
    private let type: HKQuantityType
    private let options: HKStatisticsOptions
    private let handler: @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void

    /// Creates a query. Stops the program if an option doesn't fit the type: a sum of a discrete type, or an average,
    /// minimum or maximum of a cumulative one.
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

    /// Creates the statistics of a period without samples.
    convenience init(without type: HKQuantityType, from start: Date, to end: Date, options: HKStatisticsOptions) {
        self.init(
            quantityType: type, startDate: start, endDate: end, options: options, unit: type.recordingUnit,
            total: RunningStatistics(.arithmetic))
    }
}

/// A query for the statistics of all matching samples.
public struct HKStatisticsQueryDescriptor: HKAsyncQuery, Sendable {
    /// The statistics. Optional as in Apple's framework, but never nil.
    public typealias Output = HKStatistics?

    /// The type, and the condition for its samples.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// The statistics to compute: the sum of a cumulative type, or average, minimum and maximum of a discrete one.
    public var options: HKStatisticsOptions

    /// - Parameter options: The statistics to compute. They are checked when the query is executed: see
    ///   ``result(for:)``.
    public init(predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions) {
        self.predicate = predicate
        self.options = options
    }

    /// Returns the statistics. Stops the program if an option doesn't fit the type.
    /// - Throws: ``HKError/Code/errorNoData`` if no sample matches. As in Apple's framework, it throws although the
    ///   result is optional.
    public func result(for healthStore: HKHealthStore) async throws -> HKStatistics? {
        let statistics: HKStatistics = try await healthStore.answer { answer in
            HKStatisticsQuery(
                quantityType: predicate.quantityType, quantitySamplePredicate: predicate.nsPredicate, options: options
            ) {
                answer(Result($1, $2))
            }
        }
        return statistics
    }
}

extension HKSamplePredicate<HKQuantitySample> {
    /// The type. Only ``quantitySample(type:predicate:)`` creates such predicates.
    var quantityType: HKQuantityType {
        guard let type = sampleType as? HKQuantityType else {
            preconditionFailure("\(sampleType.identifier) is not a quantity type")
        }
        return type
    }
}
