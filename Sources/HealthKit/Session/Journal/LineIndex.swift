/// Where the lines of a file begin: of each 256th it is known, of those between it is found by reading.
struct LineIndex: Sendable, Equatable {
    static let stride = 256

    private(set) var count = 0
    /// Of the lines 0, 256, 512 …
    private var offsets: [Int] = []
    /// The beginning of the next line, where a piece ended within one.
    private var isWithinLine = false

    /// Where the first line begins; nil while there is none.
    var start: Int? { offsets.first }

    /// A line begins at this byte.
    mutating func add(lineAt offset: Int) {
        if count.isMultiple(of: Self.stride) { offsets.append(offset) }
        count += 1
    }

    /// The bytes that follow those of the call before.
    mutating func add(_ bytes: [UInt8], at offset: Int) {
        var place = 0
        while place < bytes.count {
            if !isWithinLine { add(lineAt: offset + place) }
            guard let end = bytes[place...].firstIndex(of: 0x0A) else {
                isWithinLine = true
                return
            }
            isWithinLine = false
            place = end + 1
        }
    }

    /// The nearest line at or before `line` of which it is known where it begins, and where; nil beyond the last one.
    func known(before line: Int) -> (line: Int, offset: Int)? {
        guard line >= 0, line < count else { return nil }
        let place = line / Self.stride
        return (place * Self.stride, offsets[place])
    }
}
