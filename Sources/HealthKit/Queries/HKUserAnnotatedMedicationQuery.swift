/// Finds the medications that the app may read. The handler is called for each, and a last time with true.
///
/// On Linux ``HKHealthStore/keepMedications(_:)`` stores medications. Ask for permission to read them with
/// ``HKHealthStore/requestPerObjectReadAuthorization(for:predicate:completion:)``.
// Sendable holds: all stored properties are immutable.
open class HKUserAnnotatedMedicationQuery: HKQuery, @unchecked Sendable {
    /// The largest number of medications; ``HKObjectQueryNoLimit`` for all.
    public let limit: Int
    private let handler:
        @Sendable (HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?) -> Void

    /// - Parameters:
    ///   - predicate: Evaluated on ``HKUserAnnotatedMedication``; nil for all.
    ///   - resultsHandler: Called on the query's background queue with each medication and false; at the end with nil and
    ///     true.
    @preconcurrency public init(
        predicate: NSPredicate?, limit: Int,
        resultsHandler:
            @escaping @Sendable (
                HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?
            ) -> Void
    ) {
        self.limit = limit
        handler = resultsHandler
        super.init(objectType: .userAnnotatedMedicationType(), predicate: predicate)
    }

    package override func makePlan() -> QueryPlan {
        QueryPlan(fail: { self.handler(self, nil, true, $0) }) { pass in
            if let refusal = self.predicate?.refusal { throw refusal }
            let access = try pass.store.readAccess(to: HKObjectType.userAnnotatedMedicationType())
            let matching = try pass.database.medications()
                .filter { access.includes($0.medication.identifier.name) }
                .filter { self.predicate?.evaluate(with: $0) ?? true }
            for medication in self.limit > 0 ? matching.prefix(self.limit) : matching[...] {
                pass.deliver { self.handler(self, medication, false, nil) }
            }
            pass.deliver { self.handler(self, nil, true, nil) }
        }
    }
}

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
