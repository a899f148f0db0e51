public import Foundation

/// A record of a deleted object, which the store keeps for a limited time.
// Sendable holds: the stored properties are `let`s, and metadata contains at most a String and an NSNumber.
public final class HKDeletedObject: NSObject, NSSecureCoding, @unchecked Sendable {
    /// The UUID of the deleted object.
    public let uuid: UUID
    /// The sync identifier and sync version of the object. Nil if it had none.
    public let metadata: [String: Any]?

    /// Keeps only the two sync keys of the metadata.
    package init(uuid: UUID, metadata: [String: Any]?) {
        self.uuid = uuid
        let kept = metadata?.filter { Self.keptKeys.contains($0.key) && ($0.value is String || $0.value is NSNumber) }
        self.metadata = kept.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static let keptKeys: Set<String> = [HKMetadataKeySyncIdentifier, HKMetadataKeySyncVersion]

    /// Returns whether the UUIDs are equal.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKDeletedObject)?.uuid == uuid }

    /// The hash of the UUID.
    public override var hash: Int { uuid.hashValue }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        guard let uuid = coder.decodeUUID(forKey: "uuid"), let metadata = coder.decodeMetadata(forKey: "metadata")
        else { return nil }
        self.init(uuid: uuid, metadata: metadata)
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(uuid: uuid, forKey: "uuid")
        coder.encode(metadata: metadata, forKey: "metadata")
    }
}
