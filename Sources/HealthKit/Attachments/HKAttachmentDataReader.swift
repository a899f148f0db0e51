public import Foundation

/// Reads what is in an attachment.
// Sendable holds: all stored properties are immutable; a Progress may be used from any thread.
public final class HKAttachmentDataReader: @unchecked Sendable {
    /// The attachment whose bytes are read.
    public let attachment: HKAttachment
    /// In bytes.
    public let progress: Progress
    private let store: HKHealthStore

    init(_ attachment: HKAttachment, _ store: HKHealthStore) {
        self.attachment = attachment
        self.store = store
        progress = Progress(totalUnitCount: Int64(attachment.size))
    }

    /// - Throws: ``HKError/Code/errorInvalidArgument`` when the store does not hold the attachment any more,
    ///   ``HKError/Code/errorDatabaseInaccessible`` while the device is locked.
    public var data: Data {
        get async throws { try HKError.translating { try read() } }
    }

    /// The same bytes one after another. The whole file is read with the first.
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
