/// Converts between the units of readings in a log that other formats need. Units are spelled as `HKUnit.unitString`
/// spells them.
enum ReadingUnit {
    /// The dimension of a unit, and the factor to the base unit of the dimension. `offset` is added after scaling.
    private struct Unit {
        var dimension: Dimension
        var scale: Double
        var offset = 0.0
    }

    private enum Dimension { case rate, length, speed, power, energy, temperature, time, count, mass, fraction }

    /// Base units: count/s, m, m/s, W, J, K, s, count, kg, 1. Factors: the SI brochure, 9th edition; NIST Special
    /// Publication 811, appendix B.8 (mile, foot, yard, inch, calorie of 4.184 J).
    private static let units: [String: Unit] = [
        "count/s": Unit(dimension: .rate, scale: 1), "Hz": Unit(dimension: .rate, scale: 1),
        "count/min": Unit(dimension: .rate, scale: 1 / 60),
        "m": Unit(dimension: .length, scale: 1), "km": Unit(dimension: .length, scale: 1000),
        "cm": Unit(dimension: .length, scale: 0.01), "mm": Unit(dimension: .length, scale: 0.001),
        "mi": Unit(dimension: .length, scale: 1609.344), "ft": Unit(dimension: .length, scale: 0.3048),
        "yd": Unit(dimension: .length, scale: 0.9144), "in": Unit(dimension: .length, scale: 0.0254),
        "m/s": Unit(dimension: .speed, scale: 1), "km/hr": Unit(dimension: .speed, scale: 1 / 3.6),
        "mi/hr": Unit(dimension: .speed, scale: 0.44704), "m/min": Unit(dimension: .speed, scale: 1 / 60),
        "W": Unit(dimension: .power, scale: 1), "kW": Unit(dimension: .power, scale: 1000),
        "J": Unit(dimension: .energy, scale: 1), "kJ": Unit(dimension: .energy, scale: 1000),
        "cal": Unit(dimension: .energy, scale: 4.184), "kcal": Unit(dimension: .energy, scale: 4184),
        "Cal": Unit(dimension: .energy, scale: 4184),
        "K": Unit(dimension: .temperature, scale: 1), "degC": Unit(dimension: .temperature, scale: 1, offset: 273.15),
        "degF": Unit(dimension: .temperature, scale: 5 / 9, offset: 459.67 * 5 / 9),
        "s": Unit(dimension: .time, scale: 1), "ms": Unit(dimension: .time, scale: 0.001),
        "min": Unit(dimension: .time, scale: 60), "hr": Unit(dimension: .time, scale: 3600),
        "count": Unit(dimension: .count, scale: 1), "%": Unit(dimension: .fraction, scale: 1),
    ]

    static func isKnown(_ unit: String) -> Bool { units[unit] != nil }

    /// The value in the other unit is `value * scale + offset`.
    struct Conversion: Equatable {
        var scale = 1.0
        var offset = 0.0

        func callAsFunction(_ value: Double) -> Double {
            self == Conversion() ? value : value * scale + offset
        }
    }

    /// Returns nil if the units measure different things, or if one is unknown.
    static func conversion(from unit: String, to other: String) -> Conversion? {
        if unit == other { return Conversion() }
        guard let from = units[unit], let to = units[other], from.dimension == to.dimension else { return nil }
        // Between rates per second and per minute: 60 is exact, but 1/60 is not.
        if from.dimension == .rate { return Conversion(scale: from.scale == 1 ? (to.scale == 1 ? 1 : 60) : 1 / 60) }
        return Conversion(scale: from.scale / to.scale, offset: (from.offset - to.offset) / to.scale)
    }
}
