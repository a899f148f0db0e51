/// A query of the health store, executed with ``HKHealthStore/execute(_:)``. Each query calls its handlers on a background queue of
/// its own, one at a time. Abstract: use a subclass.
// Sendable holds: the predicate never changes, and the run guards everything that changes. Subclasses follow the same
// rule.
open class HKQuery: NSObject, @unchecked Sendable {
    /// The type of the objects. Nil for several types.
    public let objectType: HKObjectType?
    /// The condition for objects. Nil for all objects, and for several types.
    public let predicate: NSPredicate?

    package let run = QueryRun()

    // Public for the compiler, but not available to apps: if a class hides an initialiser, its subclasses inherit none.
    /// Creates a query of a subclass in this module. An app's query is one of those, or of a subclass of one.
    @_spi(Queries) public init(objectType: HKObjectType?, predicate: NSPredicate?) {
        self.objectType = objectType
        self.predicate = predicate
    }

    /// The type, if it is a type of samples.
    @available(*, deprecated, renamed: "objectType")
    public var sampleType: HKSampleType? { objectType as? HKSampleType }

    /// Returns the plan of the query. Called once, when the query is executed.
    package func makePlan() -> QueryPlan {
        preconditionFailure("\(Swift.type(of: self)) does not say how it is executed")
    }
}
