public import Foundation

/// The user's use of a wheelchair, as a health store hands it out.
public final class HKWheelchairUseObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    public let wheelchairUse: HKWheelchairUse

    package init(wheelchairUse: HKWheelchairUse) {
        self.wheelchairUse = wheelchairUse
    }

    /// `.notSet`: what the store has when the user told nothing.
    public override convenience init() {
        self.init(wheelchairUse: .notSet)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no HKWheelchairUse.
    public init?(coder: NSCoder) {
        guard let value = HKWheelchairUse(rawValue: coder.decodeInteger(forKey: "wheelchairUse")) else { return nil }
        wheelchairUse = value
    }

    public func encode(with coder: NSCoder) {
        coder.encode(wheelchairUse.rawValue, forKey: "wheelchairUse")
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWheelchairUseObject)?.wheelchairUse == wheelchairUse
    }

    public override var hash: Int { wheelchairUse.rawValue }
}
