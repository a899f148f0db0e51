import Foundation
import SessionLog
import XML

/// The header of a CDA document (HL7 CDA Release 2, section 4.2: title, recordTarget, author, custodian).
///
/// Only the fields that identify the document are read. It must be XML whose elements nest, and its root a
/// `ClinicalDocument` in HL7's namespace. It is not validated against the schema, and external entities are not
/// followed. Foundation's parser is not used, because it traps on some bytes that are not XML, and makes every program
/// load libxml2 and ICU at its start.
package struct CDAHeader: Equatable {
    package var title = ""
    package var patientName = ""
    package var authorName = ""
    package var custodianName = ""

    package init(_ data: Data) throws(CDAError) {
        let reader = try CDAReader(data)
        title = reader.text(at: "title")
        patientName = reader.text(at: "recordTarget/patientRole/patient/name")
        let person = reader.text(at: "author/assignedAuthor/assignedPerson/name")
        authorName = person.isEmpty ? reader.text(at: "author/assignedAuthor/representedOrganization/name") : person
        custodianName = reader.text(at: "custodian/assignedCustodian/representedCustodianOrganization/name")
    }
}

/// The reason why data is not a CDA document.
package enum CDAError: Error, Equatable, CustomStringConvertible {
    case notXML(line: Int)
    case otherRoot(String)

    package var description: String {
        switch self {
        case .notXML(let line): "it is not well-formed XML, see line \(line)"
        case .otherRoot(let root): "its root is \(root), where \(CDAReader.namespace) \(CDAReader.root) is expected"
        }
    }
}

/// Collects the texts of the header by their paths below the root. Of repeated elements, the first counts.
private struct CDAReader {
    static let namespace = "urn:hl7-org:v3"
    static let root = "ClinicalDocument"

    /// The names, as written, of the open elements, with the root first.
    private var open: [String] = []
    private var hasEnded = false
    private var texts: [String: [String]] = [:]
    private var finished: Set<String> = []

    init(_ data: Data) throws(CDAError) {
        let bytes = Self.utf8(data)
        var scanner = XMLScanner(MemoryStream(bytes), elements: [], attributes: [], keepsText: true)
        func fault(_ byte: Int) -> CDAError {
            .notXML(line: 1 + bytes.prefix(byte).count { $0 == UInt8(ascii: "\n") })
        }
        while true {
            let token: XMLScanner.Token
            do throws(ByteStreamFault) { token = try scanner.next() } catch { throw fault(scanner.tokenByte) }
            guard scanner.warnings.all.isEmpty else { throw fault(scanner.tokenByte) }
            switch token {
            case .start, .empty:
                guard !hasEnded else { throw fault(scanner.tokenByte) }
                if open.isEmpty { try Self.check(scanner) }
                open.append(scanner.elementName)
                if token == .empty { end() }
            case .end:
                guard open.last == scanner.elementName else { throw fault(scanner.tokenByte) }
                end()
            case .text:
                guard !open.isEmpty else { throw fault(scanner.tokenByte) }
                take(XMLText.string(scanner.text))
            case .finished:
                guard hasEnded else { throw fault(bytes.count) }
                return
            }
        }
    }

    /// Returns the pieces of text at a path and below it, each trimmed, separated by spaces.
    func text(at path: String) -> String {
        (texts[path] ?? []).joined(separator: " ")
    }

    private static func check(_ scanner: borrowing XMLScanner) throws(CDAError) {
        let parts = scanner.elementName.split(separator: ":", maxSplits: 1).map(String.init)
        let declaration = parts.count == 2 ? "xmlns:" + parts[0] : "xmlns"
        let namespace = (0..<scanner.attributeCount).first { scanner.attributeName(at: $0) == declaration }
            .map { XMLText.string(scanner.value(at: $0)) }
        guard parts.last == Self.root, namespace == Self.namespace else {
            throw .otherRoot("\(namespace ?? "") \(parts.last ?? "")")
        }
    }

    private mutating func end() {
        if let container = headerPath, container.count == open.count - 1 {
            finished.insert(container.joined(separator: "/"))
        }
        open.removeLast()
        hasEnded = open.isEmpty
    }

    private mutating func take(_ text: String) {
        guard let container = headerPath?.joined(separator: "/"), !finished.contains(container) else { return }
        let piece = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if !piece.isEmpty { texts[container, default: []].append(piece) }
    }

    /// The path of the title or name that contains the current element, below the root and without prefixes.
    private var headerPath: ArraySlice<Substring>? {
        let path = open.dropFirst().map { $0.split(separator: ":").last ?? "" }
        if path == ["title"] { return path[...] }
        guard let name = path.firstIndex(of: "name") else { return nil }
        return path[...name]
    }

    /// Documents are usually UTF-8. A byte order mark indicates UTF-16. All others are read as Latin 1, in which every
    /// byte is a character.
    private static func utf8(_ data: Data) -> [UInt8] {
        if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) {
            if let text = String(data: data, encoding: .utf16) { return Array(text.utf8) }
        }
        if String(validating: data, as: UTF8.self) != nil { return Array(data) }
        return String(data: data, encoding: .isoLatin1).map { Array($0.utf8) } ?? Array(data)
    }
}
