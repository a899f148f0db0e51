public import Foundation

/// The user's biological sex, as a health store returns it.
public final class HKBiologicalSexObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The value, or `.notSet` if it is not known or may not be read.
    public let biologicalSex: HKBiologicalSex

    package init(biologicalSex: HKBiologicalSex) {
        self.biologicalSex = biologicalSex
    }

    /// Creates an object with `.notSet`, the value in a store to which the user has added none.
    public override convenience init() {
        self.init(biologicalSex: .notSet)
    }

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no HKBiologicalSex.
    public init?(coder: NSCoder) {
        guard let value = HKBiologicalSex(rawValue: coder.decodeInteger(forKey: "biologicalSex")) else { return nil }
        biologicalSex = value
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(biologicalSex.rawValue, forKey: "biologicalSex")
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the values are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKBiologicalSexObject)?.biologicalSex == biologicalSex
    }

    /// The raw value of the sex.
    public override var hash: Int { biologicalSex.rawValue }
}

/// The biological sex of the user.
public enum HKBiologicalSex: Int, Sendable {
    /// Not known, or may not be read.
    case notSet = 0
    /// Raw value 1.
    case female = 1
    /// Raw value 2.
    case male = 2
    /// Neither female nor male.
    case other = 3
}
