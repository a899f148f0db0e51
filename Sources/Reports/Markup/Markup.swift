import HealthStore

/// HTML and SVG, written piece by piece.
///
/// Only this code names elements and attributes (`StaticString`). Texts and values of attributes may come from anywhere
/// and are escaped, so that no name of a sensor, an app or a file can become an element or a script.
package struct Markup: Sendable {
    /// Attributes of an element. One with the value nil is left out.
    package typealias Attributes = KeyValuePairs<StaticString, String?>

    /// The markup in UTF-8.
    package private(set) var bytes: [UInt8] = []
    /// The reasons why parts are missing, in the order of the sentences.
    package private(set) var reasons: [String] = []
    private var bytesOfReasons = 0

    package init() {}

    /// Whether it contains only sentences about missing parts.
    package var hasOnlyReasons: Bool { !bytes.isEmpty && bytes.count == bytesOfReasons }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: Elements

    /// Adds an element with content.
    package mutating func element(
        _ name: StaticString, _ attributes: Attributes = [:], _ content: (inout Markup) throws -> Void
    ) rethrows {
        begin(name, attributes)
        try content(&self)
        verbatim("</")
        verbatim(name)
        verbatim(">")
    }

    /// Adds an element with a text.
    package mutating func element(_ name: StaticString, _ attributes: Attributes = [:], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// Adds an element of HTML that has no end: `meta`, `input`.
    package mutating func void(_ name: StaticString, _ attributes: Attributes = [:]) { begin(name, attributes) }

    private mutating func begin(_ name: StaticString, _ attributes: Attributes) {
        verbatim("<")
        verbatim(name)
        for (name, value) in attributes {
            guard let value else { continue }
            verbatim(" ")
            verbatim(name)
            verbatim("=\"")
            text(value)
            verbatim("\"")
        }
        verbatim(">")
    }

    // MARK: Texts

    /// Adds text from any source. Characters that HTML reads as markup are escaped. Those that move a cursor or change
    /// the direction of reading are left out.
    package mutating func text(_ text: String) {
        for byte in PrintableText.of(text).utf8 {
            switch byte {
            case UInt8(ascii: "&"): verbatim("&amp;")
            case UInt8(ascii: "<"): verbatim("&lt;")
            case UInt8(ascii: ">"): verbatim("&gt;")
            case UInt8(ascii: "\""): verbatim("&quot;")
            case UInt8(ascii: "'"): verbatim("&#39;")
            default: bytes.append(byte)
            }
        }
    }

    /// Adds text in pieces. A line can break between them, with a hyphen.
    package mutating func hyphenated(_ pieces: [String]) {
        for (index, piece) in pieces.enumerated() {
            if index > 0 { verbatim("&shy;") }
            text(piece)
        }
    }

    /// Adds text from this code: a style, a script.
    package mutating func verbatim(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ other: Markup) {
        bytes += other.bytes
        reasons += other.reasons
        bytesOfReasons += other.bytesOfReasons
    }

    /// Adds a sentence, beginning with a capital letter, about why something is missing.
    package mutating func reason(_ sentence: String) {
        let sentence = sentence.prefix(1).uppercased() + sentence.dropFirst()
        let before = bytes.count
        element("p", ["class": "reason"], text: sentence)
        bytesOfReasons += bytes.count - before
        reasons.append(sentence)
    }
}
