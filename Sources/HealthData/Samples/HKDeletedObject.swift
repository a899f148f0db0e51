public import Foundation

/// What the store remembers of an object that was deleted, for a limited time.
// Sendable holds: the stored properties are `let`s, and metadata holds a String and an NSNumber at most.
public final class HKDeletedObject: NSObject, NSSecureCoding, @unchecked Sendable {
    /// That of the object that was deleted.
    public let uuid: UUID
    /// The sync identifier and sync version of the object, if it had them; nil otherwise.
    public let metadata: [String: Any]?

    /// Of the metadata, only the two sync keys are kept.
    package init(uuid: UUID, metadata: [String: Any]?) {
        self.uuid = uuid
        let kept = metadata?.filter { Self.keptKeys.contains($0.key) && ($0.value is String || $0.value is NSNumber) }
        self.metadata = kept.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static let keptKeys: Set<String> = [HKMetadataKeySyncIdentifier, HKMetadataKeySyncVersion]

    /// Equal when the UUIDs are.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKDeletedObject)?.uuid == uuid }

    /// That of the UUID.
    public override var hash: Int { uuid.hashValue }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public convenience init?(coder: NSCoder) {
        guard let uuid = coder.decodeUUID(forKey: "uuid"), let metadata = coder.decodeMetadata(forKey: "metadata")
        else { return nil }
        self.init(uuid: uuid, metadata: metadata)
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(uuid: uuid, forKey: "uuid")
        coder.encode(metadata: metadata, forKey: "metadata")
    }
}
