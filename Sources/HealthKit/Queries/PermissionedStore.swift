/// The store as queries see it: the door that each goes through, so that none sees more than the app may.
package protocol PermissionedStore: AnyObject, Sendable {
    var database: any HealthDatabase { get }

    func selection(_ type: HKSampleType, _ predicate: NSPredicate?) throws -> SampleSelection
    func selections(_ descriptors: [HKQueryDescriptor]) throws -> [SampleSelection]
    func readAccess(to type: HKObjectType) throws -> ReadAccess
    func maySee(_ sample: HKSample) throws -> Bool
    func visible(_ samples: [HKSample]) throws -> [HKSample]
    /// Decides when queries hear of changes; nil outside of tests, and then they hear at once.
    var changeGate: (any DeliveryGate)? { get }
    /// Says that the app has dealt with everything that had changed when this was asked for.
    /// - Parameter observer: For people: whose handler gets it.
    func acknowledgement(of types: Set<HKSampleType>, to observer: @autoclosure () -> String) -> () -> Void
}
