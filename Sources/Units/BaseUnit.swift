/// A unit with a name of its own. `facts` has everything known about it.
package enum BaseUnit: UInt8, CaseIterable, Sendable {
    // The order of factors in a unit string: length, time and mass first, as HealthKit prints `kg/m·s^2`, `mL/min·kg`
    // and `J/m·s·kg`.
    case meter, inch, foot, yard, mile
    case second, minute, hour, day
    case gram, ounce, pound, stone, mole
    case liter, fluidOunceUS, pintUS, cupUS, fluidOunceImperial, pintImperial, cupImperial
    case pascal, millimeterOfMercury, centimeterOfWater, atmosphere, inchesOfMercury
    case joule, smallCalorie, kilocalorie, largeCalorie
    case watt
    case kelvin, degreeCelsius, degreeFahrenheit
    case count, percent
    case hertz, decibelAWeightedSoundPressureLevel, decibelHearingLevel
    case siemen, volt, internationalUnit, diopter, prismDiopter
    case radianAngle, degreeAngle
    case lux, appleEffortScore
}

extension BaseUnit {
    package struct Facts: Sendable {
        package let unit: BaseUnit
        let symbol: String
        let dimension: UnitDimension.Base
        /// One unit is `numerator / denominator` of its dimension's own unit. There are two numbers, because 5/9 has no
        /// exact `Double`. For a mole, the molar mass is part of the factor instead.
        let numerator: Double
        let denominator: Double
        /// The hundredths of the unit between absolute zero and its own zero. Hundredths are whole numbers, so that 0
        /// °C is exactly 32 °F.
        let zeroInHundredths: Double
        package let takesPrefix: Bool

        init(
            _ unit: BaseUnit, _ symbol: String, _ dimension: UnitDimension.Base, _ numerator: Double = 1,
            over denominator: Double = 1, zeroInHundredths: Double = 0, takesPrefix: Bool = false
        ) {
            self.unit = unit
            self.symbol = symbol
            self.dimension = dimension
            self.numerator = numerator
            self.denominator = denominator
            self.zeroInHundredths = zeroInHundredths
            self.takesPrefix = takesPrefix
        }
    }

    var facts: Facts { Self.table[Int(rawValue)] }

    /// One row per unit, in the order of the cases.
    package static let table: [Facts] = [
        Facts(.meter, "m", .length, takesPrefix: true),
        Facts(.inch, "in", .length, 0.0254),
        Facts(.foot, "ft", .length, 0.3048),
        Facts(.yard, "yd", .length, 0.9144),
        Facts(.mile, "mi", .length, 1609.344),

        Facts(.second, "s", .time, takesPrefix: true),
        Facts(.minute, "min", .time, 60),
        Facts(.hour, "hr", .time, 3600),
        Facts(.day, "d", .time, 86400),

        Facts(.gram, "g", .mass, takesPrefix: true),
        Facts(.ounce, "oz", .mass, 28.349523125),
        Facts(.pound, "lb", .mass, 453.59237),
        Facts(.stone, "st", .mass, 6350.29318),
        Facts(.mole, "mol", .mass, takesPrefix: true),

        Facts(.liter, "L", .volume, takesPrefix: true),
        Facts(.fluidOunceUS, "fl_oz_us", .volume, 0.0295735295625),
        Facts(.pintUS, "pt_us", .volume, 0.473176473),
        Facts(.cupUS, "cup_us", .volume, 0.2365882365),
        Facts(.fluidOunceImperial, "fl_oz_imp", .volume, 0.0284130625),
        Facts(.pintImperial, "pt_imp", .volume, 0.56826125),
        Facts(.cupImperial, "cup_imp", .volume, 0.284130625),

        Facts(.pascal, "Pa", .pressure, takesPrefix: true),
        Facts(.millimeterOfMercury, "mmHg", .pressure, 133.32236842105263),
        Facts(.centimeterOfWater, "cmAq", .pressure, 98.06649606299213),
        Facts(.atmosphere, "atm", .pressure, 101325),
        Facts(.inchesOfMercury, "inHg", .pressure, 3386.38816),

        Facts(.joule, "J", .energy, takesPrefix: true),
        Facts(.smallCalorie, "cal", .energy, 4.184),
        Facts(.kilocalorie, "kcal", .energy, 4184),
        Facts(.largeCalorie, "Cal", .energy, 4184),
        Facts(.watt, "W", .power, takesPrefix: true),

        Facts(.kelvin, "K", .temperature),
        Facts(.degreeCelsius, "degC", .temperature, zeroInHundredths: 27315),
        Facts(.degreeFahrenheit, "degF", .temperature, 5, over: 9, zeroInHundredths: 45967),

        Facts(.count, "count", .scalar),
        // A percentage is a fraction: 98 % is stored as 0.98 and equals 0.98 count.
        Facts(.percent, "%", .scalar),

        Facts(.hertz, "Hz", .frequency, takesPrefix: true),
        Facts(.decibelAWeightedSoundPressureLevel, "dBASPL", .soundLevel),
        Facts(.decibelHearingLevel, "dBHL", .hearingLevel),
        Facts(.siemen, "S", .conductance, takesPrefix: true),
        Facts(.volt, "V", .potential, takesPrefix: true),
        Facts(.internationalUnit, "IU", .internationalUnit),
        Facts(.diopter, "D", .lensPower),
        Facts(.prismDiopter, "pD", .prismPower),
        Facts(.radianAngle, "rad", .angle, takesPrefix: true),
        Facts(.degreeAngle, "deg", .angle, .pi, over: 180),
        Facts(.lux, "lx", .illuminance, takesPrefix: true),
        Facts(.appleEffortScore, "appleEffortScore", .effort),
    ]

    /// Every name that a unit string may use. An exact name takes precedence over a prefix with a shorter name, so
    /// `min` is the minute. Only the litre may be written in either case.
    static let names: [String: (unit: BaseUnit, prefix: MetricPrefix)] = {
        var names: [String: (unit: BaseUnit, prefix: MetricPrefix)] = [:]
        for facts in table { names[facts.symbol] = (facts.unit, .none) }
        names["l"] = (.liter, .none)
        for facts in table where facts.takesPrefix {
            for prefix in MetricPrefix.allCases where prefix != .none {
                for symbol in facts.unit == .liter ? ["L", "l"] : [facts.symbol]
                where names[prefix.symbol + symbol] == nil {
                    names[prefix.symbol + symbol] = (facts.unit, prefix)
                }
            }
        }
        return names
    }()
}

/// The quantity that a unit measures: one exponent for each base dimension.
///
/// Two units convert into each other if their dimensions are equal. Unlike in the SI, volume, energy, power, pressure
/// and frequency are base dimensions of their own: a watt is not a joule per second, and a hertz is not one per second.
package struct UnitDimension: Hashable, Sendable {
    enum Base: Int, CaseIterable, Sendable {
        case length, time, mass, volume, pressure, energy, power, temperature
        /// Counts and fractions, which convert into each other one to one.
        case scalar
        case frequency, soundLevel, hearingLevel, conductance, potential, internationalUnit, lensPower, prismPower
        case angle, illuminance, effort
    }

    private var exponents = [Int32](repeating: 0, count: Base.allCases.count)

    package static let none = UnitDimension()

    subscript(base: Base) -> Int {
        Int(exponents[base.rawValue])
    }

    /// Multiplies. Wraps around instead of trapping, because powers come from data. Each is below 2¹⁵
    /// (`UnitFactor.powerLimit`).
    mutating func multiply(by base: Base, toPower power: Int) {
        exponents[base.rawValue] &+= Int32(truncatingIfNeeded: power)
    }
}
