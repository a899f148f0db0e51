/// The figures of all samples that match.
public struct HKStatisticsQueryDescriptor: HKAsyncQuery, Sendable {
    /// Optional as in Apple's framework; never nil here.
    public typealias Output = HKStatistics?

    /// The type, and which of its samples count.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// Which figures: a sum of a cumulative type; average, minimum and maximum of a discrete one.
    public var options: HKStatisticsOptions

    /// - Parameter options: Checked when the query is executed; see ``result(for:)``.
    public init(predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions) {
        self.predicate = predicate
        self.options = options
    }

    /// Stops the program when an option does not go with the type.
    /// - Throws: ``HKError/Code/errorNoData`` when no sample matches, although the result is optional: as Apple's does.
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
    /// Only ``quantitySample(type:predicate:)`` makes these.
    var quantityType: HKQuantityType {
        guard let type = sampleType as? HKQuantityType else {
            preconditionFailure("\(sampleType.identifier) is not a quantity type")
        }
        return type
    }
}
