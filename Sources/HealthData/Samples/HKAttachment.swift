public import Foundation
public import UniformTypeIdentifiers

/// A file kept with an object of the store.
// Sendable holds: all stored properties are immutable, and `MetadataCoding` makes all values of metadata immutable.
public final class HKAttachment: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The identifier of the attachment in its store.
    public let identifier: UUID
    /// The name for people, usually that of a file.
    public let name: String
    /// The type of the file, as the app that added it declared.
    public let contentType: UTType
    /// The size in bytes.
    public let size: Int
    /// The date when it was added.
    public let creationDate: Date
    /// The metadata from the app that added it. Nil if there is none.
    public let metadata: [String: Any]?

    /// `MetadataCoding` has normalised the metadata.
    package init(
        identifier: UUID, name: String, contentType: UTType, size: Int, creationDate: Date, metadata: [String: Any]?
    ) {
        self.identifier = identifier
        self.name = name
        self.contentType = contentType
        self.size = size
        self.creationDate = creationDate
        self.metadata = metadata
    }

    /// Returns whether the identifiers are equal.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKAttachment)?.identifier == identifier }

    /// The hash of the identifier.
    public override var hash: Int { identifier.hashValue }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public init?(coder: NSCoder) {
        guard let identifier = coder.decodeUUID(forKey: "identifier"), let name = coder.decodeString(forKey: "name"),
            let type = coder.decodeString(forKey: "contentType").flatMap({ UTType($0) }),
            let size = coder.decodeCount(forKey: "size"), let date = coder.decodeDate(forKey: "creationDate"),
            let metadata = coder.decodeMetadata(forKey: "metadata")
        else { return nil }
        self.identifier = identifier
        self.name = name
        contentType = type
        self.size = size
        creationDate = date
        self.metadata = metadata.isEmpty ? nil : metadata
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(uuid: identifier, forKey: "identifier")
        coder.encode(name as NSString, forKey: "name")
        coder.encode(contentType.identifier as NSString, forKey: "contentType")
        coder.encode(count: size, forKey: "size")
        coder.encode(date: creationDate, forKey: "creationDate")
        coder.encode(metadata: metadata, forKey: "metadata")
    }
}
