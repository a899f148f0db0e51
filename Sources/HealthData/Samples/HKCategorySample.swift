public import Foundation

/// A value out of a few: asleep or awake, mild or severe.
public final class HKCategorySample: HKSample, @unchecked Sendable {
    /// The sample's type; which values it may have stands with its identifier.
    public let categoryType: HKCategoryType
    /// The raw value of the enumeration that goes with the type, such as `HKCategoryValueSleepAnalysis`.
    public let value: Int

    /// Traps when the sample ends before it starts or when the value is none of the type's, as HealthKit raises.
    public convenience init(type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: nil, metadata: nil)
    }

    /// Traps also when metadata holds a value that is no `String`, number, `Date` or `HKQuantity`.
    public convenience init(
        type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date, metadata: [String: Any]?
    ) {
        self.init(type: type, value: value, start: startDate, end: endDate, device: nil, metadata: metadata)
    }

    /// With the device that measured it. Traps as the shorter forms do.
    public convenience init(
        type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        raising(try Self.check(type, value: value, start: startDate, end: endDate))
        let identity = raising(try ObjectIdentity(device: device, metadata: metadata))
        self.init(identity, type: type, value: value, start: startDate, end: endDate)
    }

    /// A sample from a file, a log or the store; ``SampleError`` instead of a trap when the data is wrong.
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

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public required init?(coder: NSCoder) {
        guard let type = coder.decodeValue(of: HKCategoryType.self, forKey: "sampleType"),
            let value = coder.decodeCount(forKey: "value"), type.allowedValues.contains(value)
        else { return nil }
        categoryType = type
        self.value = value
        super.init(coder: coder)
    }

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: value, forKey: "value")
    }
}
