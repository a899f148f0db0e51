/// Finds the medications that the app may read. The handler is called for each, and a last time with true.
///
/// On Linux ``HKHealthStore/keepMedications(_:)`` stores medications. Request permission to read them with
/// ``HKHealthStore/requestPerObjectReadAuthorization(for:predicate:completion:)``.
// Sendable holds: all stored properties are immutable.
open class HKUserAnnotatedMedicationQuery: HKQuery, @unchecked Sendable {
    /// The largest number of medications. ``HKObjectQueryNoLimit`` for all.
    public let limit: Int
    private let handler:
        @Sendable (HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?) -> Void

    /// - Parameters:
    ///   - predicate: The condition, evaluated on ``HKUserAnnotatedMedication``. Nil for all.
    ///   - resultsHandler: Called on the query's background queue with each medication and false, and at the end with
    ///     nil and true.
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

/// A query for the medications that the user lets this app read. See ``HKUserAnnotatedMedicationQuery`` for permissions
/// on Linux.
// Sendable holds: predicates are never changed.
public struct HKUserAnnotatedMedicationQueryDescriptor: HKAsyncQuery, @unchecked Sendable {
    /// The medications that this app may read.
    public typealias Output = [HKUserAnnotatedMedication]

    /// The condition, evaluated on ``HKUserAnnotatedMedication``. Nil for all.
    public var predicate: NSPredicate?
    /// The largest number of medications. Nil for all.
    public var limit: Int?

    /// Creates a descriptor. Without arguments it finds all medications that this app may read.
    public init(predicate: NSPredicate? = nil, limit: Int? = nil) {
        self.predicate = predicate
        self.limit = limit
    }

    /// Returns the present medications.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an unsupported predicate.
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
