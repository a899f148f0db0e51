import Synchronization

/// A function to call when your app has handled an update. An app that was started in the background and doesn't call
/// it is started again later, at most three times. See <doc:BackgroundDelivery>.
public typealias HKObserverQueryCompletionHandler = () -> Void

/// Reports that matching samples were added or deleted, but not which. It runs until it is stopped.
///
/// The handler is also called once right after the query is executed, as developers report of HealthKit. If the query
/// fails, the handler gets the error, and the query has ended.
///
/// As on Apple's systems, a query can be created through a metatype, and subclasses may override the initialisers. A metatype
/// calls the two `required` ones, which call those that a subclass overrides. A subclass that adds an initialiser must
/// override both.
// Sendable holds: properties that change before the execution are in a mutex, and the rest never changes.
open class HKObserverQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (
            HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler, (any Error)?
        ) -> Void

    private let descriptors: [HKQueryDescriptor]
    private let handler: Handler

    /// - Parameter updateHandler: Called on the query's background queue, with a completion handler to call once the app has
    ///   handled the change, and with an error if the query failed.
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

    /// Creates a query of several types. The handler gets the changed types, or in its first call all types. Stops the
    /// program if there are no descriptors.
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

    /// Creates a query through a metatype: `type.init(sampleType:predicate:updateHandler:)` calls this one.
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

    /// Creates a query through a metatype: `type.init(queryDescriptors:updateHandler:)` calls this one.
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
                // The changes of no types give the newest anchor.
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

    /// A description for people.
    private var words: String {
        let parts = descriptors.map { descriptor in
            descriptor.sampleType.identifier + (descriptor.predicate == nil ? "" : " with a predicate")
        }
        return "\(Swift.type(of: self)) of \(parts.joined(separator: ", "))"
    }

    /// Returns the types with matching samples that were added or deleted since the anchor, and updates the anchor.
    private static func matching(
        _ selections: [SampleSelection], _ reached: borrowing Mutex<Int64>, _ pass: QueryPass
    ) throws -> Set<HKSampleType> {
        // For a type without a filter, every change matches.
        let filtered = selections.filter { $0.filter != .all || $0.onlySource != nil }
        let matching = Set(selections.map(\.type)).subtracting(filtered.map(\.type))
        guard !filtered.isEmpty else { return matching }
        let changes = try pass.database.changes(filtered, after: reached.withLock { $0 }, limit: nil)
        reached.withLock { $0 = changes.anchor }
        // A deleted object has no properties, so it may have matched.
        guard changes.deleted.isEmpty else { return matching.union(filtered.map(\.type)) }
        return matching.union(changes.added.map(\.sampleType))
    }
}
