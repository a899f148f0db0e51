import Foundation
import HealthKit
import Testing

/// The raw values of HealthKit's constants, cases and errors, by which they are stored and sent: `RawValues.csv`, one
/// line per symbol.
enum RawValues {
    /// As compiled.
    static var compiled: [String: String] { all(identifiers, categoryValues, cases, constants) }

    /// As in the table.
    static func listed() throws -> [String: String] {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "RawValues.csv")
        let lines = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline)
        return Dictionary(
            uniqueKeysWithValues: lines.filter { !$0.hasPrefix("#") && $0 != "symbol,raw" }.map { line in
                let fields = line.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(fields[0]), String(fields[1]))
            })
    }

    static func all(_ parts: [String: String]...) -> [String: String] {
        parts.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }

    static func of<Value: RawRepresentable>(_ members: [String: Value]) -> [String: String] {
        let type = String(reflecting: Value.self).replacing(/^\w+\./, with: "")
        return Dictionary(uniqueKeysWithValues: members.map { ("\(type).\($0)", "\($1.rawValue)") })
    }

    /// Names of declarations with a raw value of their own.
    static func declared() throws -> Set<String> {
        let files = ["HealthData", "HealthStore", "HealthKit"].flatMap { module in
            let folder = ReferenceTable.repository.appending(path: "Sources/\(module)")
            return FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil).map(Array.init) ?? []
        }
        var names: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            names.formUnion(text.matches(of: /(?m)^public let (HK\w+)(?:: String)? =\s*"/).map { String($0.1) })
            names.formUnion(
                text.matches(of: /public static let (\w+) = (?:Self|HK\w+)\(\s*rawValue: "/).map { String($0.1) })
            guard text.contains(/public enum \w+: U?Int\b/) else { continue }
            names.formUnion(text.matches(of: /(?m)^ +case `?(\w+)`? = \d+$/).map { String($0.1) })
        }
        return names
    }
}

@Suite struct RawValuesTests {
    /// Apple's constants as measured and documented. The header of the table names the sources.
    @Test func `every raw value is that of the table`() throws {
        let compiled = RawValues.compiled
        for (symbol, raw) in try RawValues.listed() { #expect(compiled[symbol] == raw, "\(symbol)") }
        #expect(try Set(compiled.keys) == Set(RawValues.listed().keys))
    }

    @Test func `the table contains everything with a raw value`() throws {
        let listed = Set(try RawValues.listed().keys.compactMap { $0.split(separator: ".").last.map(String.init) })
        #expect(try RawValues.declared().subtracting(listed) == [])
    }

    @Test(.enabled(if: ReferenceTable.arePresent, "the reference tables are not beside the repository"))
    func `the table agrees with the tables of published facts`() throws {
        let listed = try RawValues.listed()
        for row in try #require(ReferenceTable.quantityTypes).rows {
            let name = try #require(row["swift_name"])
            #expect(listed["HKQuantityTypeIdentifier.\(name)"] == row["identifier"], "\(name)")
        }
        for row in try #require(ReferenceTable.activityTypes).rows {
            let name = try #require(row["swift_case"])
            #expect(listed["HKWorkoutActivityType.\(name)"] == row["raw_value"], "\(name)")
        }
        let structures = [
            "category": "HKCategoryTypeIdentifier", "characteristic": "HKCharacteristicTypeIdentifier",
            "correlation": "HKCorrelationTypeIdentifier", "document": "HKDocumentTypeIdentifier",
            "clinical": "HKClinicalTypeIdentifier", "scoredAssessment": "HKScoredAssessmentTypeIdentifier",
        ]
        for row in try #require(ReferenceTable.otherTypes).rows {
            if let structure = structures[try #require(row["kind"])] {
                let name = try #require(row["swift_name"])
                #expect(listed["\(structure).\(name)"] == row["identifier"], "\(name)")
            }
            guard let type = row["value_type"]?.split(separator: " ").first, type.hasPrefix("HKCategoryValue") else {
                continue
            }
            for member in try #require(row["cases"]).split(separator: "|") {
                let parts = member.split(separator: " ")[0].split(separator: "=")
                guard parts.count == 2 else { continue }
                #expect(listed["\(type).\(parts[0])"] == String(parts[1]), "\(type) \(member)")
            }
        }
    }

    /// "SMART Health Card" and "EU Digital COVID Certificate" in the spelling of the framework's constants.
    @Test func `verifiable records name their format as Apple does`() {
        #expect(HKVerifiableClinicalRecordSourceType.smartHealthCard.rawValue == "SMARTHealthCard")
        #expect(HKVerifiableClinicalRecordSourceType.euDigitalCOVIDCertificate.rawValue == "EUDigitalCOVIDCertificate")
    }
}
