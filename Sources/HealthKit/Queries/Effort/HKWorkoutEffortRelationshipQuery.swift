/// Finds effort samples that were related to workouts since an anchor, and later ones until it is stopped.
///
/// It runs again when effort samples are saved or deleted. An existing sample that is related later is found with the next such
/// change.
// Sendable holds: all stored properties are immutable.
open class HKWorkoutEffortRelationshipQuery: HKQuery, @unchecked Sendable {
    /// The anchor at which the query began. Nil for the beginning.
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

/// A query for effort samples and the workouts that they belong to.
// Sendable holds: predicates are never changed.
public struct HKWorkoutEffortRelationshipQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, @unchecked Sendable {
    /// The relationships since the anchor, and the anchor to continue from.
    public typealias Output = Result
    /// Relationships as they are added. See ``results(for:)``.
    public typealias Sequence = Results
    /// The sequence of ``results(for:)``: existing relationships first, then later ones.
    public typealias Results = QueryResults<Result>

    /// The relationships between two anchors.
    public struct Result: Sendable {
        /// The relationships: one for each workout, or activity of one, with its effort samples.
        public let relationships: [HKWorkoutEffortRelationship]
        /// The anchor to continue from.
        public let newAnchor: HKQueryAnchor?
    }

    /// The condition for effort samples. Nil for all.
    public var predicate: NSPredicate?
    /// The anchor to start after. Nil for the beginning.
    public var anchor: HKQueryAnchor?
    /// All samples, or the most relevant one of each workout.
    public var option: HKWorkoutEffortRelationshipQueryOptions

    /// - Parameter predicate: A predicate such as
    ///   ``HKQuery/predicateForWorkoutEffortSamplesRelated(workout:activity:)``.
    public init(predicate: NSPredicate?, anchor: HKQueryAnchor?, option: HKWorkoutEffortRelationshipQueryOptions) {
        self.predicate = predicate
        self.anchor = anchor
        self.option = option
    }

    /// Returns the relationships since the anchor, once.
    public func result(for healthStore: HKHealthStore) async throws -> Result {
        try await healthStore.answer { answer in
            query { answer(Swift.Result(Self.result($0, $1), $2)) }
        }
    }

    /// Returns a sequence of relationships. It doesn't end by itself.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(healthStore) { continuation in
            query { continuation.give(Self.result($0, $1), $2) }
        }
    }

    private func query(
        _ handler: @escaping @Sendable ([HKWorkoutEffortRelationship]?, HKQueryAnchor?, (any Error)?) -> Void
    ) -> HKWorkoutEffortRelationshipQuery {
        HKWorkoutEffortRelationshipQuery(predicate: predicate, anchor: anchor, options: option) { handler($1, $2, $3) }
    }

    private static func result(_ relationships: [HKWorkoutEffortRelationship]?, _ anchor: HKQueryAnchor?) -> Result? {
        relationships.map { Result(relationships: $0, newAnchor: anchor) }
    }
}
