public import Foundation

/// The user's blood type, as a health store hands it out.
public final class HKBloodTypeObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    public let bloodType: HKBloodType

    package init(bloodType: HKBloodType) {
        self.bloodType = bloodType
    }

    /// `.notSet`: what the store has when the user told nothing.
    public override convenience init() {
        self.init(bloodType: .notSet)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no HKBloodType.
    public init?(coder: NSCoder) {
        guard let value = HKBloodType(rawValue: coder.decodeInteger(forKey: "bloodType")) else { return nil }
        bloodType = value
    }

    public func encode(with coder: NSCoder) {
        coder.encode(bloodType.rawValue, forKey: "bloodType")
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKBloodTypeObject)?.bloodType == bloodType
    }

    public override var hash: Int { bloodType.rawValue }
}
