import Foundation

/// A sample of a type whose values add up, such as steps, distance and energy.
public class HKCumulativeQuantitySample: HKQuantitySample, @unchecked Sendable {
    /// The sum of the sample's quantities, equal to its `quantity`.
    public final var sumQuantity: HKQuantity { quantity }

    /// Creates a sample of `count` quantities. It is a series sample if there are several.
    package static func make(
        _ identity: ObjectIdentity, type: HKQuantityType, sum: HKQuantity, count: Int, start: Date, end: Date
    ) -> HKCumulativeQuantitySample {
        count > 1
            ? HKCumulativeQuantitySeriesSample(
                identity, type: type, quantity: sum, count: count, start: start, end: end)
            : HKCumulativeQuantitySample(identity, type: type, quantity: sum, start: start, end: end)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKCumulativeQuantitySample {
        HKCumulativeQuantitySample(
            identity, type: quantityType, quantity: quantity, count: count, start: start, end: end)
    }
}
