import HealthStore

/// HTML and SVG as they are written, piece by piece.
///
/// Names of elements and attributes come from this code (`StaticString`), whatever else comes from anywhere: texts and values
/// of attributes are escaped, so that no name of a sensor, an app or a file can become an element or a script.
package struct Markup: Sendable {
    /// A value that is nil leaves its attribute out.
    package typealias Attributes = KeyValuePairs<StaticString, String?>

    /// UTF-8.
    package private(set) var bytes: [UInt8] = []
    /// Why something isn't shown, in the order of the sentences.
    package private(set) var reasons: [String] = []
    private var bytesOfReasons = 0

    package init() {}

    /// Whether there is nothing but sentences on what is missing.
    package var hasOnlyReasons: Bool { !bytes.isEmpty && bytes.count == bytesOfReasons }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: Elements

    /// An element and what is in it.
    package mutating func element(
        _ name: StaticString, _ attributes: Attributes = [:], _ content: (inout Markup) throws -> Void
    ) rethrows {
        begin(name, attributes)
        try content(&self)
        verbatim("</")
        verbatim(name)
        verbatim(">")
    }

    /// An element with a text in it.
    package mutating func element(_ name: StaticString, _ attributes: Attributes = [:], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// An element of HTML that has no end: `meta`, `input`.
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

    /// Text that may be anybody's: what HTML reads as markup is escaped, what moves a cursor or turns the direction of
    /// reading is left out.
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

    /// What stands in this code: a style, a script.
    package mutating func verbatim(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ other: Markup) {
        bytes += other.bytes
        reasons += other.reasons
        bytesOfReasons += other.bytesOfReasons
    }

    /// A sentence on why something isn't shown; it begins with a capital letter.
    package mutating func reason(_ sentence: String) {
        let sentence = sentence.prefix(1).uppercased() + sentence.dropFirst()
        let before = bytes.count
        element("p", ["class": "reason"], text: sentence)
        bytesOfReasons += bytes.count - before
        reasons.append(sentence)
    }
}
