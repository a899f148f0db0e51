/// Finds correlations whose contained samples match too. The handler is called once.
// Sendable holds: every stored property is immutable, and the handler is Sendable.
open class HKCorrelationQuery: HKQuery, @unchecked Sendable {
    /// The type of the correlations, such as blood pressure.
    public let correlationType: HKCorrelationType
    /// The predicates for contained samples, by type. Other types are not filtered.
    public let samplePredicates: [HKSampleType: NSPredicate]?

    private let handler: @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void

    /// - Parameter samplePredicates: A correlation must contain a matching sample of each of these types.
    @preconcurrency public init(
        type correlationType: HKCorrelationType, predicate: NSPredicate?,
        samplePredicates: [HKSampleType: NSPredicate]?,
        completion: @escaping @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void
    ) {
        self.correlationType = correlationType
        self.samplePredicates = samplePredicates
        handler = completion
        super.init(objectType: correlationType, predicate: predicate)
    }

    package override func makePlan() -> QueryPlan {
        QueryPlan(fail: { self.handler(self, nil, $0) }) { pass in
            let filters = try (self.samplePredicates ?? [:]).map { type, predicate in
                (type, try SampleFilter(predicate: predicate, for: type))
            }
            let samples = try pass.database.samples(
                [pass.store.selection(self.correlationType, self.predicate)], sortedBy: [], limit: nil)
            let correlations = try pass.store.visible(samples).compactMap { $0 as? HKCorrelation }.filter {
                correlation in
                filters.allSatisfy { type, filter in correlation.objects(for: type).contains(where: filter.matches) }
            }
            pass.deliver { self.handler(self, correlations, nil) }
        }
    }
}
