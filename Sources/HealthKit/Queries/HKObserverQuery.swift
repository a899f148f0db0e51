import Synchronization

/// To be called by an app that has dealt with an update. Background deliveries count on it: an app that is started for
/// changes and does not call it is started again later, and after the third time no more; see <doc:BackgroundDelivery>.
public typealias HKObserverQueryCompletionHandler = () -> Void

/// Says that matching samples were added or deleted, and nothing about them. It runs until it is stopped.
///
/// The handler is called once right after the execution too, as has been reported of HealthKit. A query that fails calls it
/// with the error and is over.
///
/// As on Apple's systems one can be made through a metatype, and a subclass overrides the initialisers with `override`: what
/// a metatype calls are the two `required` ones, which make their object with those that a subclass overrides. A subclass
/// that adds an initialiser of its own overrides both, as Swift asks for once there is a `required` one.
// Sendable holds: what changes before the execution is in a mutex, the rest never does.
open class HKObserverQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (
            HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler, (any Error)?
        ) -> Void

    private let descriptors: [HKQueryDescriptor]
    private let handler: Handler

    /// - Parameter updateHandler: Called on the query's background queue, with a completion handler to call when the
    ///   app has dealt with the change, and an error when the query has failed.
    @preconcurrency public init(
        sampleType: HKSampleType, predicate: NSPredicate?,
        updateHandler:
            @escaping @Sendable (
                HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
            ) -> Void
    ) {
        descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
        handler = { query, _, completion, error in updateHandler(query, completion, error) }
        super.init(objectType: sampleType, predicate: predicate)
    }

    /// The handler gets the types that changed; at first all of them. Stops the program when there are no descriptors.
    @preconcurrency public init(
        queryDescriptors: [HKQueryDescriptor],
        updateHandler:
            @escaping @Sendable (
                HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler, (any Error)?
            ) -> Void
    ) {
        queryDescriptors.requireAny()
        descriptors = queryDescriptors
        handler = updateHandler
        super.init(objectType: queryDescriptors.soleType, predicate: queryDescriptors.solePredicate)
    }

    /// Through a metatype: `type.init(sampleType:predicate:updateHandler:)` means this one.
    @preconcurrency public required convenience init(
        sampleType: HKSampleType, predicate: NSPredicate?,
        updateHandler:
            @escaping @Sendable (
                HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
            ) -> Void,
        _ metatype: Void = ()
    ) {
        self.init(sampleType: sampleType, predicate: predicate, updateHandler: updateHandler)
    }

    /// Through a metatype: `type.init(queryDescriptors:updateHandler:)` means this one.
    @preconcurrency public required convenience init(
        queryDescriptors: [HKQueryDescriptor],
        updateHandler:
            @escaping @Sendable (
                HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler, (any Error)?
            ) -> Void,
        _ metatype: Void = ()
    ) {
        self.init(queryDescriptors: queryDescriptors, updateHandler: updateHandler)
    }

    package override func makePlan() -> QueryPlan {
        let reached = Mutex<Int64>(0)
        return QueryPlan(
            watching: descriptors.sampleTypes, isObserver: true,
            mark: { store in
                // The changes of nothing lead to the newest anchor.
                let newest = try store.database.changes([], after: 0, limit: nil).anchor
                reached.withLock { $0 = newest }
            },
            fail: { self.handler(self, nil, {}, $0) }
        ) { pass in
            let selections = try pass.store.selections(self.descriptors)
            guard let changed = pass.changedTypes else {
                let all = self.descriptors.sampleTypes
                pass.deliver { self.handler(self, all, pass.store.acknowledgement(of: all, to: self.words), nil) }
                return
            }
            let matching = try Self.matching(selections.filter { changed.contains($0.type) }, reached, pass)
            guard !matching.isEmpty else { return }
            pass.deliver {
                self.handler(self, matching, pass.store.acknowledgement(of: matching, to: self.words), nil)
            }
        }
    }

    /// For people.
    private var words: String {
        let parts = descriptors.map { descriptor in
            descriptor.sampleType.identifier + (descriptor.predicate == nil ? "" : " with a predicate")
        }
        return "\(Swift.type(of: self)) of \(parts.joined(separator: ", "))"
    }

    /// The types of which something that matches was added or deleted since the anchor, which moves on.
    private static func matching(
        _ selections: [SampleSelection], _ reached: borrowing Mutex<Int64>, _ pass: QueryPass
    ) throws -> Set<HKSampleType> {
        // Of a type that is not filtered, the change alone tells.
        let filtered = selections.filter { $0.filter != .all || $0.onlySource != nil }
        let matching = Set(selections.map(\.type)).subtracting(filtered.map(\.type))
        guard !filtered.isEmpty else { return matching }
        let changes = try pass.database.changes(filtered, after: reached.withLock { $0 }, limit: nil)
        reached.withLock { $0 = changes.anchor }
        // A deleted object has no properties any more, so it may have matched.
        guard changes.deleted.isEmpty else { return matching.union(filtered.map(\.type)) }
        return matching.union(changes.added.map(\.sampleType))
    }
}
