import Foundation
import SessionLog

extension XMLScanner {
    /// Skips the comment, document type, processing instruction or CDATA section at the cursor.
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

    /// Returns the range of the text in the CDATA section at the cursor. Nil if there is none, or if it is longer than
    /// the buffer.
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

    /// Skips to the end of the document type: the `>` after its `]`, except in comments.
    ///
    /// The document type of iOS 16.0 has lists without an end and a surplus `>`, so the text between the brackets is
    /// ignored. If its end, or that of a comment, is missing, it ends at the first tag.
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

    /// Moves the cursor behind the next occurrence of a text of one to three bytes that ends with `>`. If there is
    /// none, moves it to the end and returns false.
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
