import Testing
import Units

@testable import HealthData

struct UnitConversionTests {
    // Factors: healthkit-api.md, section 2, which names their sources.
    @Test(arguments: [
        (1, "oz", "g", 28.349523125), (1, "lb", "g", 453.59237), (1, "st", "g", 6350.29318), (1, "lb", "oz", 16),
        (1, "in", "m", 0.0254), (1, "ft", "m", 0.3048), (1, "yd", "m", 0.9144), (1, "mi", "m", 1609.344),
        (1609.344, "m", "mi", 1), (4321, "m", "km", 4.321), (26.2, "mi", "km", 42.1648128),
        (1, "fl_oz_us", "L", 0.0295735295625), (1, "pt_us", "L", 0.473176473), (1, "cup_us", "L", 0.2365882365),
        (1, "fl_oz_imp", "L", 0.0284130625), (1, "pt_imp", "L", 0.56826125), (1, "cup_imp", "L", 0.284130625),
        (1, "mmHg", "Pa", 133.32236842105263), (1, "cmAq", "Pa", 98.06649606299213), (1, "atm", "Pa", 101325),
        (1, "inHg", "Pa", 3386.38816), (1, "atm", "hPa", 1013.25),
        (1, "min", "s", 60), (1, "hr", "s", 3600), (1, "d", "s", 86400), (1500, "ms", "s", 1.5),
        (1, "cal", "J", 4.184), (1, "kcal", "J", 4184), (1, "Cal", "kcal", 1), (418.4, "kJ", "kcal", 100),
        (180, "deg", "rad", Double.pi),
        (0.98, "%", "count", 0.98), (0.98, "count", "%", 0.98),
        (72, "count/min", "count/s", 1.2), (1.2, "count/s", "count/min", 72), (72, "count/min", "%/s", 1.2),
        (3.6, "km/hr", "m/s", 1), (10, "m/s", "km/hr", 36), (50, "mL/kg·min", "L/kg·hr", 3),
        (3, "mg", "g", 0.003), (7, "dm", "m", 0.7), (5, "fg", "Tg", 5e-27), (1, "Gm", "dam", 1e8),
        (1, "mol<12>", "mol<2>", 6), (1, "mol<12>", "g", 12), (36, "g", "mol<12>", 3),
        (1, "mmol<180.15588>/L", "mg/dL", 18.015588),
        (1, "m^2", "cm^2", 10000), (1, "1/mm", "1/m", 1000), (1, "m^-2", "1/cm^2", 0.0001),
        (1, "dL/L", "", 0.1),
    ])
    func `values convert between units`(value: Double, from: String, to: String, expected: Double) throws {
        let converted = HKQuantity(unit: HKUnit(from: from), doubleValue: value).doubleValue(for: HKUnit(from: to))
        #expect(abs(converted - expected) <= 2 * expected.ulp)
        let conversion = try #require(HKUnit(from: from).converter(to: HKUnit(from: to)))
        #expect(abs(value * conversion.scale + conversion.offset - expected) <= 2 * expected.ulp)
    }

    @Test(arguments: [
        (0.0, "degC", "degF", 32.0), (32, "degF", "degC", 0), (100, "degC", "degF", 212), (0, "degC", "K", 273.15),
        (0, "K", "degC", -273.15), (0, "K", "degF", -459.67), (37, "degC", "degF", 98.6), (98.6, "degF", "degC", 37),
        (-40, "degC", "degF", -40), (310.15, "K", "degC", 37),
    ])
    func `plain temperatures convert with their zero points`(value: Double, from: String, to: String, expected: Double)
    {
        let converted = HKQuantity(unit: HKUnit(from: from), doubleValue: value).doubleValue(for: HKUnit(from: to))
        #expect(abs(converted - expected) < 1e-12)
    }

    @Test(arguments: [
        (9.0, "degF/s", "degC/s", 5.0), (5, "degC/s", "K/s", 5), (81, "degF^2", "degC^2", 25),
        (1, "1/degC", "1/degF", 5.0 / 9), (9, "degF·m", "K·m", 5),
    ])
    func `in products and powers a degree is a difference`(value: Double, from: String, to: String, expected: Double) {
        let converted = HKQuantity(unit: HKUnit(from: from), doubleValue: value).doubleValue(for: HKUnit(from: to))
        #expect(abs(converted - expected) <= 2 * expected.ulp)
    }

    @Test func `a temperature that remains after cancelling has its zero point`() {
        let unit = HKUnit(from: "(degC·m)/m")
        #expect(HKQuantity(unit: unit, doubleValue: 100).doubleValue(for: .degreeFahrenheit()) == 212)
    }

    // Bases that are products of others in the SI, but not here; and the two decibel scales.
    @Test(arguments: [
        ("Hz", "1/s"), ("Hz", "count/s"), ("W", "J/s"), ("L", "m^3"), ("dBASPL", "Pa"), ("dBASPL", "dBHL"),
        ("Pa", "kg/m·s^2"), ("J", "kg·m^2/s^2"), ("V", "W"), ("IU", "count"), ("appleEffortScore", "count"),
        ("D", "1/m"), ("D", "pD"), ("lx", "count"), ("S", "1/V"), ("count", ""), ("count/min", "1/min"),
        ("deg", "degC"),
        ("kcal", "count/min"), ("m", "m^2"), ("s", "1/s"),
    ])
    func `units of different dimensions do not convert`(one: String, other: String) {
        #expect(HKUnit(from: one).converter(to: HKUnit(from: other)) == nil)
        #expect(HKUnit(from: other).converter(to: HKUnit(from: one)) == nil)
        #expect(!HKQuantity(unit: HKUnit(from: one), doubleValue: 1).is(compatibleWith: HKUnit(from: other)))
    }

    @Test(arguments: ["degF", "mmol<180.15588000005408>/L", "fl_oz_imp^3/pt_us·mmHg", "deg^2/lb"])
    func `a value converted into its own unit keeps every digit`(string: String) throws {
        let unit = HKUnit(from: string)
        let convert = try #require(unit.converter(to: HKUnit(product: unit.product)))
        for value in [0.1, 98.6, 1.0 / 3, -7e300, .leastNonzeroMagnitude] {
            let converted = convert(value)
            #expect(converted == value)
        }
    }

    @Test func `scales beyond the range of Double still have their ratio`() throws {
        let huge = HKUnit(from: "mi^200")
        let scale = try #require(HKUnit(from: "mi^200·yd").converter(to: HKUnit(from: "mi^200·m"))?.scale)
        #expect(abs(scale - 0.9144) < 1e-9)
        #expect(huge.converter(to: HKUnit(from: "yd^200"))?.scale == .infinity)
        #expect(HKUnit(from: "yd^200").converter(to: huge)?.scale == 0)
    }

    @Test(arguments: ["m^32767", "1/Tg^32767", "mol<1e300>^5/mol<1e-300>^5"])
    func `extreme units do not trap`(string: String) {
        let quantity = HKQuantity(unit: HKUnit(from: string), doubleValue: 1)
        let kilo = HKUnit(from: string).unitMultiplied(by: HKUnit(from: "km/m"))
        #expect(quantity.is(compatibleWith: kilo))
        _ = quantity.doubleValue(for: kilo)
        _ = (quantity.hash, quantity.description, quantity.compare(HKQuantity(unit: kilo, doubleValue: 1)))
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `converting there and back restores the value`(seed: UInt64) throws {
        var random = RandomUnits(seed: seed)
        for _ in 0..<250 {
            let unit = random.unit(operations: 3)
            let scaled = unit.unitMultiplied(by: HKUnit(from: "mi·hr/in·d"))
            let there = try #require(unit.converter(to: scaled))
            let back = try #require(scaled.converter(to: unit))
            let value = back(there(72))
            #expect(abs(value - 72) < 1e-9)
        }
    }
}
