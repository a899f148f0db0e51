/// A query of the health store, executed with ``HKHealthStore/execute(_:)``. Each query calls its handlers on a background queue of
/// its own, one at a time. Abstract: use a subclass.
// Sendable holds: the predicate is never changed and the run guards what changes; subclasses hold to the same.
open class HKQuery: NSObject, @unchecked Sendable {
    /// The type of the objects; nil for several types.
    public let objectType: HKObjectType?
    /// The condition for objects; nil for all objects, and for several types.
    public let predicate: NSPredicate?

    package let run = QueryRun()

    // Public to the compiler and to no app: a class whose superclass hides an initialiser passes none on to its subclasses.
    /// For the subclasses of this module: an app's query is one of those, or a subclass of one.
    @_spi(Queries) public init(objectType: HKObjectType?, predicate: NSPredicate?) {
        self.objectType = objectType
        self.predicate = predicate
    }

    /// The type, where it is one of samples.
    @available(*, deprecated, renamed: "objectType")
    public var sampleType: HKSampleType? { objectType as? HKSampleType }

    /// What it does when executed; asked once.
    package func makePlan() -> QueryPlan {
        preconditionFailure("\(Swift.type(of: self)) does not say how it is executed")
    }
}
