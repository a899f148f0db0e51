/// A place in the order in which the store took samples in and gave them up. It belongs to one store; archive it to go on
/// after the app was started anew.
public final class HKQueryAnchor: NSObject, NSSecureCoding, NSCopying, Sendable {
    package let position: Int64

    package init(_ position: Int64) {
        self.position = position
    }

    /// The anchor of the older form of anchored queries; ``HKAnchoredObjectQueryNoAnchor`` is the beginning.
    public convenience init(fromValue value: Int) {
        self.init(Int64(value))
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool { (object as? HKQueryAnchor)?.position == position }

    public override var hash: Int { position.hashValue }

    public override var description: String { "\(position)" }

    // MARK: NSSecureCoding

    public static var supportsSecureCoding: Bool { true }

    public convenience init?(coder: NSCoder) {
        guard let position = coder.decodeObject(of: NSNumber.self, forKey: "position") else { return nil }
        self.init(position.int64Value)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(NSNumber(value: position), forKey: "position")
    }
}
