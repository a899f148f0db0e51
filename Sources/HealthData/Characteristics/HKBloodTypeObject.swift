public import Foundation

/// The user's blood type, as a health store returns it.
public final class HKBloodTypeObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The value, or `.notSet` if it is not known or may not be read.
    public let bloodType: HKBloodType

    package init(bloodType: HKBloodType) {
        self.bloodType = bloodType
    }

    /// Creates an object with `.notSet`, the value in a store to which the user has added none.
    public override convenience init() {
        self.init(bloodType: .notSet)
    }

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no HKBloodType.
    public init?(coder: NSCoder) {
        guard let value = HKBloodType(rawValue: coder.decodeInteger(forKey: "bloodType")) else { return nil }
        bloodType = value
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(bloodType.rawValue, forKey: "bloodType")
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the values are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKBloodTypeObject)?.bloodType == bloodType
    }

    /// The raw value of the blood type.
    public override var hash: Int { bloodType.rawValue }
}

/// The blood type of the user.
public enum HKBloodType: Int, Sendable {
    /// Not known, or may not be read.
    case notSet = 0
    /// A, Rhesus positive.
    case aPositive = 1
    /// A, Rhesus negative.
    case aNegative = 2
    /// B, Rhesus positive.
    case bPositive = 3
    /// B, Rhesus negative.
    case bNegative = 4
    /// AB, Rhesus positive.
    case abPositive = 5
    /// AB, Rhesus negative.
    case abNegative = 6
    /// O, Rhesus positive.
    case oPositive = 7
    /// O, Rhesus negative.
    case oNegative = 8
}
