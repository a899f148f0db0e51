public import Foundation

/// The user's blood type, as a health store hands it out.
public final class HKBloodTypeObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// `.notSet` when it is not known, or may not be read.
    public let bloodType: HKBloodType

    package init(bloodType: HKBloodType) {
        self.bloodType = bloodType
    }

    /// `.notSet`: what the store has when the user told nothing.
    public override convenience init() {
        self.init(bloodType: .notSet)
    }

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no HKBloodType.
    public init?(coder: NSCoder) {
        guard let value = HKBloodType(rawValue: coder.decodeInteger(forKey: "bloodType")) else { return nil }
        bloodType = value
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(bloodType.rawValue, forKey: "bloodType")
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Equal when the values are.
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
