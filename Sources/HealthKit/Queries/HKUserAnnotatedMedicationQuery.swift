/// The medications that the user lets this app see, one call of the handler for each, and a last one that says so.
///
/// On Linux medications are kept with ``HKHealthStore/keepMedications(_:)``. An app sees those that it was allowed to
/// (``HKHealthStore/requestPerObjectReadAuthorization(for:predicate:completion:)``).
// Sendable holds: all stored properties are immutable.
open class HKUserAnnotatedMedicationQuery: HKQuery, @unchecked Sendable {
    /// At most so many medications; ``HKObjectQueryNoLimit`` for all.
    public let limit: Int
    private let handler:
        @Sendable (HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?) -> Void

    /// - Parameters:
    ///   - predicate: Evaluated on ``HKUserAnnotatedMedication``; nil for all.
    ///   - resultsHandler: Called on the query's background queue with each medication and false; at the end without one,
    ///     and true.
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
