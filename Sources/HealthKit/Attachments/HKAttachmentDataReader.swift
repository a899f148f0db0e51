public import Foundation

/// Reads the contents of an attachment.
// Sendable holds: all stored properties are immutable; a Progress may be used from any thread.
public final class HKAttachmentDataReader: @unchecked Sendable {
    /// The attachment to read.
    public let attachment: HKAttachment
    /// The progress in bytes.
    public let progress: Progress
    private let store: HKHealthStore

    init(_ attachment: HKAttachment, _ store: HKHealthStore) {
        self.attachment = attachment
        self.store = store
        progress = Progress(totalUnitCount: Int64(attachment.size))
    }

    /// The contents of the attachment.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if the store no longer has the attachment,
    ///   ``HKError/Code/errorDatabaseInaccessible`` while the device is locked.
    public var data: Data {
        get async throws { try HKError.translating { try read() } }
    }

    /// The bytes as a sequence. The whole file is read at the first byte.
    public var bytes: HKAttachment.AsyncBytes { HKAttachment.AsyncBytes(self) }

    func read() throws -> Data {
        try store.environment.requireReadable()
        guard let data = try store.database.attachmentData(attachment.identifier) else {
            throw HKError.make(
                .errorInvalidArgument,
                "The store does not hold the attachment \(attachment.identifier): it, or what it belonged to, was deleted."
            )
        }
        progress.completedUnitCount = progress.totalUnitCount
        return data
    }
}
