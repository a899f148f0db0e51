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

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Equal when both are the same place in the order; of which store is not compared.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKQueryAnchor)?.position == position }

    /// That of the place.
    public override var hash: Int { position.hashValue }

    /// The place as a number. For logs: only the store that made it knows what it means.
    public override var description: String { "\(position)" }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no anchor. Of which store it is, the archive does not say.
    public convenience init?(coder: NSCoder) {
        guard let position = coder.decodeObject(of: NSNumber.self, forKey: "position") else { return nil }
        self.init(position.int64Value)
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(NSNumber(value: position), forKey: "position")
    }
}
