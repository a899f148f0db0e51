import Testing
import Units

@Suite struct UnitConversionTests {
    @Test(arguments: [
        ("count/s", "count/min", 2.0, 120.0), ("km", "m", 1.5, 1500), ("mi", "m", 1, 1609.344),
        ("degF", "degC", 212, 100),
        ("degC", "K", 0, 273.15), ("kcal", "J", 1, 4184), ("Cal", "kcal", 7, 7), ("km/hr", "m/s", 36, 10),
        ("%", "count", 0.5, 0.5), ("m", "m", 3, 3), ("Watts", "Watts", 3, 3),
    ])
    func `a value is converted from one unit to another`(unit: String, other: String, value: Double, expected: Double) {
        #expect(UnitConversion(from: unit, to: other).map { abs($0(value) - expected) < 1e-9 } == true)
        // The second time it comes from the cache.
        #expect(UnitConversion(from: unit, to: other).map { abs($0(value) - expected) < 1e-9 } == true)
    }

    @Test(arguments: [("m", "s"), ("Hz", "count/s"), ("W", "J/s"), ("m", "no unit"), ("no unit", "m")])
    func `units of different quantities, and invalid units, have no conversion`(
        unit: String, other: String
    ) {
        #expect(UnitConversion(from: unit, to: other) == nil)
        #expect(UnitConversion(from: unit, to: other) == nil)
    }

    @Test func `more units than are cached are converted too`() {
        for length in 1...600 {
            #expect(UnitConversion(from: "m^\(length)", to: "cm^\(length)")?.isIdentity == false)
        }
        #expect(UnitConversion(from: "m^600", to: "cm^599") == nil)
    }
}
