/// Which effort samples belong to which workouts: what was related after an anchor, and then, until it is stopped, what is
/// related later.
///
/// It looks again when effort samples are saved or deleted; relating one that has long been saved is seen with the next
/// such change.
// Sendable holds: all stored properties are immutable.
open class HKWorkoutEffortRelationshipQuery: HKQuery, @unchecked Sendable {
    /// Where the query began; nil for the beginning.
    public let anchor: HKQueryAnchor?
    /// All samples, or the most relevant one of each workout.
    public let options: HKWorkoutEffortRelationshipQueryOptions
    private let handler:
        @Sendable (
            HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?, (any Error)?
        ) -> Void

    /// - Parameters:
    ///   - predicate: Of effort samples, such as that of
    ///     ``HKQuery/predicateForWorkoutEffortSamplesRelated(workout:activity:)``.
    ///   - anchor: Nil for everything that was ever related.
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
