import Foundation
import GRDB

/// A file of map tiles: an SQLite database according to the MBTiles specification 1.3. It is here because only this
/// module uses SQLite.
package struct MBTiles: Sendable {
    package let zooms: ClosedRange<Int>
    /// The attribution in the file. It may contain HTML.
    package let attribution: String
    private let queue: DatabaseQueue

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for another kind of file, or one with vectors instead of
    ///   pictures.
    package init(_ url: URL) throws {
        var configuration = Configuration()
        configuration.readonly = true
        do {
            queue = try DatabaseQueue(path: url.path, configuration: configuration)
            (zooms, attribution) = try queue.read { db in
                guard try db.tableExists("metadata"), try db.tableExists("tiles") || db.viewExists("tiles") else {
                    throw Self.fault(url, "it is neither an MBTiles nor a PMTiles file")
                }
                let rows = try Row.fetchAll(db, sql: "SELECT name, CAST(value AS TEXT) FROM metadata")
                let metadata = Dictionary(rows.map { ($0[0] as String? ?? "", $0[1] as String? ?? "") }) { a, _ in a }
                guard metadata["format"] != "pbf" else {
                    throw Self.fault(url, "it contains vector tiles: use a file with PNG, JPEG or WebP tiles")
                }
                guard
                    let range = try Row.fetchOne(
                        db, sql: "SELECT min(zoom_level), max(zoom_level) FROM tiles HAVING count(*) > 0"),
                    let least = range[0] as Int?, let most = range[1] as Int?, least >= 0, least <= most
                else { throw Self.fault(url, "it contains no tiles") }
                return (least...most, metadata["attribution"] ?? "")
            }
        } catch let error as DatabaseError {
            let isNone = error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CANTOPEN
            throw Self.fault(
                url,
                isNone
                    ? "it is neither an MBTiles nor a PMTiles file, or cannot be read"
                    : error.message ?? "it is damaged")
        }
    }

    /// Returns the picture of a tile. Nil if there is none. Rows count from the south, as in the file.
    package func tile(zoom: Int, column: Int, row: Int) throws -> Data? {
        try queue.read { db in
            try Data.fetchOne(
                db, sql: "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
                arguments: [zoom, column, row])
        }
    }

    private static func fault(_ url: URL, _ reason: String) -> HKError {
        HKError.make(.errorInvalidArgument, "\(url.path) cannot be used as a map: \(reason).")
    }
}
