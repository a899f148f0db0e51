public import Foundation

/// The user's skin type, as a health store hands it out.
public final class HKFitzpatrickSkinTypeObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// `.notSet` when it is not known, or may not be read.
    public let skinType: HKFitzpatrickSkinType

    package init(skinType: HKFitzpatrickSkinType) {
        self.skinType = skinType
    }

    /// `.notSet`: what the store has when the user told nothing.
    public override convenience init() {
        self.init(skinType: .notSet)
    }

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no HKFitzpatrickSkinType.
    public init?(coder: NSCoder) {
        guard let value = HKFitzpatrickSkinType(rawValue: coder.decodeInteger(forKey: "skinType")) else { return nil }
        skinType = value
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(skinType.rawValue, forKey: "skinType")
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Equal when the values are.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKFitzpatrickSkinTypeObject)?.skinType == skinType
    }

    /// The raw value of the skin type.
    public override var hash: Int { skinType.rawValue }
}

/// How the skin of the user takes the sun: from I, always burns, to VI, never burns.
public enum HKFitzpatrickSkinType: Int, Sendable {
    /// Not known, or may not be read.
    case notSet = 0
    /// Always burns, never tans.
    case I = 1
    /// Burns as a rule, tans little.
    case II = 2
    /// Burns at times, tans by and by.
    case III = 3
    /// Burns seldom, tans well.
    case IV = 4
    /// Hardly ever burns, tans deeply.
    case V = 5
    /// Never burns.
    case VI = 6
}
