/// A position in the order in which a store added and deleted samples. It is only valid for that store. Archive it to continue
/// after your app restarts.
public final class HKQueryAnchor: NSObject, NSSecureCoding, NSCopying, Sendable {
    package let position: Int64

    package init(_ position: Int64) {
        self.position = position
    }

    /// Creates an anchor from one of the older anchored queries. ``HKAnchoredObjectQueryNoAnchor`` is the beginning.
    public convenience init(fromValue value: Int) {
        self.init(Int64(value))
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether both are the same position. The stores are not compared.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKQueryAnchor)?.position == position }

    /// The hash of the position.
    public override var hash: Int { position.hashValue }

    /// The position as a number, for logs.
    public override var description: String { "\(position)" }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no anchor. The archive doesn't contain the store.
    public convenience init?(coder: NSCoder) {
        guard let position = coder.decodeObject(of: NSNumber.self, forKey: "position") else { return nil }
        self.init(position.int64Value)
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(NSNumber(value: position), forKey: "position")
    }
}
