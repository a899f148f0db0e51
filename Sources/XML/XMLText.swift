/// The text of an attribute or element, with references resolved. Line ends and tabs of attributes become spaces as in
/// XML 1.0, section 3.3.3, unless lines are kept.
///
/// It accepts more than XML: undefined references and bare ampersands stay unchanged, control characters that XML 1.0
/// does not allow (Apple's exports have U+000B in some values) stay in the text, and bytes that are not UTF-8 become
/// U+FFFD.
package enum XMLText {
    package static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String { string(bytes, keepingLines: false) }

    package static func string(_ bytes: UnsafeBufferPointer<UInt8>, keepingLines keepsLines: Bool) -> String {
        bytes.contains { $0 == UInt8(ascii: "&") || $0 < 0x20 }
            ? String(decoding: decoded(bytes, keepsLines), as: UTF8.self) : String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether there is a character that XML 1.0, section 2.2 forbids.
    package static func hasIllegalCharacter(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    }

    private static func decoded(_ bytes: UnsafeBufferPointer<UInt8>, _ keepsLines: Bool) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "&"):
                if let (scalar, next) = reference(bytes, index) {
                    result.append(contentsOf: String(Character(scalar)).utf8)
                    index = next
                } else {
                    result.append(byte)
                }
            case 0x0D:
                if index < bytes.count, bytes[index] == 0x0A { index += 1 }
                result.append(keepsLines ? 0x0A : 0x20)
            case 0x0A where keepsLines: result.append(byte)
            case 0x09, 0x0A:
                result.append(0x20)
            default:
                result.append(byte)
            }
        }
        return result
    }

    /// Returns the character of the reference whose first byte after the ampersand is at `start`, and the place after
    /// the reference.
    private static func reference(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (Unicode.Scalar, Int)? {
        // The longest reference is &#x0010FFFF; with a few more zeros.
        guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        let scalar: Unicode.Scalar? =
            switch name {
            case "lt": "<"
            case "gt": ">"
            case "amp": "&"
            case "quot": "\""
            case "apos": "'"
            case _ where name.hasPrefix("#x"): UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
            case _ where name.hasPrefix("#"): UInt32(name.dropFirst(), radix: 10).flatMap(Unicode.Scalar.init)
            default: nil
            }
        return scalar.map { ($0, end + 1) }
    }
}
