/// Records that their issuer signed; see ``HKVerifiableClinicalRecordQuery`` for what that means on Linux.
// Sendable holds: predicates are never changed.
public struct HKVerifiableClinicalRecordQueryDescriptor: HKAsyncQuery, @unchecked Sendable {
    /// Signed records; never any on Linux.
    public typealias Output = [HKVerifiableClinicalRecord]

    /// Which credentials are asked for. Has no effect on Linux.
    public var recordTypes: [HKVerifiableClinicalRecordCredentialType]
    /// In which form they are asked for. Has no effect on Linux.
    public var sourceTypes: [HKVerifiableClinicalRecordSourceType]
    /// Which records of those. Has no effect on Linux.
    public var predicate: NSPredicate?

    /// Keeps what was asked; ``result(for:)`` says that it cannot be had.
    public init(
        recordTypes: [HKVerifiableClinicalRecordCredentialType],
        sourceTypes: [HKVerifiableClinicalRecordSourceType], predicate: NSPredicate? = nil
    ) {
        self.recordTypes = recordTypes
        self.sourceTypes = sourceTypes
        self.predicate = predicate
    }

    /// - Throws: ``HKError/Code/errorHealthDataUnavailable``, always: nothing on Linux keeps such records.
    public func result(for healthStore: HKHealthStore) async throws -> Output {
        try await healthStore.answer { answer in
            HKVerifiableClinicalRecordQuery(
                recordTypes: recordTypes.map(\.rawValue), sourceTypes: sourceTypes, predicate: predicate
            ) { answer(Result($1, $2)) }
        }
    }
}
