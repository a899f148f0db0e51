/// One factor of a unit: `min^-1`, `mmol<180.15588000005408>`.
package struct UnitFactor: Hashable, Sendable {
    /// The limit of powers, so that neither unit strings nor unit algebra can overflow. HealthKit's own limit is not
    /// known. No real quantity comes near it.
    static let powerLimit = 32767

    package var unit: BaseUnit
    package var prefix: MetricPrefix
    /// The molar mass in grams per mole. 1 for anything but a mole.
    var molarMass: Double
    package var power: Int

    package init(unit: BaseUnit, prefix: MetricPrefix = .none, molarMass: Double = 1, power: Int = 1) {
        self.unit = unit
        self.prefix = prefix
        self.molarMass = molarMass
        self.power = power
    }

    /// The factor without its power.
    var symbol: String {
        let symbol = prefix.symbol + unit.facts.symbol
        return unit == .mole ? "\(symbol)<\(molarMass.shortestText)>" : symbol
    }

    var decimalExponent: Int { prefix.decimalExponent * power }

    fileprivate func hasSameBase(as other: UnitFactor) -> Bool {
        unit == other.unit && prefix == other.prefix && molarMass == other.molarMass
    }

    fileprivate func precedes(_ other: UnitFactor) -> Bool {
        if unit != other.unit { return unit.rawValue < other.unit.rawValue }
        if prefix != other.prefix { return prefix.decimalExponent < other.prefix.decimalExponent }
        return molarMass < other.molarMass
    }
}

/// A unit as a product of powers, in canonical form: sorted, each base once, no power of zero.
package struct UnitProduct: Hashable, Sendable {
    package let factors: [UnitFactor]

    static let null = UnitProduct([])

    package init(_ factors: [UnitFactor]) {
        var merged: [UnitFactor] = []
        for factor in factors.sorted(by: { $0.precedes($1) }) {
            if let last = merged.last, last.hasSameBase(as: factor) {
                merged[merged.count - 1].power &+= factor.power
            } else {
                merged.append(factor)
            }
        }
        let limit = UnitFactor.powerLimit
        for index in merged.indices { merged[index].power = min(max(merged[index].power, -limit), limit) }
        self.factors = merged.filter { $0.power != 0 }
    }

    package func multiplied(by other: UnitProduct) -> UnitProduct {
        UnitProduct(factors + other.factors)
    }

    package func raised(toPower power: Int) -> UnitProduct {
        let limit = UnitFactor.powerLimit
        let power = min(max(power, -limit), limit)
        return UnitProduct(
            factors.map { factor in
                var factor = factor
                factor.power *= power
                return factor
            }
        )
    }

    package var dimension: UnitDimension {
        var dimension = UnitDimension.none
        for factor in factors { dimension.multiply(by: factor.unit.facts.dimension, toPower: factor.power) }
        return dimension
    }

    /// The offset of the temperature scale's zero. It only applies if the whole unit is one temperature: a rise of one
    /// degree per minute has none.
    package var zeroInHundredths: Double {
        factors.count == 1 && factors[0].power == 1 ? factors[0].unit.facts.zeroInHundredths : 0
    }

    /// The unit string: `kg/m·s^2`, `1/s`, and the empty string for the null unit.
    package var unitString: String {
        func side(_ factors: [UnitFactor]) -> String {
            factors.map { $0.power.magnitude == 1 ? $0.symbol : "\($0.symbol)^\($0.power.magnitude)" }
                .joined(separator: "·")
        }
        let numerator = side(factors.filter { $0.power > 0 })
        let denominator = side(factors.filter { $0.power < 0 })
        if denominator.isEmpty { return numerator }
        return "\(numerator.isEmpty ? "1" : numerator)/\(denominator)"
    }
}

extension Double {
    /// The fewest digits that are read back as the same number, without `.0`: `72`, `0.98`, `1e+20`.
    package var shortestText: String {
        let text = description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
