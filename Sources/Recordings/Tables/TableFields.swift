import Foundation
import SessionLog

/// The fields of one line as in RFC 4180: quotes around a field hide delimiters, and two quotes in it mean one.
enum TableFields {
    /// Returns all fields as texts without surrounding space. It is for headers and preambles; rows are read in place.
    static func split(_ line: UnsafeBufferPointer<UInt8>, by delimiter: UInt8) -> [String] {
        var fields: [String] = []
        var index = 0
        while index <= line.count {
            let end = end(line, index, delimiter)
            fields.append(text(line, index..<end))
            index = end + 1
        }
        return fields
    }

    /// Returns the end of the field that begins at `index`: its delimiter, or the end of the line.
    @inline(__always)
    static func end(_ line: UnsafeBufferPointer<UInt8>, _ index: Int, _ delimiter: UInt8) -> Int {
        var index = index
        var isQuoted = false
        while index < line.count {
            let byte = line[index]
            if byte == 0x22 { isQuoted.toggle() } else if byte == delimiter, !isQuoted { break }
            index += 1
        }
        return index
    }

    static func text(_ line: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String {
        let inner = trimmed(line, range)
        let text = String(decoding: UnsafeBufferPointer(rebasing: line[inner]), as: UTF8.self)
        return text.contains("\"\"") ? text.replacingOccurrences(of: "\"\"", with: "\"") : text
    }

    /// Returns the range without quotes, and without space outside or inside them.
    @inline(__always)
    static func trimmed(_ line: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var low = range.lowerBound
        var high = range.upperBound
        func strip() {
            while low < high, line[low] == 0x20 || line[low] == 0x09 { low += 1 }
            while low < high, line[high - 1] == 0x20 || line[high - 1] == 0x09 || line[high - 1] == 0x0D { high -= 1 }
        }
        strip()
        if high - low >= 2, line[low] == 0x22, line[high - 1] == 0x22 {
            low += 1
            high -= 1
            strip()
        }
        return low..<high
    }
}

/// Reads numbers in a table.
enum TableNumber {
    /// Returns the number in the range, or nil for any other text. A comma is a decimal mark, because this range has no
    /// delimiters.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Double? {
        var index = range.lowerBound
        let end = range.upperBound
        guard index < end else { return nil }
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
        var mantissa: UInt64 = 0
        var digits = 0
        var exponent = 0
        var hasMark = false
        while index < end {
            let byte = bytes[index]
            let digit = byte &- UInt8(ascii: "0")
            if digit < 10 {
                digits += 1
                if mantissa < 100_000_000_000_000_000 {
                    mantissa = mantissa * 10 + UInt64(digit)
                    if hasMark { exponent -= 1 }
                } else if !hasMark {
                    exponent += 1
                }
            } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ","), !hasMark {
                hasMark = true
            } else {
                break
            }
            index += 1
        }
        guard digits > 0 else { return nil }
        if index < end {
            guard bytes[index] | 0x20 == UInt8(ascii: "e"),
                let power = DecimalExponent.value(bytes, index + 1..<end, longest: 4)
            else { return nil }
            exponent += power
        }
        let magnitude: Double
        if let exact = JSONNumber.exact(mantissa: mantissa, exponent: exponent) {
            magnitude = exact
        } else {
            magnitude = Double("\(mantissa)e\(exponent)") ?? .infinity
        }
        return isNegative ? -magnitude : magnitude
    }

    /// Returns whether the text is one that tables write for a missing value.
    static func isMissing(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        if range.isEmpty { return true }
        if bytes[range].allSatisfy({ $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "?") }) { return true }
        let text = String(decoding: bytes[range], as: UTF8.self).lowercased()
        return ["nan", "null", "nil", "none", "n/a", "na", "#n/a", "undefined"].contains(text)
    }
}
