public import Foundation
public import UniformTypeIdentifiers

/// Keeps files with objects of the store: a scan with a prescription. They go when their object is deleted. Handlers are
/// called on a background queue.
///
/// Files are added to and removed from objects whose type the app may share, and seen with objects that it may read or has
/// saved itself.
// Sendable holds: all stored properties are immutable.
open class HKAttachmentStore: NSObject, @unchecked Sendable {
    /// A handler gets no more than this at once.
    private static let pieceInBytes = 1 << 16

    private let store: HKHealthStore

    /// - Parameter healthStore: Whose attachments these are, and whose permissions count.
    public init(healthStore: HKHealthStore) {
        store = healthStore
    }

    /// Copies a file into the store.
    /// - Parameter object: Has to be in the store.
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

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a file that cannot be read and an object that is not in the store.
    public func addAttachment(
        to object: HKObject, name: String, contentType: UTType, url: URL, metadata: [String: Any] = [:]
    ) async throws -> HKAttachment {
        try HKError.translating {
            try add(object, name, contentType, url, try MetadataCoding.normalized(metadata))
        }
    }

    /// The same with a handler, which gets true, or false and the error.
    @preconcurrency public func removeAttachment(
        _ attachment: HKAttachment, from object: HKObject,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        store.inBackground { [self] in respond(to: completion) { try remove(attachment, object) } }
    }

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an attachment that the object does not have.
    public func removeAttachment(_ attachment: HKAttachment, from object: HKObject) async throws {
        try HKError.translating { try remove(attachment, object) }
    }

    /// The attachments of an object in the order in which they were added; none of an object that this app may not see.
    @preconcurrency public func getAttachments(
        for object: HKObject, completion: @escaping @Sendable ([HKAttachment]?, (any Error)?) -> Void
    ) {
        store.inBackground { [store] in respond(to: completion, else: nil) { try store.attachments(of: object) } }
    }

    /// The attachments of an object in the order in which they were added.
    public func attachments(for object: HKObject) async throws -> [HKAttachment] {
        try HKError.translating { try store.attachments(of: object) }
    }

    /// Reads the whole file, and hands it over in one piece. The progress counts in bytes.
    ///
    /// Fails with ``HKError/Code/errorInvalidArgument`` when the store does not hold the attachment any more, with
    /// ``HKError/Code/errorDatabaseInaccessible`` while the device is locked.
    @discardableResult
    @preconcurrency public func getData(
        for attachment: HKAttachment, completion: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        let reader = dataReader(for: attachment)
        store.inBackground { respond(to: completion, else: nil) { try reader.read() } }
        return reader.progress
    }

    /// - Parameter dataHandler: Called with one piece after another, and true with the last one.
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

    /// What reads the attachment with `await`. Nothing is read before it is asked for.
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
    /// None of an object that this app may not see.
    fileprivate func attachments(of object: HKObject) throws -> [HKAttachment] {
        try environment.requireReadable()
        if let sample = object as? HKSample, !sample.isOwn, try !maySee(sample) { return [] }
        return try database.attachments(of: object.uuid)
    }
}
