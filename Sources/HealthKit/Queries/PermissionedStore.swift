/// The store as queries see it: no query reads more than the app may.
package protocol PermissionedStore: AnyObject, Sendable {
    var database: any HealthDatabase { get }

    func selection(_ type: HKSampleType, _ predicate: NSPredicate?) throws -> SampleSelection
    func selections(_ descriptors: [HKQueryDescriptor]) throws -> [SampleSelection]
    func readAccess(to type: HKObjectType) throws -> ReadAccess
    func maySee(_ sample: HKSample) throws -> Bool
    func visible(_ samples: [HKSample]) throws -> [HKSample]
    /// Decides when queries are notified of changes. Nil outside of tests, where they are notified at once.
    var changeGate: (any DeliveryGate)? { get }
    /// Returns a function that acknowledges all changes up to the call of this method.
    /// - Parameter observer: A name for messages.
    func acknowledgement(of types: Set<HKSampleType>, to observer: @autoclosure () -> String) -> () -> Void
}
