public import Foundation

/// A value with its unit. Immutable.
///
/// Quantities are equal when they are the same amount: 1 km and 1000 m. Quantities in different units are converted to the
/// unit that their dimension counts in and then compared exactly, without a tolerance.
public final class HKQuantity: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The unit that the quantity was made with.
    package let unit: HKUnit
    /// The value in `unit`.
    package let value: Double

    /// A value in a unit. Percentages are fractions: 98 % is 0.98 of ``HKUnit/percent()``.
    public init(unit: HKUnit, doubleValue value: Double) {
        self.unit = unit
        self.value = value
    }

    /// Whether the quantity can be expressed in a unit.
    public func `is`(compatibleWith unit: HKUnit) -> Bool {
        self.unit.isCompatible(with: unit)
    }

    /// The value in a unit. Stops the program when the quantity cannot be expressed in it; ask `is(compatibleWith:)`
    /// where the unit is not known beforehand.
    public func doubleValue(for unit: HKUnit) -> Double {
        if unit === self.unit { return value }
        guard let converter = self.unit.converter(to: unit) else {
            preconditionFailure("Attempt to convert incompatible units: \(self.unit), \(unit)")
        }
        return converter(value)
    }

    /// Whether this quantity is smaller than, the same as or larger than another. Stops the program when their units do
    /// not convert. A NaN is neither smaller nor larger than anything.
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

    /// The value in the unit that the dimension counts in.
    private var amount: Double {
        UnitConversion(from: unit.scale, zero: unit.zeroInHundredths, to: UnitScale(), zero: 0)(value)
    }

    /// Equal when it is the same amount: 1 km and 1000 m. Quantities whose units do not convert are unequal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let quantity = object as? HKQuantity else { return false }
        if self === quantity { return true }
        guard unit.isCompatible(with: quantity.unit) else { return false }
        let (left, right) = comparableValues(with: quantity)
        return left == right
    }

    /// That of the amount, whatever the unit.
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

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    private enum Key {
        static let unit = "unit"
        static let value = "value"
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(unit, forKey: Key.unit)
        coder.encode(value, forKey: Key.value)
    }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public init?(coder: NSCoder) {
        guard let unit = coder.decodeObject(of: HKUnit.self, forKey: Key.unit), coder.containsValue(forKey: Key.value)
        else { return nil }
        self.unit = unit
        value = coder.decodeDouble(forKey: Key.value)
    }
}
