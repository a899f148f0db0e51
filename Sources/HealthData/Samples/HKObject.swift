public import Foundation

/// Anything that a health store keeps: a sample, as a rule. Abstract and immutable.
///
/// Two objects are equal when their UUIDs are: an object read back from the store equals the one that was saved, though
/// only the former knows its source revision.
// Sendable holds: every stored property here and in the subclasses is a `let` of immutable values.
public class HKObject: NSObject, NSSecureCoding, @unchecked Sendable {
    package let identity: ObjectIdentity

    package init(_ identity: ObjectIdentity) {
        self.identity = identity
    }

    /// The same for the object in memory, in the store and in archives. A new object gets a new one.
    public final var uuid: UUID { identity.uuid }

    /// The app that saved the object. Meaningful on objects read from the store; before, it is the running app's.
    public final var sourceRevision: HKSourceRevision { identity.sourceRevision }

    /// The device that measured; nil when none was named.
    public final var device: HKDevice? { identity.device }

    /// What else is known of the object; nil when nothing is. Values are `String`, `NSNumber`, `Date` or `HKQuantity`;
    /// numbers and booleans cast with `as? Int`, `as? Double` and `as? Bool` as they do from Apple's dictionaries.
    public final var metadata: [String: Any]? { identity.metadata }

    /// The app that saved the object.
    @available(iOS, deprecated: 9.0, message: "Use sourceRevision.source")
    public final var source: HKSource { sourceRevision.source }

    // MARK: Equality

    /// Equal when the UUIDs are, also with different values.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKObject)?.uuid == uuid
    }

    /// That of the UUID.
    public override var hash: Int { uuid.hashValue }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public class var supportsSecureCoding: Bool { true }

    /// Nil when the archive does not hold such an object, or holds one that its initialiser would refuse.
    public required init?(coder: NSCoder) {
        guard let identity = ObjectIdentity(coder: coder) else { return nil }
        self.identity = identity
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        identity.encode(with: coder)
    }
}
