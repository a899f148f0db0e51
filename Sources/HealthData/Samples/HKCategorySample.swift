public import Foundation

/// A sample whose value is one of a few: asleep or awake, mild or severe.
public final class HKCategorySample: HKSample, @unchecked Sendable {
    /// The sample's type. Its identifier documents the allowed values.
    public let categoryType: HKCategoryType
    /// The raw value of the type's enumeration, such as `HKCategoryValueSleepAnalysis`.
    public let value: Int

    /// Creates a sample. Traps if it ends before it starts or if the type does not allow the value, as HealthKit
    /// raises.
    public convenience init(type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: nil, metadata: nil)
    }

    /// Creates a sample with metadata. Also traps if metadata contains a value that is no `String`, number, `Date` or
    /// `HKQuantity`.
    public convenience init(
        type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date, metadata: [String: Any]?
    ) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: nil, metadata: metadata)
    }

    /// Creates a sample with the device that measured it. Traps like the shorter forms.
    public convenience init(
        type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        raising(try Self.check(type, value: value, start: startDate, end: endDate))
        let identity = raising(try ObjectIdentity(device: device, metadata: metadata))
        self.init(identity, type: type, value: value, start: startDate, end: endDate)
    }

    /// Creates a sample from a file, a log or the store. Throws ``SampleError`` instead of trapping if the data is
    /// invalid.
    package static func validated(
        _ identity: ObjectIdentity, type: HKCategoryType, value: Int, start: Date, end: Date
    ) throws(SampleError) -> HKCategorySample {
        try check(type, value: value, start: start, end: end)
        return HKCategorySample(identity, type: type, value: value, start: start, end: end)
    }

    private static func check(_ type: HKCategoryType, value: Int, start: Date, end: Date) throws(SampleError) {
        guard type.allowedValues.contains(value) else {
            throw .categoryValue(type: type.identifier, value: value, enumeration: type.valueTypeName)
        }
        try check(type, start: start, end: end)
    }

    private init(_ identity: ObjectIdentity, type: HKCategoryType, value: Int, start: Date, end: Date) {
        categoryType = type
        self.value = value
        super.init(identity, sampleType: type, start: start, end: end)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKCategorySample {
        HKCategorySample(identity, type: categoryType, value: value, start: start, end: end)
    }

    /// The value, the type, the UUID and the time.
    public override var description: String { "\(value) \(super.description)" }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        guard let type = coder.decodeValue(of: HKCategoryType.self, forKey: "sampleType"),
            let value = coder.decodeCount(forKey: "value"), type.allowedValues.contains(value)
        else { return nil }
        categoryType = type
        self.value = value
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: value, forKey: "value")
    }
}
