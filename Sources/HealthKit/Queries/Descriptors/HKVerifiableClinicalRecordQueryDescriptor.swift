/// Records that their issuer signed; see ``HKVerifiableClinicalRecordQuery`` for what that means on Linux.
// Sendable holds: predicates are never changed.
public struct HKVerifiableClinicalRecordQueryDescriptor: HKAsyncQuery, @unchecked Sendable {
    public typealias Output = [HKVerifiableClinicalRecord]

    public var recordTypes: [HKVerifiableClinicalRecordCredentialType]
    public var sourceTypes: [HKVerifiableClinicalRecordSourceType]
    public var predicate: NSPredicate?

    public init(
        recordTypes: [HKVerifiableClinicalRecordCredentialType],
        sourceTypes: [HKVerifiableClinicalRecordSourceType], predicate: NSPredicate? = nil
    ) {
        self.recordTypes = recordTypes
        self.sourceTypes = sourceTypes
        self.predicate = predicate
    }

    public func result(for healthStore: HKHealthStore) async throws -> Output {
        try await healthStore.answer { answer in
            HKVerifiableClinicalRecordQuery(
                recordTypes: recordTypes.map(\.rawValue), sourceTypes: sourceTypes, predicate: predicate
            ) { answer(Result($1, $2)) }
        }
    }
}
