public import Foundation

/// A sample of several others that belong together: the two values of a blood pressure, the nutrients of a food.
public final class HKCorrelation: HKSample, @unchecked Sendable {
    /// The type of the correlation: a blood pressure, a food.
    public let correlationType: HKCorrelationType
    /// The contained quantity and category samples.
    public let objects: Set<HKSample>

    /// Creates a correlation. Traps if it ends before it starts, as HealthKit raises, or if it contains anything but
    /// quantity and category samples.
    public convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date, objects: Set<HKSample>
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, device: nil, metadata: nil)
    }

    /// Creates a correlation with metadata. Also traps if metadata contains a value that is no `String`, number, `Date`
    /// or `HKQuantity`.
    public convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date, objects: Set<HKSample>,
        metadata: [String: Any]?
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, device: nil, metadata: metadata)
    }

    /// Creates a correlation with the device that measured it. Traps like the shorter forms.
    public convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date, objects: Set<HKSample>,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        raising(try Self.check(correlationType, start: startDate, end: endDate, objects: objects))
        let identity = raising(try ObjectIdentity(device: device, metadata: metadata))
        self.init(identity, type: correlationType, start: startDate, end: endDate, objects: objects)
    }

    /// Returns the contained samples of one type.
    public func objects(for objectType: HKObjectType) -> Set<HKSample> {
        objects.filter { $0.sampleType == objectType }
    }

    /// Creates a correlation from a file or the store. Throws ``SampleError`` instead of trapping if the data is
    /// invalid.
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

    /// Moves the contained samples along. They keep their identities.
    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKCorrelation {
        HKCorrelation(
            identity, type: correlationType, start: start, end: end,
            objects: Set(objects.map { $0.mappingDates(inner) }))
    }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        guard let type = coder.decodeValue(of: HKCorrelationType.self, forKey: "sampleType"),
            let objects = coder.decodeList(
                of: [HKQuantitySample.self, HKCategorySample.self], as: HKSample.self, forKey: "objects")
        else { return nil }
        correlationType = type
        self.objects = Set(objects)
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(list: Array(objects), forKey: "objects")
    }
}
