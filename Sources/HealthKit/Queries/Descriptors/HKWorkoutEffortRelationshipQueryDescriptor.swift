/// Which effort samples belong to which workouts.
// Sendable holds: predicates are never changed.
public struct HKWorkoutEffortRelationshipQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, @unchecked Sendable {
    public typealias Output = Result
    public typealias Sequence = Results
    public typealias Results = QueryResults<Result>

    public struct Result: Sendable {
        public let relationships: [HKWorkoutEffortRelationship]
        /// To go on from.
        public let newAnchor: HKQueryAnchor?
    }

    public var predicate: NSPredicate?
    public var anchor: HKQueryAnchor?
    public var option: HKWorkoutEffortRelationshipQueryOptions

    public init(predicate: NSPredicate?, anchor: HKQueryAnchor?, option: HKWorkoutEffortRelationshipQueryOptions) {
        self.predicate = predicate
        self.anchor = anchor
        self.option = option
    }

    public func result(for healthStore: HKHealthStore) async throws -> Result {
        try await healthStore.answer { answer in
            query { answer(Swift.Result(Self.result($0, $1), $2)) }
        }
    }

    /// It never ends by itself.
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
