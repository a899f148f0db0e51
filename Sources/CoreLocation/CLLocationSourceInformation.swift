public import Foundation

/// Whether a location was made up by software, and whether an accessory found it out.
public final class CLLocationSourceInformation: NSObject, NSCopying, Sendable {
    /// Whether software made the location up, as a simulator does.
    public let isSimulatedBySoftware: Bool
    /// Whether an accessory found the location out, and not the machine itself.
    public let isProducedByAccessory: Bool

    /// Both may be true: of a simulated accessory.
    public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
        isSimulatedBySoftware = isSoftware
        isProducedByAccessory = isAccessory
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    convenience init?(bits: Int?) {
        guard let bits else { return nil }
        self.init(softwareSimulationState: bits & 1 != 0, andExternalAccessoryState: bits & 2 != 0)
    }

    var bits: Int { (isSimulatedBySoftware ? 1 : 0) | (isProducedByAccessory ? 2 : 0) }
}
