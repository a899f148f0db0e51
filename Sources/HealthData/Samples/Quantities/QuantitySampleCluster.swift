/// Lets the initialisers of ``HKQuantitySample`` make objects of its subclasses, as Apple's class cluster does.
///
/// A Swift class initialiser cannot choose the class of its result; one in a protocol extension can, since it assigns
/// `self`, and a convenience initialiser may delegate to it.
package protocol QuantitySampleCluster {}

extension QuantitySampleCluster {
    init(member make: () -> Self) {
        self = make()
    }
}
