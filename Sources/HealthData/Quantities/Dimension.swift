/// What a unit measures: one exponent for each base dimension.
///
/// Two units convert into each other when their dimensions are equal. Unlike in the SI, volume, energy, power, pressure
/// and frequency are base dimensions of their own: a watt is not a joule per second, nor a hertz one per second.
package struct Dimension: Hashable, Sendable {
    enum Base: Int, CaseIterable {
        case length, time, mass, volume, pressure, energy, power, temperature
        /// Counts and fractions, which convert into each other one to one.
        case scalar
        case frequency, soundLevel, hearingLevel, conductance, potential, internationalUnit, lensPower, prismPower
        case angle, illuminance, effort
    }

    private var exponents = [Int32](repeating: 0, count: Base.allCases.count)

    static let none = Dimension()

    subscript(base: Base) -> Int {
        Int(exponents[base.rawValue])
    }

    /// Wraps round instead of trapping: powers come from data, and each is below 2¹⁵ (`UnitFactor.powerLimit`).
    mutating func multiply(by base: Base, toPower power: Int) {
        exponents[base.rawValue] &+= Int32(truncatingIfNeeded: power)
    }
}
