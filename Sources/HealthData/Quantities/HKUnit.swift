public import Foundation
package import Units

/// A unit of measure, simple (`kg`) or composed (`mL/min·kg`).
///
/// Units are immutable and shared: the same unit is the same object. They are equal if they are written alike, so
/// `kcal` and `Cal` are two units that convert one to one.
public final class HKUnit: NSObject, NSSecureCoding, NSCopying, Sendable {
    let product: UnitProduct
    let scale: UnitScale
    let zeroInHundredths: Double
    package let dimension: UnitDimension
    private let productHash: Int

    /// The unit as a string, which `init(from:)` reads: factors joined by `·`, powers as `^n`, at most one `/`. Empty
    /// for the null unit.
    public let unitString: String

    /// Only `SharedUnits` calls this. All other code requests units from there.
    init(product: UnitProduct) {
        self.product = product
        scale = UnitScale(product)
        zeroInHundredths = product.zeroInHundredths
        dimension = product.dimension
        productHash = product.hashValue
        unitString = product.unitString
    }

    /// Reads a unit string such as `count/min`, `mg/dL` or `mmol<180.15588000005408>/L`.
    ///
    /// Names are case-sensitive, except the litre's. Products are written with `.`, `*` or `·` and are evaluated before
    /// the only quotient. Powers are whole numbers up to ±32767. The empty string and `1` are the null unit.
    ///
    /// Stops the program if the string is not a unit.
    public convenience init(from string: String) {
        do throws(UnitError) {
            self.init(sharing: try SharedUnits.unit(string))
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Returns the unit of a string from a file or another machine. The same string gives the same object without
    /// parsing again.
    package static func parse(_ string: String) throws(UnitError) -> HKUnit {
        try SharedUnits.unit(string)
    }

    /// Returns whether all dimensions cancel, as in `dL/L`. `count` and `%` are not null.
    public func isNull() -> Bool {
        dimension == .none
    }

    /// Returns whether values in one unit convert into the other.
    package func isCompatible(with unit: HKUnit) -> Bool {
        self === unit || dimension == unit.dimension
    }

    /// Returns whether the units are written alike. `kcal` and `Cal` are not equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let unit = object as? HKUnit else { return false }
        return self === unit || product == unit.product
    }

    /// The hash of the unit as it is written.
    public override var hash: Int { productHash }

    /// The same as ``unitString``.
    public override var description: String { unitString }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    private static let unitStringKey = "unitString"

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(NSString(string: unitString), forKey: Self.unitStringKey)
    }

    /// Returns nil if the archive contains no unit, or an invalid one.
    public convenience init?(coder: NSCoder) {
        guard let string = coder.decodeObject(of: NSString.self, forKey: Self.unitStringKey),
            let unit = try? HKUnit.parse(string.description)
        else { return nil }
        self.init(sharing: unit)
    }
}

/// Lets an initialiser of a class return an existing object. Only an initialiser in a protocol extension may assign
/// `self`.
protocol SharedInstance {}

extension SharedInstance {
    init(sharing instance: Self) {
        self = instance
    }
}

extension HKUnit: SharedInstance {}

extension HKUnit {
    /// Returns this unit times another. Factors that cancel are left out.
    public func unitMultiplied(by unit: HKUnit) -> HKUnit {
        SharedUnits.unit(product.multiplied(by: unit.product))
    }

    /// Returns this unit divided by another. Factors that cancel are left out, so a unit divided by itself is the null
    /// unit.
    public func unitDivided(by unit: HKUnit) -> HKUnit {
        SharedUnits.unit(product.multiplied(by: unit.product.raised(toPower: -1)))
    }

    /// Returns this unit to a power, which may be negative. Powers are limited to ±32767.
    public func unitRaised(toPower power: Int) -> HKUnit {
        SharedUnits.unit(product.raised(toPower: power))
    }

    /// Returns one over this unit.
    public func reciprocal() -> HKUnit {
        unitRaised(toPower: -1)
    }
}

extension HKUnit {
    /// Returns the conversion of values in this unit into values in `unit`, or nil if the units measure different
    /// quantities.
    package func converter(to unit: HKUnit) -> UnitConversion? {
        guard self !== unit else { return .identity }
        guard isCompatible(with: unit) else { return nil }
        return UnitConversion(from: scale, zero: zeroInHundredths, to: unit.scale, zero: unit.zeroInHundredths)
    }
}
