public import Foundation
public import UniformTypeIdentifiers

/// Stores files with objects, such as a scan with a prescription. Deleting an object deletes its files. Handlers are called on a
/// background queue.
///
/// An app may add and remove files of objects whose type it may share, and read files of objects that it may read or has saved.
// Sendable holds: all stored properties are immutable.
open class HKAttachmentStore: NSObject, @unchecked Sendable {
    /// The largest piece that a handler gets at once.
    private static let pieceInBytes = 1 << 16

    private let store: HKHealthStore

    /// - Parameter healthStore: The store of the attachments; its permissions apply.
    public init(healthStore: HKHealthStore) {
        store = healthStore
    }

    /// Copies a file into the store.
    /// - Parameter object: A stored object.
    @preconcurrency public func addAttachment(
        to object: HKObject, name: String, contentType: UTType, url: URL, metadata: [String: Any]? = nil,
        completion: @escaping @Sendable (HKAttachment?, (any Error)?) -> Void
    ) {
        let normal = Result { try MetadataCoding.normalized(metadata) }
        nonisolated(unsafe) let added = normal  // Immutable values, as `MetadataCoding` makes them.
        store.inBackground { [self] in
            respond(to: completion, else: nil) { try add(object, name, contentType, url, try added.get()) }
        }
    }

    /// Copies a file into the store and returns its attachment.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an unreadable file, and for an object that is not stored.
    public func addAttachment(
        to object: HKObject, name: String, contentType: UTType, url: URL, metadata: [String: Any] = [:]
    ) async throws -> HKAttachment {
        try HKError.translating {
            try add(object, name, contentType, url, try MetadataCoding.normalized(metadata))
        }
    }

    /// Removes an attachment. The handler gets true, or false and the error.
    @preconcurrency public func removeAttachment(
        _ attachment: HKAttachment, from object: HKObject,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        store.inBackground { [self] in respond(to: completion) { try remove(attachment, object) } }
    }

    /// Removes an attachment.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if the object doesn't have the attachment.
    public func removeAttachment(_ attachment: HKAttachment, from object: HKObject) async throws {
        try HKError.translating { try remove(attachment, object) }
    }

    /// Reads the attachments of an object in the order in which they were added. Empty if this app may not read the
    /// object.
    @preconcurrency public func getAttachments(
        for object: HKObject, completion: @escaping @Sendable ([HKAttachment]?, (any Error)?) -> Void
    ) {
        store.inBackground { [store] in respond(to: completion, else: nil) { try store.attachments(of: object) } }
    }

    /// Returns the attachments of an object in the order in which they were added.
    public func attachments(for object: HKObject) async throws -> [HKAttachment] {
        try HKError.translating { try store.attachments(of: object) }
    }

    /// Reads the whole file at once. The progress is in bytes.
    ///
    /// Fails with ``HKError/Code/errorInvalidArgument`` if the store no longer has the attachment, and with
    /// ``HKError/Code/errorDatabaseInaccessible`` while the device is locked.
    @discardableResult
    @preconcurrency public func getData(
        for attachment: HKAttachment, completion: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        let reader = dataReader(for: attachment)
        store.inBackground { respond(to: completion, else: nil) { try reader.read() } }
        return reader.progress
    }

    /// Reads the file in pieces.
    /// - Parameter dataHandler: Called with each piece and false, and with the last one and true.
    @discardableResult
    @preconcurrency public func streamData(
        for attachment: HKAttachment, dataHandler: @escaping @Sendable (Data?, (any Error)?, Bool) -> Void
    ) -> Progress {
        let reader = dataReader(for: attachment)
        store.inBackground {
            do {
                let data = try reader.read()
                var next = 0
                repeat {
                    guard !reader.progress.isCancelled else { return }
                    let end = min(next + Self.pieceInBytes, data.count)
                    dataHandler(data.subdata(in: next..<end), nil, end == data.count)
                    next = end
                } while next < data.count
            } catch {
                dataHandler(nil, HKError.wrapping(error), true)
            }
        }
        return reader.progress
    }

    /// Returns a reader for `await`. It reads nothing before it is used.
    public func dataReader(for attachment: HKAttachment) -> HKAttachmentDataReader {
        HKAttachmentDataReader(attachment, store)
    }

    // MARK: -

    private func add(
        _ object: HKObject, _ name: String, _ type: UTType, _ url: URL, _ metadata: [String: Any]?
    ) throws -> HKAttachment {
        try store.requireSharing(StoreWrite.types(of: [object]))
        try store.requireStored()
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw HKError.make(
                .errorInvalidArgument, "The file \(url.lastPathComponent) cannot be read, so it was not attached.",
                cause: error)
        }
        let attachment = HKAttachment(
            identifier: UUID(), name: name, contentType: type, size: data.count, creationDate: Date(),
            metadata: metadata)
        try store.database.add(attachment, data: data, to: object.uuid)
        return attachment
    }

    private func remove(_ attachment: HKAttachment, _ object: HKObject) throws {
        try store.requireSharing(StoreWrite.types(of: [object]))
        try store.requireStored()
        guard try store.database.removeAttachment(attachment.identifier, from: object.uuid) else {
            throw HKError.make(
                .errorInvalidArgument,
                "The object \(object.uuid) does not have the attachment \(attachment.identifier). Nothing was removed.")
        }
    }
}

extension HKHealthStore {
    /// Returns the attachments of an object. Empty if this app may not read the object.
    fileprivate func attachments(of object: HKObject) throws -> [HKAttachment] {
        try environment.requireReadable()
        if let sample = object as? HKSample, !sample.isOwn, try !maySee(sample) { return [] }
        return try database.attachments(of: object.uuid)
    }
}
