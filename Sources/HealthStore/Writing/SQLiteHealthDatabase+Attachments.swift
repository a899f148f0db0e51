import Foundation
import GRDB
import UniformTypeIdentifiers

extension SQLiteHealthDatabase {
    package func add(_ attachment: HKAttachment, data: Data, to object: UUID) throws {
        try write { writer in
            guard try writer.find(object) != nil else {
                throw HKError.make(
                    .errorInvalidArgument, "The object \(object) is not in the store: save it before its attachments.")
            }
            try writer.db.execute(
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
    }

    package func removeAttachment(_ attachment: UUID, from object: UUID) throws -> Bool {
        try write { writer in
            try writer.db.execute(
                sql: "DELETE FROM attachment WHERE identifier = ? AND object = ?",
                arguments: [attachment.data, object.data])
            return writer.db.changesCount > 0
        }
    }

    package func attachments(of object: UUID) throws -> [HKAttachment] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT identifier, name, contentType, length(data), created, metadata FROM attachment
                    WHERE object = ? ORDER BY id
                    """, arguments: [object.data])
            return try rows.compactMap { row in
                guard let identifier = UUID(stored: row[0]), let type = UTType(row[2] as String) else { return nil }
                let metadata: Data? = row[5]
                return HKAttachment(
                    identifier: identifier, name: row[1], contentType: type, size: row[3],
                    creationDate: Date(timeIntervalSinceReferenceDate: row[4]),
                    metadata: try metadata.map { try StoredMetadata.decoded($0) })
            }
        }
    }

    package func attachmentData(_ attachment: UUID) throws -> Data? {
        try read { db in
            try Data.fetchOne(
                db, sql: "SELECT data FROM attachment WHERE identifier = ?", arguments: [attachment.data])
        }
    }
}
