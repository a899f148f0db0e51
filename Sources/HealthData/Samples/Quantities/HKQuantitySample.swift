public import Foundation

/// A measured value with its unit: a heart rate, the metres of a minute.
///
/// A class cluster, as on Apple's systems: the initialisers and the store create an ``HKCumulativeQuantitySample`` or
/// an ``HKDiscreteQuantitySample``, depending on the aggregation style of the type. Both a new sample from
/// `HKQuantitySample(type:quantity:start:end:)` and one read from the store can be cast to its subclass.
public class HKQuantitySample: HKSample, QuantitySampleCluster, @unchecked Sendable {
    /// The sample's type. Its ``HKQuantityType/aggregationStyle`` shows whether values add up.
    public final let quantityType: HKQuantityType
    /// The value. For a series, the sum (cumulative types) or the average (discrete types) of its quantities.
    public final let quantity: HKQuantity
    /// The number of quantities: 1, or more for a series.
    public final let count: Int

    /// Creates a sample. Traps if it ends before it starts or if the unit does not match the type, as HealthKit raises.
    public convenience init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date, end endDate: Date
    ) {
        self.init(type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil, metadata: nil)
    }

    /// Creates a sample with metadata. Also traps if metadata contains a value that is no `String`, number, `Date` or
    /// `HKQuantity`.
    public convenience init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date, end endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil, metadata: metadata)
    }

    /// Creates a sample with the device that measured it. Traps like the shorter forms: if it ends before it starts, if
    /// the unit does not match the type, and if metadata contains a value that is no `String`, number, `Date` or
    /// `HKQuantity`.
    public convenience init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date, end endDate: Date,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        raising(try Self.check(quantityType, quantity, start: startDate, end: endDate))
        let identity = raising(try ObjectIdentity(device: device, metadata: metadata))
        self.init(member: {
            let sample = Self.makeMember(
                identity, type: quantityType, quantity: quantity, start: startDate, end: endDate)
            guard let member = sample as? Self else {
                preconditionFailure("a sample of \(quantityType.identifier) is not a \(Self.self)")
            }
            return member
        })
    }

    /// Creates a sample from a file, a log or the store. Throws ``SampleError`` instead of trapping if the data is
    /// invalid. Also rejects values that are not finite.
    package static func validated(
        _ identity: ObjectIdentity, type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date
    ) throws(SampleError) -> HKQuantitySample {
        try check(type, quantity, start: start, end: end)
        guard quantity.value.isFinite else { throw .notFinite(type: type.identifier) }
        return makeMember(identity, type: type, quantity: quantity, start: start, end: end)
    }

    /// Creates the member of the cluster for one value of this type. The arguments have been checked.
    package class func makeMember(
        _ identity: ObjectIdentity, type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date
    ) -> HKQuantitySample {
        type.aggregationStyle == .cumulative
            ? HKCumulativeQuantitySample(identity, type: type, quantity: quantity, start: start, end: end)
            : HKDiscreteQuantitySample(identity, type: type, quantity: quantity, start: start, end: end)
    }

    private static func check(
        _ type: HKQuantityType, _ quantity: HKQuantity, start: Date, end: Date
    ) throws(SampleError) {
        guard type.is(compatibleWith: quantity.unit) else {
            throw .incompatibleUnit(
                type: type.identifier, unit: quantity.unit.unitString, expected: type.canonicalUnit.unitString)
        }
        try check(type, start: start, end: end)
    }

    /// Creates a sample. The arguments have been checked.
    package init(
        _ identity: ObjectIdentity, type: HKQuantityType, quantity: HKQuantity, count: Int = 1, start: Date, end: Date
    ) {
        quantityType = type
        self.quantity = quantity
        self.count = count
        super.init(identity, sampleType: type, start: start, end: end)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKQuantitySample {
        Self.makeMember(identity, type: quantityType, quantity: quantity, start: start, end: end)
    }

    /// The value, the UUID and the time.
    public override var description: String { "\(quantity) \(uuid) (\(startDate) - \(endDate))" }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        guard let type = coder.decodeValue(of: HKQuantityType.self, forKey: "sampleType"),
            let quantity = coder.decodeValue(of: HKQuantity.self, forKey: "quantity"),
            let count = coder.decodeCount(forKey: "count"), count >= 1, type.is(compatibleWith: quantity.unit)
        else { return nil }
        quantityType = type
        self.quantity = quantity
        self.count = count
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(quantity, forKey: "quantity")
        coder.encode(count: count, forKey: "count")
    }
}

/// Lets the initialisers of ``HKQuantitySample`` create objects of its subclasses, as Apple's class cluster does.
///
/// A Swift class initialiser cannot choose the class of its result. One in a protocol extension can, because it assigns
/// `self`, and a convenience initialiser may delegate to it.
package protocol QuantitySampleCluster {}

extension QuantitySampleCluster {
    init(member make: () -> Self) {
        self = make()
    }
}
