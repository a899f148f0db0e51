/// A digest that is equal for stores with the same rows, in whatever order their databases return them.
struct StoreDigest: Equatable {
    private(set) var rows = 0
    private var sum: UInt64 = 0

    /// Adds a whole table.
    /// - Parameter name: A setting to be ignored.
    init(_ table: StoreTable, _ db: any SQLDatabase, without name: String? = nil) throws {
        try db.forEachRow(
            sql: "SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name)", arguments: [], mayEndEarly: true
        ) { row in
            if table.name != "setting" || row.text(0) != name { add(row) }
            return true
        }
    }

    /// FNV-1a (draft-eastlake-fnv) of the row's values, mixed as in SplitMix64, so that sums of many rows differ.
    private mutating func add(_ row: some SQLColumns) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        func mix(all number: UInt64) { withUnsafeBytes(of: number.littleEndian) { for byte in $0 { mix(byte) } } }
        for column in 0..<row.columnCount {
            switch row.stored(column) {
            case .null: mix(0)
            case .integer(let integer):
                mix(1)
                mix(all: UInt64(bitPattern: integer))
            case .real(let real):
                mix(2)
                mix(all: real.bitPattern)
            case .text(let text):
                mix(3)
                mix(all: UInt64(text.utf8.count))
                for byte in text.utf8 { mix(byte) }
            case .blob(let data):
                mix(3)
                mix(all: UInt64(data.count))
                data.withUnsafeBytes { for byte in $0 { mix(byte) } }
            }
        }
        hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
        hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
        sum &+= hash ^ (hash >> 31)
        rows += 1
    }
}
