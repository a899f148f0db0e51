public import Foundation

/// The user's skin type, as a health store hands it out.
public final class HKFitzpatrickSkinTypeObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    public let skinType: HKFitzpatrickSkinType

    package init(skinType: HKFitzpatrickSkinType) {
        self.skinType = skinType
    }

    /// `.notSet`: what the store has when the user told nothing.
    public override convenience init() {
        self.init(skinType: .notSet)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no HKFitzpatrickSkinType.
    public init?(coder: NSCoder) {
        guard let value = HKFitzpatrickSkinType(rawValue: coder.decodeInteger(forKey: "skinType")) else { return nil }
        skinType = value
    }

    public func encode(with coder: NSCoder) {
        coder.encode(skinType.rawValue, forKey: "skinType")
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKFitzpatrickSkinTypeObject)?.skinType == skinType
    }

    public override var hash: Int { skinType.rawValue }
}
