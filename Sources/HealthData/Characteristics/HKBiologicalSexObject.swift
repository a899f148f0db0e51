public import Foundation

/// The user's biological sex, as a health store hands it out.
public final class HKBiologicalSexObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// `.notSet` when it is not known, or may not be read.
    public let biologicalSex: HKBiologicalSex

    package init(biologicalSex: HKBiologicalSex) {
        self.biologicalSex = biologicalSex
    }

    /// `.notSet`: what the store has when the user told nothing.
    public override convenience init() {
        self.init(biologicalSex: .notSet)
    }

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no HKBiologicalSex.
    public init?(coder: NSCoder) {
        guard let value = HKBiologicalSex(rawValue: coder.decodeInteger(forKey: "biologicalSex")) else { return nil }
        biologicalSex = value
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(biologicalSex.rawValue, forKey: "biologicalSex")
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Equal when the values are.
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
    /// Neither of the two.
    case other = 3
}
