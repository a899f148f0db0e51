public import Foundation

/// The user's use of a wheelchair, as a health store returns it.
public final class HKWheelchairUseObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The value, or `.notSet` if it is not known or may not be read.
    public let wheelchairUse: HKWheelchairUse

    package init(wheelchairUse: HKWheelchairUse) {
        self.wheelchairUse = wheelchairUse
    }

    /// Creates an object with `.notSet`, the value in a store to which the user has added none.
    public override convenience init() {
        self.init(wheelchairUse: .notSet)
    }

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no HKWheelchairUse.
    public init?(coder: NSCoder) {
        guard let value = HKWheelchairUse(rawValue: coder.decodeInteger(forKey: "wheelchairUse")) else { return nil }
        wheelchairUse = value
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(wheelchairUse.rawValue, forKey: "wheelchairUse")
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the values are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWheelchairUseObject)?.wheelchairUse == wheelchairUse
    }

    /// The raw value of the use.
    public override var hash: Int { wheelchairUse.rawValue }
}

/// Whether the user uses a wheelchair.
public enum HKWheelchairUse: Int, Sendable {
    /// Not known, or may not be read.
    case notSet = 0
    /// The user walks, and steps are counted.
    case no = 1
    /// The user pushes a wheelchair, and pushes are counted.
    case yes = 2
}
