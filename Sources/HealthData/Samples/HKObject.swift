public import Foundation

/// An object in a health store, usually a sample. Abstract and immutable.
///
/// Two objects are equal if their UUIDs are: an object read from the store equals the one that was saved, although only
/// the former knows its source revision.
// Sendable holds: every stored property here and in the subclasses is a `let` of immutable values.
public class HKObject: NSObject, NSSecureCoding, @unchecked Sendable {
    package let identity: ObjectIdentity

    package init(_ identity: ObjectIdentity) {
        self.identity = identity
    }

    /// The UUID, the same for the object in memory, in the store and in archives. A new object gets a new one.
    public final var uuid: UUID { identity.uuid }

    /// The app that saved the object. Meaningful on objects read from the store. Before, it is the running app's.
    public final var sourceRevision: HKSourceRevision { identity.sourceRevision }

    /// The device that measured. Nil if there is none.
    public final var device: HKDevice? { identity.device }

    /// Further facts about the object. Nil if there are none. Values are `String`, `NSNumber`, `Date` or `HKQuantity`.
    /// Numbers and booleans cast with `as? Int`, `as? Double` and `as? Bool` as they do from Apple's dictionaries.
    public final var metadata: [String: Any]? { identity.metadata }

    /// The app that saved the object.
    @available(iOS, deprecated: 9.0, message: "Use sourceRevision.source")
    public final var source: HKSource { sourceRevision.source }

    // MARK: Equality

    /// Returns whether the UUIDs are equal, even if values differ.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKObject)?.uuid == uuid
    }

    /// The hash of the UUID.
    public override var hash: Int { uuid.hashValue }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public class var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive does not contain such an object, or one that its initialiser would reject.
    public required init?(coder: NSCoder) {
        guard let identity = ObjectIdentity(coder: coder) else { return nil }
        self.identity = identity
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        identity.encode(with: coder)
    }
}
