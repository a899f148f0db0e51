/// Finds documents, with or without their contents. The handler is called once.
// Sendable holds: all stored properties are immutable.
open class HKDocumentQuery: HKQuery, @unchecked Sendable {
    /// The largest number of documents. ``HKObjectQueryNoLimit`` for all.
    public let limit: Int
    /// The order. Any order if nil.
    public let sortDescriptors: [NSSortDescriptor]?
    /// Whether the samples come with their documents, which may be large.
    public let includeDocumentData: Bool
    private let type: HKDocumentType
    private let handler: @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void

    /// - Parameters:
    ///   - limit: ``HKObjectQueryNoLimit`` for all.
    ///   - includeDocumentData: Whether to read the documents. If false, those of the samples are nil.
    ///   - resultsHandler: Called once, with all of them and true.
    @preconcurrency public init(
        documentType: HKDocumentType, predicate: NSPredicate?, limit: Int, sortDescriptors: [NSSortDescriptor]?,
        includeDocumentData: Bool,
        resultsHandler: @escaping @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void
    ) {
        self.limit = limit
        self.sortDescriptors = sortDescriptors
        self.includeDocumentData = includeDocumentData
        type = documentType
        handler = resultsHandler
        super.init(objectType: documentType, predicate: predicate)
    }

    package override func makePlan() -> QueryPlan {
        QueryPlan(fail: { self.handler(self, nil, true, $0) }) { pass in
            let samples = try pass.database.samples(
                [pass.store.selection(self.type, self.predicate)],
                sortedBy: (self.sortDescriptors ?? []).map(SampleSort.init), limit: self.limit.asLimit)
            let documents = samples.compactMap { ($0 as? HKDocumentSample).map(self.asAsked) }
            pass.deliver { self.handler(self, documents, true, nil) }
        }
    }

    private func asAsked(_ sample: HKDocumentSample) -> HKDocumentSample {
        guard !includeDocumentData, let full = sample as? HKCDADocumentSample else { return sample }
        let empty = try? HKCDADocumentSample.validated(
            full.identity, document: nil, start: full.startDate, end: full.endDate)
        return empty ?? sample
    }
}
