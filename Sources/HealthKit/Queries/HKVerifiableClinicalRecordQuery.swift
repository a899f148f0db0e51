/// Asks the user for records that their issuer signed.
///
/// There are no such records on Linux: the query fails with ``HKError/Code/errorHealthDataUnavailable``.
// Sendable holds: all stored properties are immutable.
open class HKVerifiableClinicalRecordQuery: HKQuery, @unchecked Sendable {
    /// Raw values of ``HKVerifiableClinicalRecordCredentialType``.
    public let recordTypes: [String]
    /// The requested form of the records.
    public let sourceTypes: [HKVerifiableClinicalRecordSourceType]
    private let handler:
        @Sendable (HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?) -> Void

    /// Asks for SMART health cards.
    @preconcurrency public convenience init(
        recordTypes: [String], predicate: NSPredicate?,
        resultsHandler:
            @escaping @Sendable (HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?) -> Void
    ) {
        self.init(
            recordTypes: recordTypes, sourceTypes: [.smartHealthCard], predicate: predicate,
            resultsHandler: resultsHandler)
    }

    /// - Parameter resultsHandler: Called once on the query's background queue, on Linux always with an error.
    @preconcurrency public init(
        recordTypes: [String], sourceTypes: [HKVerifiableClinicalRecordSourceType], predicate: NSPredicate?,
        resultsHandler:
            @escaping @Sendable (HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?) -> Void
    ) {
        self.recordTypes = recordTypes
        self.sourceTypes = sourceTypes
        handler = resultsHandler
        super.init(objectType: nil, predicate: predicate)
    }

    package override func makePlan() -> QueryPlan {
        QueryPlan(fail: { self.handler(self, nil, $0) }) { _ in
            throw HKError.make(
                .errorHealthDataUnavailable,
                "Verifiable clinical records cannot be read: on Linux nothing keeps them, and nobody can be asked.")
        }
    }
}
