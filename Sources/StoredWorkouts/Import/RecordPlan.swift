import Recordings
import SessionLog

/// The conversion of the records of one kind, determined once.
final class RecordPlan {
    let kind: HealthRecordKind
    /// The type. Nil if it is unknown.
    let type: HKSampleType?
    /// The unit. Nil for categories.
    let unit: HKUnit?
    let revision: HKSourceRevision
    let device: HKDevice?
    /// Whether samples of the type may be parts of correlations, so that each has to be found by a UUID.
    let isNamed: Bool
    private let fault: String?

    /// The columns in the batch for records, by their metadata.
    var columns: [ObjectIdentifier: Int] = [:] {
        didSet { if columns.isEmpty { held = [] } }
    }
    var held: [HealthMetadata] = []
    /// The number of added records.
    var count = 0

    init(_ kind: HealthRecordKind) {
        self.kind = kind
        revision = HKSourceRevision(kind.source)
        device = kind.source.device.map(HKDevice.init)
        isNamed = Self.partsOfCorrelations.contains { kind.type.hasPrefix($0) }
        if let quantity = TypeCatalogue.quantityType(identifier: kind.type) {
            let parsed = kind.unit.flatMap { try? HKUnit.parse($0) }
            let fits = parsed.map { quantity.is(compatibleWith: $0) } ?? false
            type = fits ? quantity : nil
            unit = fits ? parsed : nil
            fault = fits ? nil : "a value in \"\(kind.unit ?? "")\" is none of this type"
        } else {
            type = TypeCatalogue.categoryType(identifier: kind.type)
            unit = nil
            fault = type == nil ? "the type is not known" : nil
        }
    }

    private static let partsOfCorrelations = [
        "HKQuantityTypeIdentifierBloodPressure", "HKQuantityTypeIdentifierDietary",
    ]

    /// Returns the value for the store, or nil for one that cannot be stored.
    @inline(__always)
    func number(_ record: HealthRecord) -> Double? {
        guard let type, record.startDate <= record.endDate else { return nil }
        switch record.value {
        case .number(let number):
            if unit != nil { return number.isFinite ? number : nil }
            return allowed(Int(exactly: number), type)
        case .text(let text): return unit == nil ? allowed(CategoryValueNames.value(text), type) : nil
        case .none: return unit == nil ? allowed(HKCategoryValue.notApplicable.rawValue, type) : nil
        }
    }

    private func allowed(_ value: Int?, _ type: HKSampleType) -> Double? {
        guard let value, let category = type as? HKCategoryType, category.allowedValues.contains(value) else {
            return nil
        }
        return Double(value)
    }

    func reason(_ record: HealthRecord) -> String {
        if let fault { return fault }
        if record.startDate > record.endDate { return "it ends before it starts" }
        if case .text(let text) = record.value { return "the value \(text.prefix(60)) is none of this type" }
        return "the value is none of this type"
    }

    /// Creates a separate sample, with a UUID derived from its content.
    func sample(_ record: HealthRecord, _ value: Double) throws(SampleError) -> HKSample {
        let identity = try ObjectIdentity(
            uuid: record.fingerprint.uuid, sourceRevision: revision, device: device,
            metadata: ImportedMetadata.metadata(record.metadata))
        if let type = type as? HKQuantityType, let unit {
            return try HKQuantitySample.validated(
                identity, type: type, quantity: HKQuantity(unit: unit, doubleValue: value), start: record.startDate,
                end: record.endDate)
        }
        guard let type = type as? HKCategoryType else { throw .notFinite(type: record.type) }
        return try HKCategorySample.validated(
            identity, type: type, value: Int(value), start: record.startDate, end: record.endDate)
    }
}

/// The names of category values in an Apple Health export, such as `HKCategoryValueSleepAnalysisAsleepCore`: the name
/// of the enumeration and of its case.
///
/// This is a table and not reflection, because an app that gives an enumeration its own description would change the
/// result of `String(describing:)`.
enum CategoryValueNames {
    /// Returns nil for a word that is no value.
    static func value(_ word: String) -> Int? { values[word] }

    /// Returns the present name of a value of an enumeration, or nil if there is no such value.
    static func name(_ value: Int, of enumeration: String) -> String? {
        guard let row = enumerations.first(where: { "HKCategoryValue" + $0.type == enumeration }) else { return nil }
        let names = row.names.split(separator: " ")
        let place = value - row.first
        return names.indices.contains(place) ? String(names[place]) : nil
    }

    private static let values: [String: Int] = {
        var values = older
        for (type, first, names) in enumerations {
            for (offset, name) in names.split(separator: " ").enumerated() {
                values["HKCategoryValue\(type)\(name)"] = first + offset
            }
        }
        return values
    }()

    /// An enumeration without its prefix, its first raw value, and its cases from there on.
    private static let enumerations: [(type: String, first: Int, names: String)] = [
        ("", 0, "NotApplicable"),
        ("AppetiteChanges", 0, "Unspecified NoChange Decreased Increased"),
        ("AppleStandHour", 0, "Stood Idle"),
        ("AppleWalkingSteadinessEvent", 1, "InitialLow InitialVeryLow RepeatLow RepeatVeryLow"),
        ("CervicalMucusQuality", 1, "Dry Sticky Creamy Watery EggWhite"),
        ("Contraceptive", 1, "Unspecified Implant Injection IntrauterineDevice IntravaginalRing Oral Patch"),
        ("EnvironmentalAudioExposureEvent", 1, "MomentaryLimit"),
        ("HeadphoneAudioExposureEvent", 1, "SevenDayLimit"),
        ("LowCardioFitnessEvent", 1, "LowFitness"),
        ("MenstrualFlow", 1, "Unspecified Light Medium Heavy None"),
        ("OvulationTestResult", 1, "Negative LuteinizingHormoneSurge Indeterminate EstrogenSurge"),
        ("PregnancyTestResult", 1, "Negative Positive Indeterminate"),
        ("Presence", 0, "Present NotPresent"),
        ("ProgesteroneTestResult", 1, "Negative Positive Indeterminate"),
        ("Severity", 0, "Unspecified NotPresent Mild Moderate Severe"),
        ("SleepAnalysis", 0, "InBed AsleepUnspecified Awake AsleepCore AsleepDeep AsleepREM"),
        ("VaginalBleeding", 1, "Unspecified Light Medium Heavy None"),
    ]

    /// The names in older systems of values that have other names now.
    private static let older = [
        "HKCategoryValueAudioExposureEventLoudEnvironment":
            HKCategoryValueEnvironmentalAudioExposureEvent.momentaryLimit.rawValue,
        "HKCategoryValueSleepAnalysisAsleep": HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue,
        "HKCategoryValueOvulationTestResultPositive":
            HKCategoryValueOvulationTestResult.luteinizingHormoneSurge.rawValue,
    ]
}

extension HKCategoryType {
    /// Returns the name of a value's case, such as `asleepCore`. Returns nil for a value that the type does not have.
    package func caseName(of value: Int) -> String? {
        CategoryValueNames.name(value, of: valueTypeName).map { $0.prefix(1).lowercased() + $0.dropFirst() }
    }
}
