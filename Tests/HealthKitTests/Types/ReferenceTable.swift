import Foundation

/// A table of published facts beside the repository, one dictionary per row. Missing in a plain checkout.
struct ReferenceTable {
    let rows: [[String: String]]

    static let quantityTypes = ReferenceTable("quantity-types.csv")
    static let otherTypes = ReferenceTable("other-types.csv")
    static let activityTypes = ReferenceTable("workout-activity-types.csv")

    static var arePresent: Bool { quantityTypes != nil && otherTypes != nil && activityTypes != nil }

    static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private init?(_ file: String) {
        let url = Self.repository.deletingLastPathComponent().appending(path: "shared/reference/\(file)")
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.map { Self.fields(of: $0) }
        guard let columns = lines.first else { return nil }
        rows = lines.dropFirst().map { fields in
            Dictionary(uniqueKeysWithValues: zip(columns, fields))
        }
    }

    /// Commas separate fields; a field with a comma is quoted.
    private static func fields(of line: Substring) -> [String] {
        var fields = [""]
        var isQuoted = false
        for character in line {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
        }
        return fields
    }

    /// Every `static let name = Self(rawValue: "…")` of the identifier files, as `name=…`, by the name of its
    /// structure.
    static func declaredIdentifiers() throws -> [String: Set<String>] {
        let folder = repository.appending(path: "Sources/HealthData/Types/Identifiers")
        var declared: [String: Set<String>] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let text = try String(contentsOf: file, encoding: .utf8)
            // A file may declare several structures.
            var name = ""
            for match in text.matches(
                of: /(?:struct|extension) (HK\w+)|static let (\w+) = Self\(\s*rawValue: "(\w+)"\)/)
            {
                if let structure = match.1 { name = String(structure) }
                if let constant = match.2, let identifier = match.3 {
                    declared[name, default: []].insert("\(constant)=\(identifier)")
                }
            }
        }
        return declared
    }
}
