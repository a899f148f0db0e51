public import Foundation
import Units

/// A value with its unit. Immutable.
///
/// Quantities are equal if they are the same amount: 1 km and 1000 m. Quantities in different units are converted to
/// their dimension's own unit and then compared exactly, without a tolerance.
public final class HKQuantity: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The unit that the quantity was created with.
    package let unit: HKUnit
    /// The value in `unit`.
    package let value: Double

    /// Creates a quantity. Percentages are fractions: 98 % is 0.98 of ``HKUnit/percent()``.
    public init(unit: HKUnit, doubleValue value: Double) {
        self.unit = unit
        self.value = value
    }

    /// Returns whether the quantity can be expressed in a unit.
    public func `is`(compatibleWith unit: HKUnit) -> Bool {
        self.unit.isCompatible(with: unit)
    }

    /// Returns the value in a unit. Stops the program if the quantity cannot be expressed in it. If the unit is not
    /// known beforehand, check with `is(compatibleWith:)`.
    public func doubleValue(for unit: HKUnit) -> Double {
        if unit === self.unit { return value }
        guard let converter = self.unit.converter(to: unit) else {
            preconditionFailure("Attempt to convert incompatible units: \(self.unit), \(unit)")
        }
        return converter(value)
    }

    /// Returns whether this quantity is smaller than, equal to or larger than another. Stops the program if their units
    /// do not convert. A NaN is neither smaller nor larger than anything.
    public func compare(_ quantity: HKQuantity) -> ComparisonResult {
        guard unit.isCompatible(with: quantity.unit) else {
            preconditionFailure("Attempt to convert incompatible units: \(unit), \(quantity.unit)")
        }
        let (left, right) = comparableValues(with: quantity)
        if left < right { return .orderedAscending }
        return left > right ? .orderedDescending : .orderedSame
    }

    private func comparableValues(with quantity: HKQuantity) -> (Double, Double) {
        unit === quantity.unit ? (value, quantity.value) : (amount, quantity.amount)
    }

    /// The value in the dimension's own unit.
    private var amount: Double {
        UnitConversion(from: unit.scale, zero: unit.zeroInHundredths, to: UnitScale(), zero: 0)(value)
    }

    /// Returns whether the amounts are equal, such as 1 km and 1000 m. Quantities whose units do not convert are
    /// unequal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let quantity = object as? HKQuantity else { return false }
        if self === quantity { return true }
        guard unit.isCompatible(with: quantity.unit) else { return false }
        let (left, right) = comparableValues(with: quantity)
        return left == right
    }

    /// The hash of the amount, whatever its unit.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(unit.dimension)
        hasher.combine(amount)
        return hasher.finalize()
    }

    /// The value and its unit: `72 count/min`.
    public override var description: String {
        unit.unitString.isEmpty ? value.shortestText : "\(value.shortestText) \(unit)"
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    private enum Key {
        static let unit = "unit"
        static let value = "value"
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(unit, forKey: Key.unit)
        coder.encode(value, forKey: Key.value)
    }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public init?(coder: NSCoder) {
        guard let unit = coder.decodeObject(of: HKUnit.self, forKey: Key.unit), coder.containsValue(forKey: Key.value)
        else { return nil }
        self.unit = unit
        value = coder.decodeDouble(forKey: Key.value)
    }
}
