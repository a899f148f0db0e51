public import Foundation

/// A measured value with its unit: a heart rate, the metres of a minute.
///
/// A class cluster, as on Apple's systems: the initialisers make an ``HKCumulativeQuantitySample`` or an
/// ``HKDiscreteQuantitySample``, whichever goes with the aggregation style of the type, and so does the store. Both a
/// sample fresh from `HKQuantitySample(type:quantity:start:end:)` and one read back can be cast to its subclass.
public class HKQuantitySample: HKSample, QuantitySampleCluster, @unchecked Sendable {
    /// The sample's type; its ``HKQuantityType/aggregationStyle`` says whether values add up.
    public final let quantityType: HKQuantityType
    /// The value. For a series the sum (cumulative types) or the average (discrete types) of its quantities.
    public final let quantity: HKQuantity
    /// 1, or the number of quantities in a series.
    public final let count: Int

    /// Traps when the sample ends before it starts or when the unit does not go with the type, as HealthKit raises.
    public convenience init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date, end endDate: Date
    ) {
        self.init(type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil, metadata: nil)
    }

    /// Traps also when metadata holds a value that is no `String`, number, `Date` or `HKQuantity`.
    public convenience init(
        type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date, end endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(
            type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil, metadata: metadata)
    }

    /// With the device that measured it. Traps as the shorter forms do: for an end before the start, a unit that does not go with the
    /// type, and metadata that holds other values than `String`, number, `Date` or `HKQuantity`.
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
                preconditionFailure("a sample of \(quantityType.identifier) is no \(Self.self)")
            }
            return member
        })
    }

    /// A sample from a file, a log or the store; ``SampleError`` instead of a trap when the data is wrong. Refuses
    /// values that are not finite, too.
    package static func validated(
        _ identity: ObjectIdentity, type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date
    ) throws(SampleError) -> HKQuantitySample {
        try check(type, quantity, start: start, end: end)
        guard quantity.value.isFinite else { throw .notFinite(type: type.identifier) }
        return makeMember(identity, type: type, quantity: quantity, start: start, end: end)
    }

    /// The member of the cluster that holds one value of this type. The arguments have been checked.
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

    /// The arguments have been checked.
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

    /// Nil when the archive holds no such object, or one with values that it cannot have.
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

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(quantity, forKey: "quantity")
        coder.encode(count: count, forKey: "count")
    }
}

/// Lets the initialisers of ``HKQuantitySample`` make objects of its subclasses, as Apple's class cluster does.
///
/// A Swift class initialiser cannot choose the class of its result; one in a protocol extension can, since it assigns
/// `self`, and a convenience initialiser may delegate to it.
package protocol QuantitySampleCluster {}

extension QuantitySampleCluster {
    init(member make: () -> Self) {
        self = make()
    }
}
