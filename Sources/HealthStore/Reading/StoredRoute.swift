package import SessionLog

/// The positions of a stored route, some thousands at a time, in little memory however long the route is.
///
/// Routes do not change. A route that is deleted during reading ends early.
package struct StoredRoute {
    private let id: UUID
    private let database: any HealthDatabase
    /// Bytes that were read and not returned as positions yet.
    private var bytes: [UInt8] = []
    /// The offset of the first unread byte.
    private var offset = 0
    private var isComplete = false

    /// SQLite reads a long content from its beginning to find an offset, so each read is large.
    private static let bytesAtOnce = 1 << 19

    package init(_ id: UUID, in database: any HealthDatabase) {
        self.id = id
        self.database = database
    }

    /// Returns the next positions, in order. Nil at the end.
    package mutating func next() throws -> [(date: Date, position: PositionReading)]? {
        while true {
            if bytes.isEmpty {
                if isComplete { return nil }
                try read()
                continue
            }
            var positions: [(date: Date, position: PositionReading)] = []
            do {
                let rest = try bytes.withUnsafeBytes { bytes throws(SampleRunError) -> Int in
                    var reader = ByteReader(bytes)
                    try PositionColumns.forEach(inPieceOf: &reader) { positions.append(($0, $1)) }
                    return reader.remaining
                }
                bytes.removeFirst(bytes.count - rest)
                return positions
            } catch {
                // The piece is not complete yet.
                if isComplete { throw error }
                try read()
            }
        }
    }

    private mutating func read() throws {
        let read = try database.bytes(ofRoute: id, from: offset, atMost: Self.bytesAtOnce)
        isComplete = read.count < Self.bytesAtOnce
        offset += read.count
        bytes += read
    }
}
