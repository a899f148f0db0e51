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
