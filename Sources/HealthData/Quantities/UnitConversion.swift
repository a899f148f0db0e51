import Foundation

/// The size of a unit in its dimension's own unit: `numerator / denominator * 10^decimalExponent`.
///
/// It has three parts so that millimetres become metres by a division by 1000, which is exact to the last digit, and
/// not by a multiplication by 0.001, which is not.
struct UnitScale: Sendable {
    private(set) var numerator = 1.0
    private(set) var denominator = 1.0
    private(set) var decimalExponent = 0
    /// The size as a decimal logarithm, which stays finite if the powers do not.
    private(set) var logarithm = 0.0

    init() {}

    init(_ product: UnitProduct) {
        for factor in product.factors {
            let facts = factor.unit.facts
            let power = Double(factor.power.magnitude)
            let above = pow(facts.numerator * factor.molarMass, power)
            let below = pow(facts.denominator, power)
            numerator *= factor.power > 0 ? above : below
            denominator *= factor.power > 0 ? below : above
            decimalExponent += factor.decimalExponent
            let one = log10(facts.numerator) + log10(factor.molarMass) - log10(facts.denominator)
            logarithm += one * Double(factor.power)
        }
    }
}

/// A linear conversion of values in one unit to values in another.
package struct UnitConversion: Sendable {
    private let numerator: Double
    private let denominator: Double
    package let offset: Double

    package var scale: Double { numerator / denominator }
    /// Whether it changes no value.
    package var isIdentity: Bool { numerator == 1 && denominator == 1 && offset == 0 }

    init(from source: UnitScale, zero sourceZero: Double, to target: UnitScale, zero targetZero: Double) {
        var above = source.numerator * target.denominator
        var below = source.denominator * target.numerator
        let exponent = source.decimalExponent - target.decimalExponent
        if exponent > 0 { above *= Self.powerOfTen(exponent) }
        if exponent < 0 { below *= Self.powerOfTen(-exponent) }
        if !above.isNormal || !below.isNormal {
            above = pow(10, source.logarithm - target.logarithm + Double(exponent))
            below = 1
        }
        let isIdentity = above == below
        numerator = isIdentity ? 1 : above
        denominator = isIdentity ? 1 : below
        offset =
            sourceZero == 0 && targetZero == 0
            ? 0 : (sourceZero * numerator - targetZero * denominator) / (denominator * 100)
    }

    package func callAsFunction(_ value: Double) -> Double {
        value * numerator / denominator + offset
    }

    private static let exactPowersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    private static func powerOfTen(_ exponent: Int) -> Double {
        exponent < exactPowersOfTen.count ? exactPowersOfTen[exponent] : pow(10, Double(exponent))
    }
}

extension HKUnit {
    /// Returns the conversion of values in this unit into values in `unit`, or nil if the units measure different
    /// quantities.
    package func converter(to unit: HKUnit) -> UnitConversion? {
        guard self !== unit else {
            return UnitConversion(from: UnitScale(), zero: 0, to: UnitScale(), zero: 0)
        }
        guard isCompatible(with: unit) else { return nil }
        return UnitConversion(from: scale, zero: zeroInHundredths, to: unit.scale, zero: unit.zeroInHundredths)
    }

    /// Returns the same conversion as one multiplication and one addition, for columns of values: `value * scale +
    /// offset`. It can differ from `converter(to:)` in the last digit.
    package func conversion(to unit: HKUnit) -> (scale: Double, offset: Double)? {
        converter(to: unit).map { ($0.scale, $0.offset) }
    }
}
