import Foundation
import GRDB
import UniformTypeIdentifiers

extension StoreWriter {
    func attach(_ attachment: HKAttachment, _ data: Data, to object: UUID) throws {
        guard try find(object) != nil else {
            throw HKError.make(
                .errorInvalidArgument, "The object \(object) is not in the store: save it before its attachments.")
        }
        try db.execute(
            sql: """
                INSERT INTO attachment (identifier, object, name, contentType, created, metadata, data)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                attachment.identifier.data, object.data, attachment.name, attachment.contentType.identifier,
                attachment.creationDate.timeIntervalSinceReferenceDate,
                attachment.metadata.map { try StoredMetadata.encoded($0) }, data,
            ])
    }

    /// - Returns: Whether the object had it.
    func detach(_ attachment: UUID, from object: UUID) throws -> Bool {
        try db.execute(
            sql: "DELETE FROM attachment WHERE identifier = ? AND object = ?",
            arguments: [attachment.data, object.data]
        )
        return db.changesCount > 0
    }
}
