public import Foundation

/// The user's skin type, as a health store returns it.
public final class HKFitzpatrickSkinTypeObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The value, or `.notSet` if it is not known or may not be read.
    public let skinType: HKFitzpatrickSkinType

    package init(skinType: HKFitzpatrickSkinType) {
        self.skinType = skinType
    }

    /// Creates an object with `.notSet`, the value in a store to which the user has added none.
    public override convenience init() {
        self.init(skinType: .notSet)
    }

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no HKFitzpatrickSkinType.
    public init?(coder: NSCoder) {
        guard let value = HKFitzpatrickSkinType(rawValue: coder.decodeInteger(forKey: "skinType")) else { return nil }
        skinType = value
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(skinType.rawValue, forKey: "skinType")
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the values are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKFitzpatrickSkinTypeObject)?.skinType == skinType
    }

    /// The raw value of the skin type.
    public override var hash: Int { skinType.rawValue }
}

/// The reaction of the user's skin to the sun: from I, always burns, to VI, never burns.
public enum HKFitzpatrickSkinType: Int, Sendable {
    /// Not known, or may not be read.
    case notSet = 0
    /// Always burns, never tans.
    case I = 1
    /// Usually burns, tans little.
    case II = 2
    /// Sometimes burns, tans gradually.
    case III = 3
    /// Rarely burns, tans well.
    case IV = 4
    /// Hardly ever burns, tans deeply.
    case V = 5
    /// Never burns.
    case VI = 6
}
