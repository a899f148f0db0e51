public import Foundation

/// A unit of measure, simple (`kg`) or composed (`mL/min·kg`).
///
/// Units are immutable and shared: the same unit is the same object. They are equal when they are written alike, so
/// `kcal` and `Cal` are two units that convert one to one.
public final class HKUnit: NSObject, NSSecureCoding, NSCopying, Sendable {
    let product: UnitProduct
    let scale: UnitScale
    let zeroInHundredths: Double
    package let dimension: Dimension
    private let productHash: Int

    /// The unit as a string, which `init(from:)` reads: factors joined by `·`, powers as `^n`, at most one `/`.
    /// The null unit's is empty.
    public let unitString: String

    /// Only for `SharedUnits`; everything else asks there.
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
    /// Names are case sensitive, except the litre's. Products are written with `.`, `*` or `·` and are evaluated before
    /// the one quotient; powers are whole numbers up to ±32767. The empty string and `1` are the null unit.
    ///
    /// Stops the program when the string is not a unit.
    public convenience init(from string: String) {
        do throws(UnitError) {
            self.init(sharing: try SharedUnits.unit(string))
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// The unit that a string from a file or another machine names. The same string gives the same object, without
    /// parsing it again.
    package static func parse(_ string: String) throws(UnitError) -> HKUnit {
        try SharedUnits.unit(string)
    }

    /// Whether nothing is left when the dimensions cancel, as in `dL/L`. `count` and `%` are not null.
    public func isNull() -> Bool {
        dimension == .none
    }

    /// Whether values in one unit convert into the other.
    package func isCompatible(with unit: HKUnit) -> Bool {
        self === unit || dimension == unit.dimension
    }

    /// Equal when the units are written alike: `kcal` and `Cal` are not.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let unit = object as? HKUnit else { return false }
        return self === unit || product == unit.product
    }

    /// Goes with the way the unit is written.
    public override var hash: Int { productHash }

    /// ``unitString``.
    public override var description: String { unitString }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    private static let unitStringKey = "unitString"

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(NSString(string: unitString), forKey: Self.unitStringKey)
    }

    /// Nil when the archive holds no unit, or one that cannot be read.
    public convenience init?(coder: NSCoder) {
        guard let string = coder.decodeObject(of: NSString.self, forKey: Self.unitStringKey),
            let unit = try? HKUnit.parse(string.description)
        else { return nil }
        self.init(sharing: unit)
    }
}

/// Lets an initialiser of a class return an object that exists already. Only an initialiser in a protocol extension may
/// assign `self`.
protocol SharedInstance {}

extension SharedInstance {
    init(sharing instance: Self) {
        self = instance
    }
}

extension HKUnit: SharedInstance {}

extension HKUnit {
    /// This unit times another, with what cancels left out.
    public func unitMultiplied(by unit: HKUnit) -> HKUnit {
        SharedUnits.unit(product.multiplied(by: unit.product))
    }

    /// This unit divided by another, with what cancels left out: a unit divided by itself is the null unit.
    public func unitDivided(by unit: HKUnit) -> HKUnit {
        SharedUnits.unit(product.multiplied(by: unit.product.raised(toPower: -1)))
    }

    /// This unit to a power, which may be negative. Powers are held within ±32767.
    public func unitRaised(toPower power: Int) -> HKUnit {
        SharedUnits.unit(product.raised(toPower: power))
    }

    /// One over this unit.
    public func reciprocal() -> HKUnit {
        unitRaised(toPower: -1)
    }
}
