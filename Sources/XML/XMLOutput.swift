package import Foundation
import SessionLog

/// Writes an XML file: elements, text, and numbers and dates as in XML Schema.
package struct XMLOutput {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func take(to output: inout [UInt8]) {
        output += bytes
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes a text unchanged.
    package mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Writes text escaped for elements and attributes. Characters that XML forbids become U+FFFD.
    ///
    /// - Parameter keepsLines: Whether to keep line ends. Only for elements: in attributes, a line end is a space.
    package mutating func text(_ text: String, keepingLines keepsLines: Bool = false) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": raw("&amp;")
            case "<": raw("&lt;")
            case ">": raw("&gt;")
            case "\"": raw("&quot;")
            case "\n" where keepsLines: raw("\n")
            case "\t", "\n", "\r": raw(" ")
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                bytes.append(contentsOf: String(isAllowed ? Character(scalar) : "\u{FFFD}").utf8)
            }
        }
    }

    /// Writes an element with a text and its line ends, or nothing for nil.
    package mutating func element(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        raw("<")
        raw(name)
        raw(">")
        self.text(text, keepingLines: true)
        raw("</")
        raw(name)
        raw(">")
    }

    /// Writes an `xsd:decimal`: digits and a point without an exponent. Numbers of ordinary size read back as the same
    /// number. The caller must leave out NaN; infinity becomes 0.
    package mutating func decimal(_ value: Double) {
        guard value.isFinite else { return raw("0") }
        let start = bytes.count
        JSONNumber.append(value, to: &bytes)
        guard bytes[start...].contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return }
        bytes.removeLast(bytes.count - start)
        var text = value.magnitude < 1e15 ? String(format: "%.15f", value) : String(format: "%.1f", value)
        while text.hasSuffix("0") { text.removeLast() }
        bytes += Array((text.hasSuffix(".") ? String(text.dropLast()) : text).utf8)
    }

    package mutating func integer(_ value: Int) { JSONNumber.append(value, to: &bytes) }

    /// Writes an `xsd:dateTime` in UTC with milliseconds. The date must be in the years 1 … 9999: see
    /// ``isInRange(_:)``.
    package mutating func date(_ date: Date) { SessionLogDate.appendText(date, to: &bytes) }

    package static func isInRange(_ date: Date) -> Bool { SessionLogDate.hasText(date) }
}
