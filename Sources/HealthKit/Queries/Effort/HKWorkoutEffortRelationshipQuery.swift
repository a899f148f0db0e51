/// Finds effort samples that were related to workouts since an anchor, and later ones until it is stopped.
///
/// It runs again when effort samples are saved or deleted. An existing sample that is related later is found with the next such
/// change.
// Sendable holds: all stored properties are immutable.
open class HKWorkoutEffortRelationshipQuery: HKQuery, @unchecked Sendable {
    /// The anchor at which the query began; nil for the beginning.
    public let anchor: HKQueryAnchor?
    /// All samples, or the most relevant one of each workout.
    public let options: HKWorkoutEffortRelationshipQueryOptions
    private let handler:
        @Sendable (
            HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?, (any Error)?
        ) -> Void

    /// - Parameters:
    ///   - predicate: The condition for effort samples, such as
    ///     ``HKQuery/predicateForWorkoutEffortSamplesRelated(workout:activity:)``.
    ///   - anchor: Nil for all relationships.
    @preconcurrency public init(
        predicate: NSPredicate?, anchor: HKQueryAnchor?, options: HKWorkoutEffortRelationshipQueryOptions,
        resultsHandler:
            @escaping @Sendable (
                HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?, (any Error)?
            ) -> Void
    ) {
        self.anchor = anchor
        self.options = options
        handler = resultsHandler
        super.init(objectType: nil, predicate: predicate)
    }

    package override func makePlan() -> QueryPlan {
        let reached = LatestAnchor(anchor?.position ?? 0)
        return QueryPlan(watching: WorkoutEffort.types, fail: { self.handler(self, nil, nil, $0) }) { pass in
            let (relationships, anchor) = try WorkoutEffort.relationships(
                pass, self.predicate, after: reached.position, self.options)
            let isNews = anchor != reached.position
            reached.position = anchor
            guard pass.isFirst || isNews else { return }
            pass.deliver { self.handler(self, relationships, HKQueryAnchor(anchor), nil) }
        }
    }
}
