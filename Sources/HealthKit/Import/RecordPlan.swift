import Recordings
import SessionLog

/// What becomes of the records of one kind: worked out once.
final class RecordPlan {
    let kind: HealthRecordKind
    /// Nil for a type that is not known.
    let type: HKSampleType?
    /// Nil for categories.
    let unit: HKUnit?
    let revision: HKSourceRevision
    let device: HKDevice?
    /// Whether samples of the type may be parts of correlations, so that each has to be found by a UUID.
    let isNamed: Bool
    private let fault: String?

    /// Where in the batch the records with certain metadata go.
    var columns: [ObjectIdentifier: Int] = [:] {
        didSet { if columns.isEmpty { held = [] } }
    }
    var held: [HealthMetadata] = []
    /// Records that were taken.
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

    /// The value as the store keeps it; nil for one that cannot be kept.
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

    /// The sample of its own, with the UUID that its content gives it.
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

/// The words that an Apple Health export has for category values, such as `HKCategoryValueSleepAnalysisAsleepCore`: the
/// name of the enumeration and of its case.
///
/// A table and no reflection: an app that gives an enumeration a description of its own would change what
/// `String(describing:)` says.
enum CategoryValueNames {
    /// Nil for a word that names no value.
    static func value(_ word: String) -> Int? { values[word] }

    /// The word of today for a value of an enumeration; nil when it has no such value.
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

    /// Words of older systems for values that have another name today.
    private static let older = [
        "HKCategoryValueAudioExposureEventLoudEnvironment":
            HKCategoryValueEnvironmentalAudioExposureEvent.momentaryLimit.rawValue,
        "HKCategoryValueSleepAnalysisAsleep": HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue,
        "HKCategoryValueOvulationTestResultPositive":
            HKCategoryValueOvulationTestResult.luteinizingHormoneSurge.rawValue,
    ]
}

extension HKCategoryType {
    /// What a value is called: the name of its case, such as `asleepCore`. Nil for a value that the type does not have.
    package func caseName(of value: Int) -> String? {
        CategoryValueNames.name(value, of: valueTypeName).map { $0.prefix(1).lowercased() + $0.dropFirst() }
    }
}
