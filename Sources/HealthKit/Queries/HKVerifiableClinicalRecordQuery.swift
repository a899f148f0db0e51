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

    /// Creates a query for SMART health cards.
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

/// A query for records that their issuer signed. See ``HKVerifiableClinicalRecordQuery`` for its behaviour on Linux.
// Sendable holds: predicates are never changed.
public struct HKVerifiableClinicalRecordQueryDescriptor: HKAsyncQuery, @unchecked Sendable {
    /// Signed records, of which there are none on Linux.
    public typealias Output = [HKVerifiableClinicalRecord]

    /// The requested types of credentials. Has no effect on Linux.
    public var recordTypes: [HKVerifiableClinicalRecordCredentialType]
    /// The requested form of the records. Has no effect on Linux.
    public var sourceTypes: [HKVerifiableClinicalRecordSourceType]
    /// The condition for records. Has no effect on Linux.
    public var predicate: NSPredicate?

    /// Creates a descriptor. ``result(for:)`` always fails on Linux.
    public init(
        recordTypes: [HKVerifiableClinicalRecordCredentialType],
        sourceTypes: [HKVerifiableClinicalRecordSourceType], predicate: NSPredicate? = nil
    ) {
        self.recordTypes = recordTypes
        self.sourceTypes = sourceTypes
        self.predicate = predicate
    }

    /// Always fails on Linux.
    /// - Throws: ``HKError/Code/errorHealthDataUnavailable``, because nothing on Linux stores such records.
    public func result(for healthStore: HKHealthStore) async throws -> Output {
        try await healthStore.answer { answer in
            HKVerifiableClinicalRecordQuery(
                recordTypes: recordTypes.map(\.rawValue), sourceTypes: sourceTypes, predicate: predicate
            ) { answer(Result($1, $2)) }
        }
    }
}
