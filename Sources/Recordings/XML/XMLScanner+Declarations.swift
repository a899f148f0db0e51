import Foundation
import SessionLog

extension XMLScanner {
    /// Leaps over the comment, document type, processing instruction or CDATA section at the cursor.
    mutating func leapOverDeclaration() throws(ByteStreamFault) {
        if end - cursor < 16 { _ = try refill() }
        let found: Bool
        if starts(with: "<!--") {
            cursor += 4
            found = try leap(past: "-->")
        } else if starts(with: "<![CDATA[") {
            found = try leap(past: "]]>")
        } else if starts(with: "<!DOCTYPE") {
            cursor += 9
            found = try leapOverDocumentType()
        } else {
            cursor += 1
            found = try leap(past: ">")
        }
        if !found { warnings.add(byte: tokenByte, "a comment or declaration never ends: the file was cut off in it") }
    }

    /// The place of the text of the CDATA section at the cursor; nil if there is none, or if it is longer than the buffer.
    mutating func characterData() throws(ByteStreamFault) -> Range<Int>? {
        if end - cursor < 16 { _ = try refill() }
        guard starts(with: "<![CDATA[") else { return nil }
        var length = 9
        while true {
            while cursor + length + 3 <= end {
                let place = cursor + length
                if memcmp(buffer + place, "]]>", 3) == 0 { return cursor + 9..<place }
                length += 1
            }
            if try !refill() { return nil }
        }
    }

    /// Leaps to the end of the document type: the `>` behind its `]`, comments apart.
    ///
    /// That of iOS 16.0 has lists that never end and a `>` too many; so what is between the brackets is not looked at.
    /// Where the end itself is missing, or that of a comment, the first tag is the end.
    private mutating func leapOverDocumentType() throws(ByteStreamFault) -> Bool {
        var isInside = false
        var isComment = false
        var dashes = 0
        while true {
            if end - cursor < 128, try refill() { continue }
            if cursor == end { return false }
            let byte = buffer[cursor]
            if byte == UInt8(ascii: "<") {
                if Self.isLetter(buffer[cursor + 1]) {
                    warnings.add(byte: base + cursor, "the document type ends without its ]>")
                    return true
                }
                if !isComment, starts(with: "<!--") {
                    if starts(with: "<!-- HealthKit Export Version:") { readExportVersion() }
                    isComment = true
                    dashes = 0
                    cursor += 4
                    continue
                }
            }
            cursor += 1
            if isComment {
                if byte == UInt8(ascii: "-") {
                    dashes += 1
                } else {
                    if byte == UInt8(ascii: ">"), dashes >= 2 { isComment = false }
                    dashes = 0
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "["): isInside = true
            case UInt8(ascii: "]"): isInside = false
            case UInt8(ascii: ">") where !isInside: return true
            default: break
            }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

    private mutating func readExportVersion() {
        var index = cursor + "<!-- HealthKit Export Version:".utf8.count
        var version = 0
        while buffer[index] == 0x20 { index += 1 }
        while version < 1_000_000, buffer[index] >= UInt8(ascii: "0"), buffer[index] <= UInt8(ascii: "9") {
            version = version * 10 + Int(buffer[index] - UInt8(ascii: "0"))
            index += 1
        }
        if exportVersion == nil, version > 0 { exportVersion = version }
    }

    private func starts(with text: StaticString) -> Bool {
        end - cursor >= text.utf8CodeUnitCount && memcmp(buffer + cursor, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// Moves the cursor behind the next occurrence of a text of one to three bytes that ends with `>`; to the end, and
    /// says false, when there is none.
    private mutating func leap(past text: StaticString) throws(ByteStreamFault) -> Bool {
        let count = text.utf8CodeUnitCount
        var from = cursor + count - 1
        while true {
            while from < end, let next = memchr(buffer + from, Int32(UInt8(ascii: ">")), end - from) {
                let place = UnsafeRawPointer(next) - UnsafeRawPointer(buffer)
                if memcmp(buffer + place + 1 - count, text.utf8Start, count) == 0 {
                    cursor = place + 1
                    return true
                }
                from = place + 1
            }
            cursor = max(cursor, end - (count - 1))
            if try !refill() {
                cursor = end
                return false
            }
            from = cursor + count - 1
        }
    }
}
