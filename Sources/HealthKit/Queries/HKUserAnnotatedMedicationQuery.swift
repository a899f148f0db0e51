/// The medications that the user lets this app see, one call of the handler for each, and a last one that says so.
///
/// On Linux nothing keeps medications: there are none, as for an app that may see none.
// Sendable holds: all stored properties are immutable.
open class HKUserAnnotatedMedicationQuery: HKQuery, @unchecked Sendable {
    public let limit: Int
    private let handler:
        @Sendable (HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?) -> Void

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
            pass.deliver { self.handler(self, nil, true, nil) }
        }
    }
}
