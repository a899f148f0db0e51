import Recordings

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
