public import Foundation
public import UniformTypeIdentifiers

/// A file that is kept with an object of the store.
// Sendable holds: all stored properties are immutable; metadata holds only immutable values, as `MetadataCoding` makes them.
public final class HKAttachment: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// Names the attachment in its store.
    public let identifier: UUID
    /// For people, usually the name of a file.
    public let name: String
    /// What kind of file it is, as the app that added it said.
    public let contentType: UTType
    /// In bytes.
    public let size: Int
    /// When it was added.
    public let creationDate: Date
    /// What the app that added it noted; nil when it noted nothing.
    public let metadata: [String: Any]?

    /// Metadata has been through `MetadataCoding`.
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

    /// Equal when the identifiers are.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKAttachment)?.identifier == identifier }

    /// That of the identifier.
    public override var hash: Int { identifier.hashValue }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
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

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(uuid: identifier, forKey: "identifier")
        coder.encode(name as NSString, forKey: "name")
        coder.encode(contentType.identifier as NSString, forKey: "contentType")
        coder.encode(count: size, forKey: "size")
        coder.encode(date: creationDate, forKey: "creationDate")
        coder.encode(metadata: metadata, forKey: "metadata")
    }
}
