package import SessionLog

/// The positions of a stored route, some thousands at a time: however long the route, they take little memory.
///
/// A route does not change. One that is deleted while it is read ends early.
package struct StoredRoute {
    private let id: UUID
    private let database: any HealthDatabase
    /// Bytes that were read, and not yet handed out as positions.
    private var bytes: [UInt8] = []
    /// Of the first byte that was not read.
    private var offset = 0
    private var isComplete = false

    /// To find a place in a long route, SQLite goes through all its pages from the beginning: so a lot is read at once.
    private static let bytesAtOnce = 1 << 19

    package init(_ id: UUID, in database: any HealthDatabase) {
        self.id = id
        self.database = database
    }

    /// The next positions, in order; nil at the end.
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
                // The end of the piece was not read yet.
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
