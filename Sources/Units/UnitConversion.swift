import Foundation
import Synchronization

/// The size of a unit in its dimension's own unit: `numerator / denominator * 10^decimalExponent`.
///
/// It has three parts so that millimetres become metres by a division by 1000, which is exact to the last digit, and
/// not by a multiplication by 0.001, which is not.
package struct UnitScale: Sendable {
    private(set) var numerator = 1.0
    private(set) var denominator = 1.0
    private(set) var decimalExponent = 0
    /// The size as a decimal logarithm, which stays finite if the powers do not.
    private(set) var logarithm = 0.0

    package init() {}

    package init(_ product: UnitProduct) {
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

    package init(from source: UnitScale, zero sourceZero: Double, to target: UnitScale, zero targetZero: Double) {
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

extension UnitConversion {
    package static let identity = UnitConversion(from: UnitScale(), zero: 0, to: UnitScale(), zero: 0)

    /// Creates the conversion between two units, which it remembers. Nil if they measure different quantities, or if one is
    /// no unit. A string that is no unit converts into itself: developer fields of FIT have units such as `Watts`.
    package init?(from unit: String, to other: String) {
        if unit == other {
            self = .identity
            return
        }
        let pair = Pair(unit: unit, other: other)
        if let known = Self.known.withLock({ $0[pair] }) {
            guard let known else { return nil }
            self = known
            return
        }
        let found = Self.found(unit, other)
        Self.known.withLock { if $0.count < Self.mostKnown { $0[pair] = .some(found) } }
        guard let found else { return nil }
        self = found
    }

    private static func found(_ unit: String, _ other: String) -> UnitConversion? {
        guard let source = try? UnitParser.parse(unit), let target = try? UnitParser.parse(other),
            source.dimension == target.dimension
        else { return nil }
        return UnitConversion(
            from: UnitScale(source), zero: source.zeroInHundredths, to: UnitScale(target), zero: target.zeroInHundredths
        )
    }

    private struct Pair: Hashable {
        let unit: String
        let other: String
    }

    /// Unit strings come from files, so there may be any number of them.
    private static let mostKnown = 256
    private static let known = Mutex<[Pair: UnitConversion?]>([:])
}
