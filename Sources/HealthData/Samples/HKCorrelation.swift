public import Foundation

/// A sample made of others that belong together: the two values of a blood pressure, the nutrients of a food.
public final class HKCorrelation: HKSample, @unchecked Sendable {
    /// What the samples have in common: a blood pressure, a food.
    public let correlationType: HKCorrelationType
    /// Quantity and category samples.
    public let objects: Set<HKSample>

    /// Traps when the correlation ends before it starts, as HealthKit raises, or when it is to hold anything but quantity
    /// and category samples.
    public convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date, objects: Set<HKSample>
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, device: nil, metadata: nil)
    }

    /// Traps also when metadata holds a value that is no `String`, number, `Date` or `HKQuantity`.
    public convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date, objects: Set<HKSample>,
        metadata: [String: Any]?
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, device: nil, metadata: metadata)
    }

    /// With the device that measured it. Traps as the shorter forms do.
    public convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date, objects: Set<HKSample>,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        raising(try Self.check(correlationType, start: startDate, end: endDate, objects: objects))
        let identity = raising(try ObjectIdentity(device: device, metadata: metadata))
        self.init(identity, type: correlationType, start: startDate, end: endDate, objects: objects)
    }

    /// The contained samples of one type.
    public func objects(for objectType: HKObjectType) -> Set<HKSample> {
        objects.filter { $0.sampleType == objectType }
    }

    /// A correlation from a file or the store; ``SampleError`` instead of a trap when the data is wrong.
    package static func validated(
        _ identity: ObjectIdentity, type: HKCorrelationType, start: Date, end: Date, objects: Set<HKSample>
    ) throws(SampleError) -> HKCorrelation {
        try check(type, start: start, end: end, objects: objects)
        return HKCorrelation(identity, type: type, start: start, end: end, objects: objects)
    }

    private static func check(
        _ type: HKCorrelationType, start: Date, end: Date, objects: Set<HKSample>
    ) throws(SampleError) {
        try check(type, start: start, end: end)
        if let other = objects.first(where: { !($0 is HKQuantitySample || $0 is HKCategorySample) }) {
            throw .contained(type: other.sampleType.identifier, inside: type.identifier)
        }
    }

    private init(
        _ identity: ObjectIdentity, type: HKCorrelationType, start: Date, end: Date, objects: Set<HKSample>
    ) {
        correlationType = type
        self.objects = objects
        super.init(identity, sampleType: type, start: start, end: end)
    }

    /// The contained samples move along; their identities stay.
    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKCorrelation {
        HKCorrelation(
            identity, type: correlationType, start: start, end: end,
            objects: Set(objects.map { $0.mappingDates(inner) }))
    }

    // MARK: NSSecureCoding

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public required init?(coder: NSCoder) {
        guard let type = coder.decodeValue(of: HKCorrelationType.self, forKey: "sampleType"),
            let objects = coder.decodeList(
                of: [HKQuantitySample.self, HKCategorySample.self], as: HKSample.self, forKey: "objects")
        else { return nil }
        correlationType = type
        self.objects = Set(objects)
        super.init(coder: coder)
    }

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(list: Array(objects), forKey: "objects")
    }
}
