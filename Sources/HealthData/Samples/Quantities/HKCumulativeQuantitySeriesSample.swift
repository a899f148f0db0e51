import Foundation

/// A cumulative sample of several quantities, which a series query reads.
///
/// Superseded by ``HKCumulativeQuantitySample``, whose `count` and `sumQuantity` contain the same. The store still
/// creates series of this class, so that code which casts to it keeps working.
@available(iOS, deprecated: 13.0, message: "Use HKCumulativeQuantitySample")
public final class HKCumulativeQuantitySeriesSample: HKCumulativeQuantitySample, @unchecked Sendable {
    /// The sum of the quantities.
    public var sum: HKQuantity { quantity }

    package override class func makeMember(
        _ identity: ObjectIdentity, type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date
    ) -> HKQuantitySample {
        guard type.aggregationStyle == .cumulative else {
            return HKDiscreteQuantitySample(identity, type: type, quantity: quantity, start: start, end: end)
        }
        return HKCumulativeQuantitySeriesSample(identity, type: type, quantity: quantity, start: start, end: end)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKCumulativeQuantitySeriesSample {
        HKCumulativeQuantitySeriesSample(
            identity, type: quantityType, quantity: quantity, count: count, start: start, end: end)
    }
}
