import Foundation
import HealthKit
import Testing

// Needs the tables of published facts beside the repository; the other tests in this folder don't.
@Suite(.enabled(if: ReferenceTable.arePresent, "the reference tables are not beside the repository"))
struct ReferenceTableTests {
    @Test func `every quantity type has the identifier, name, unit, style and sharing of the reference`() throws {
        let table = try #require(ReferenceTable.quantityTypes)
        for row in table.rows {
            let identifier = try #require(row["identifier"])
            let type = try #require(TypeCatalogue.quantityType(identifier: identifier), "\(identifier) is missing")
            #expect(type.swiftName == row["swift_name"])
            #expect(type.canonicalUnit == HKUnit(from: try #require(row["canonical_unit"])), "\(identifier)")
            #expect(styles[try #require(row["aggregation_style"])] == type.aggregationStyle, "\(identifier)")
            #expect(try #require(row["app_may_share"]).hasPrefix("yes") == type.isShareableByApps, "\(identifier)")
        }
        #expect(TypeCatalogue.quantityTypes.count == table.rows.count + newerTypes.count)
    }

    /// Types of iOS 27, which the reference lacks: developer.apple.com, "HealthKit updates", June 2026.
    private let newerTypes: Set = ["heartRateVariabilityRMSSD=HKQuantityTypeIdentifierHeartRateVariabilityRMSSD"]

    private let styles: [String: HKQuantityAggregationStyle] = [
        "cumulative": .cumulative, "discreteArithmetic": .discreteArithmetic,
        "discreteTemporallyWeighted": .discreteTemporallyWeighted,
        "discreteEquivalentContinuousLevel": .discreteEquivalentContinuousLevel,
    ]

    @Test func `every category type has the identifier, name, values and sharing of the reference`() throws {
        let table = try #require(ReferenceTable.otherTypes)
        let rows = table.rows.filter { $0["kind"] == "category" }
        for row in rows {
            let name = try #require(row["swift_name"])
            let type = try #require(TypeCatalogue.categoryType(named: name), "\(name) is missing")
            #expect(type.identifier == row["identifier"])
            #expect(try #require(row["app_may_share"]).hasPrefix("yes") == type.isShareableByApps, "\(name)")
            let cases = try #require(row["cases"]).split(separator: "|").map { try raw(ofCase: $0) }
            #expect(type.allowedValues == Set(cases), "\(name)")
            // The deprecated name belongs to a deprecated enumeration with the same values.
            if name != "audioExposureEvent" {
                #expect(
                    try #require(row["value_type"]).split(separator: " ").first.map(String.init) == type.valueTypeName)
            }
        }
        #expect(Set(rows.compactMap { $0["identifier"] }) == Set(TypeCatalogue.categoryTypes.map(\.identifier)))
    }

    /// `asleep=1 (deprecated alias)` means 1.
    private func raw(ofCase text: Substring) throws -> Int {
        try #require(Int(text.split(separator: "=")[1].split(separator: " ")[0]))
    }

    @Test func `every value enumeration has the cases of the reference`() throws {
        for row in try #require(ReferenceTable.otherTypes).rows {
            guard let type = row["value_type"]?.split(separator: " ").first,
                let cases = CategoryValueTests.cases[String(type)]
            else { continue }
            let listed = try #require(row["cases"]).split(separator: "|")
                .filter { !$0.contains("alias") }.map { String($0.split(separator: " ")[0]) }
            #expect(Set(cases.map { "\($0.name)=\($0.rawValue)" }) == Set(listed), "\(type)")
        }
    }

    @Test func `every other type has the identifier and sharing of the reference`() throws {
        for row in try #require(ReferenceTable.otherTypes).rows where row["kind"] != "category" {
            let identifier = try #require(row["identifier"]).split(separator: " ")[0]
            let type = try #require(
                TypeCatalogue.objectType(identifier: String(identifier)), "\(identifier) is missing")
            #expect(try #require(row["app_may_share"]).hasPrefix("yes") == type.isShareableByApps, "\(identifier)")
        }
    }

    @Test(arguments: [
        ("category", "HKCategoryTypeIdentifier"), ("characteristic", "HKCharacteristicTypeIdentifier"),
        ("correlation", "HKCorrelationTypeIdentifier"), ("document", "HKDocumentTypeIdentifier"),
        ("clinical", "HKClinicalTypeIdentifier"), ("scoredAssessment", "HKScoredAssessmentTypeIdentifier"),
        ("", "HKQuantityTypeIdentifier"),
    ])
    func `every identifier constant has the Swift name and the string of the reference`(
        kind: String, structure: String
    ) throws {
        let rows =
            kind.isEmpty
            ? try #require(ReferenceTable.quantityTypes).rows
            : try #require(ReferenceTable.otherTypes).rows.filter { $0["kind"] == kind }
        let listed = try rows.map { "\(try #require($0["swift_name"]))=\(try #require($0["identifier"]))" }
        let declared = try ReferenceTable.declaredIdentifiers()[structure]
        #expect(declared?.subtracting(newerTypes) == Set(listed))
    }

    @Test func `every activity type has the name and the raw value of the reference`() throws {
        let table = try #require(ReferenceTable.activityTypes)
        for row in table.rows {
            let name = try #require(row["swift_case"])
            #expect(HKWorkoutActivityType(caseName: name)?.rawValue == row["raw_value"].flatMap { UInt($0) }, "\(name)")
        }
        #expect(HKWorkoutActivityType.allActivityTypes.count == table.rows.count)
    }
}
