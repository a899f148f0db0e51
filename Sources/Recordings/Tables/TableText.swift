import Foundation

/// The beginning of a text file as lines, in which its table is searched for.
struct TableText {
    /// Enough room for a preamble and the first rows.
    static let size = 1 << 16

    let bytes: [UInt8]
    let lineEnd: UInt8
    let lines: [Line]
    /// Whether this is the complete file.
    let isWhole: Bool

    struct Line {
        var place: TableLayout.Place
        var range: Range<Int>
    }

    /// Returns nil if the bytes are not text in an encoding that includes ASCII.
    init?(_ bytes: [UInt8], isWhole: Bool) {
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard bytes.count > mark, Self.isText(bytes) else { return nil }
        self.bytes = bytes
        self.isWhole = isWhole
        let lineEnd = bytes.contains(0x0A) ? UInt8(0x0A) : 0x0D
        self.lineEnd = lineEnd
        var lines: [Line] = []
        var start = mark
        var number = 1
        var breaks = 0
        var isQuoted = false
        // A field that begins with a quote may contain line breaks, as notes do. A single quote in the middle is a
        // plain character.
        var canQuote = true
        var index = mark
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x22 {
                if isQuoted { isQuoted = false } else if canQuote { isQuoted = true }
            } else if byte == lineEnd, !isQuoted || index - start > 4096 {
                lines.append(Self.line(bytes, start..<index, number))
                number += 1 + breaks
                (start, breaks, isQuoted) = (index + 1, 0, false)
            } else if byte == lineEnd {
                breaks += 1
            }
            canQuote =
                byte == lineEnd || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == 0x09
                || byte == 0x20 && canQuote
            index += 1
        }
        // The last line may be cut off if the rest of the file was not read.
        if isWhole, start < bytes.count { lines.append(Self.line(bytes, start..<bytes.count, number)) }
        self.lines = lines
    }

    private static func line(_ bytes: [UInt8], _ range: Range<Int>, _ number: Int) -> Line {
        let hasReturn = !range.isEmpty && bytes[range.upperBound - 1] == 0x0D
        return Line(
            place: TableLayout.Place(line: number, byte: range.lowerBound),
            range: range.lowerBound..<range.upperBound - (hasReturn ? 1 : 0))
    }

    /// Returns whether all bytes can occur in text.
    static func isText(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0x0C }
    }

    func fields(_ line: Int, by delimiter: UInt8) -> [String] {
        bytes.withUnsafeBufferPointer {
            TableFields.split(UnsafeBufferPointer(rebasing: $0[lines[line].range]), by: delimiter)
        }
    }

    func text(_ line: Int) -> String { String(decoding: bytes[lines[line].range], as: UTF8.self) }

    func isBlank(_ line: Int) -> Bool { bytes[lines[line].range].allSatisfy { $0 == 0x20 || $0 == 0x09 } }

    /// Returns the first `count` lines that are not blank.
    func filled(_ count: Int, from first: Int = 0) -> [Int] {
        var found: [Int] = []
        for index in lines.indices.dropFirst(first) where !isBlank(index) {
            found.append(index)
            if found.count == count { break }
        }
        return found
    }

    /// Returns the place of a table that begins at this line.
    func place(_ line: Int) -> TableLayout.Place {
        if lines.indices.contains(line) { return lines[line].place }
        let last = lines.last.map { $0.place.line } ?? 0
        return TableLayout.Place(line: last + 1, byte: bytes.count)
    }
}

extension String {
    /// Calls `body` with the bytes of the text, as the fields of a row are read.
    func withField<Result>(_ body: (UnsafeBufferPointer<UInt8>, Range<Int>) -> Result) -> Result {
        let bytes = Array(utf8)
        return bytes.withUnsafeBufferPointer { body($0, TableFields.trimmed($0, 0..<$0.count)) }
    }

    var tableNumber: Double? { withField { TableNumber.parse($0, $1) } }
    var tableClock: Double? { withField { TableDate.clock($0, $1) } }

    /// The seconds of a time beside a date.
    var tableClockOfDay: Double? { withField { TableDate.clockOfDay($0, $1) } }
    func tableMoment(_ order: TableDate.Order? = nil) -> TableDate.Moment? {
        withField { TableDate.parse($0, $1, order: order) }
    }

    /// The seconds east of UTC at the end of a time, as in `2024-02-06 11:43:03 -0800` and `UTC+0100`. Nil if there are
    /// none, and for `Z`, which files write wherever they are recorded.
    var secondsFromGMT: Double? {
        guard let match = firstMatch(of: #/([+-])(\d\d):?(\d\d)$/#), let hours = Double(match.2),
            let minutes = Double(match.3)
        else { return nil }
        return (match.1 == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
