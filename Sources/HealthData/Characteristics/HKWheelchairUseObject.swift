public import Foundation

/// The user's use of a wheelchair, as a health store hands it out.
public final class HKWheelchairUseObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// `.notSet` when it is not known, or may not be read.
    public let wheelchairUse: HKWheelchairUse

    package init(wheelchairUse: HKWheelchairUse) {
        self.wheelchairUse = wheelchairUse
    }

    /// `.notSet`: what the store has when the user told nothing.
    public override convenience init() {
        self.init(wheelchairUse: .notSet)
    }

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no HKWheelchairUse.
    public init?(coder: NSCoder) {
        guard let value = HKWheelchairUse(rawValue: coder.decodeInteger(forKey: "wheelchairUse")) else { return nil }
        wheelchairUse = value
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(wheelchairUse.rawValue, forKey: "wheelchairUse")
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Equal when the values are.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWheelchairUseObject)?.wheelchairUse == wheelchairUse
    }

    /// The raw value of the use.
    public override var hash: Int { wheelchairUse.rawValue }
}

/// Whether the user is in a wheelchair.
public enum HKWheelchairUse: Int, Sendable {
    /// Not known, or may not be read.
    case notSet = 0
    /// The user walks: steps are counted.
    case no = 1
    /// The user pushes a wheelchair: pushes are counted.
    case yes = 2
}
