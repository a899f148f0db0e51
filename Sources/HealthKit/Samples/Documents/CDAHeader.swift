import Foundation
import FoundationXML

/// What the header of a CDA document says of it (HL7 CDA Release 2, section 4.2: title, recordTarget, author, custodian).
///
/// Only what names the document is read: that it is well-formed XML whose root is a `ClinicalDocument` of HL7's
/// namespace. It is not validated against the schema. External entities are not followed.
struct CDAHeader: Equatable {
    var title = ""
    var patientName = ""
    var authorName = ""
    var custodianName = ""

    init(_ data: Data) throws(CDAError) {
        let reader = CDAReader()
        guard let text = Self.utf8(data) else { throw .notXML(line: 1) }
        let parser = XMLParser(data: text)
        parser.shouldProcessNamespaces = true
        parser.delegate = reader
        let isWellFormed = parser.parse()
        if let root = reader.root, root != CDAReader.expectedRoot { throw .otherRoot(root) }
        // The parser does not mind data that ends inside an element.
        guard isWellFormed, reader.isComplete else { throw .notXML(line: parser.lineNumber) }
        title = reader.text(at: "title")
        patientName = reader.text(at: "recordTarget/patientRole/patient/name")
        let person = reader.text(at: "author/assignedAuthor/assignedPerson/name")
        authorName = person.isEmpty ? reader.text(at: "author/assignedAuthor/representedOrganization/name") : person
        custodianName = reader.text(at: "custodian/assignedCustodian/representedCustodianOrganization/name")
    }
}

extension CDAHeader {
    /// The document in UTF-8, nil for bytes that are none: FoundationXML stops the program at a name that is not.
    ///
    /// Of other encodings those are read that documents in the field use: UTF-16 with a byte order mark, and Latin-1 where
    /// the XML declaration names it.
    private static func utf8(_ data: Data) -> Data? {
        if String(validating: data, as: UTF8.self) != nil { return data }
        let start = String(decoding: data.prefix(100), as: UTF8.self).lowercased()
        let text: String?
        if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) {
            text = String(data: data, encoding: .utf16)
        } else if start.contains("iso-8859-1") || start.contains("windows-1252") {
            text = String(data: data, encoding: start.contains("1252") ? .windowsCP1252 : .isoLatin1)
        } else {
            text = nil
        }
        guard let text else { return nil }
        // The declaration would name the encoding that it was in.
        guard text.hasPrefix("<?xml"), let end = text.range(of: "?>") else { return Data(text.utf8) }
        return Data(text[end.upperBound...].utf8)
    }
}

/// Why data is no CDA document.
enum CDAError: Error, Equatable, CustomStringConvertible {
    case notXML(line: Int)
    case otherRoot(String)

    var description: String {
        switch self {
        case .notXML(let line): "it is not well-formed XML, see line \(line)"
        case .otherRoot(let root): "its root is \(root), where \(CDAReader.expectedRoot) is expected"
        }
    }
}

/// Collects the texts of the header by their paths below the root; of elements that repeat, the first.
private final class CDAReader: NSObject, XMLParserDelegate {
    static let expectedRoot = "urn:hl7-org:v3 ClinicalDocument"

    private(set) var root: String?
    /// Whether the root ended.
    private(set) var isComplete = false
    private var path: [String] = []
    private var texts: [String: [String]] = [:]
    private var finished: Set<String> = []

    /// The pieces of text at a path and below it, each trimmed, with a space between them.
    func text(at path: String) -> String {
        (texts[path] ?? []).joined(separator: " ")
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        if root == nil {
            root = "\(namespaceURI ?? "") \(name)"
            if root != Self.expectedRoot { parser.abortParsing() }
        } else {
            path.append(name)
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard let container = headerPath else {
            if path.popLast() == nil { isComplete = true }
            return
        }
        if container.count == path.count { finished.insert(container.joined(separator: "/")) }
        _ = path.popLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        guard let container = headerPath?.joined(separator: "/"), !finished.contains(container) else { return }
        let piece = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if !piece.isEmpty { texts[container, default: []].append(piece) }
    }

    /// The title or the name that the current element is, or is a part of.
    private var headerPath: ArraySlice<String>? {
        if path == ["title"] { return path[...] }
        guard let name = path.firstIndex(of: "name") else { return nil }
        return path[...name]
    }
}
