/// The medications that the user lets this app see; see ``HKUserAnnotatedMedicationQuery`` for what that means on Linux.
// Sendable holds: predicates are never changed.
public struct HKUserAnnotatedMedicationQueryDescriptor: HKAsyncQuery, @unchecked Sendable {
    /// The medications that this app was allowed to see.
    public typealias Output = [HKUserAnnotatedMedication]

    /// Which of them; nil for all. Evaluated on ``HKUserAnnotatedMedication``.
    public var predicate: NSPredicate?
    /// At most so many; nil for all.
    public var limit: Int?

    /// Without arguments: all that this app was allowed to see.
    public init(predicate: NSPredicate? = nil, limit: Int? = nil) {
        self.predicate = predicate
        self.limit = limit
    }

    /// The medications as they are now.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a predicate that cannot be used.
    public func result(for healthStore: HKHealthStore) async throws -> Output {
        var medications: Output = []
        let all = QueryResults<HKUserAnnotatedMedication>(healthStore) { continuation in
            HKUserAnnotatedMedicationQuery(predicate: predicate, limit: limit ?? HKObjectQueryNoLimit) {
                _, medication, isDone, error in
                if let error { return continuation.finish(throwing: error) }
                if let medication { continuation.yield(medication) }
                if isDone { continuation.finish() }
            }
        }
        for try await medication in all { medications.append(medication) }
        return medications
    }
}
