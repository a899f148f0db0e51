import HealthData
import Testing

struct HKUnitFactoriesTests {
    // Names: healthkit-api.md, section 2.
    @Test(arguments: [
        (HKUnit.gram(), "g"), (.ounce(), "oz"), (.pound(), "lb"), (.stone(), "st"),
        (.moleUnit(withMolarMass: 12), "mol<12>"),
        (.meter(), "m"), (.inch(), "in"), (.foot(), "ft"), (.yard(), "yd"), (.mile(), "mi"),
        (.liter(), "L"), (.fluidOunceUS(), "fl_oz_us"), (.pintUS(), "pt_us"), (.cupUS(), "cup_us"),
        (.fluidOunceImperial(), "fl_oz_imp"), (.pintImperial(), "pt_imp"), (.cupImperial(), "cup_imp"),
        (.pascal(), "Pa"), (.millimeterOfMercury(), "mmHg"), (.centimeterOfWater(), "cmAq"), (.atmosphere(), "atm"),
        (.inchesOfMercury(), "inHg"),
        (.decibelAWeightedSoundPressureLevel(), "dBASPL"), (.decibelHearingLevel(), "dBHL"),
        (.second(), "s"), (.minute(), "min"), (.hour(), "hr"), (.day(), "d"),
        (.joule(), "J"), (.smallCalorie(), "cal"), (.kilocalorie(), "kcal"), (.largeCalorie(), "Cal"),
        (.kelvin(), "K"), (.degreeCelsius(), "degC"), (.degreeFahrenheit(), "degF"),
        (.siemen(), "S"), (.internationalUnit(), "IU"), (.count(), "count"), (.percent(), "%"),
        (.hertz(), "Hz"), (.volt(), "V"), (.watt(), "W"), (.diopter(), "D"), (.prismDiopter(), "pD"),
        (.radianAngle(), "rad"), (.degreeAngle(), "deg"), (.lux(), "lx"), (.appleEffortScore(), "appleEffortScore"),
    ])
    func `a factory returns the unit of that name`(unit: HKUnit, string: String) {
        #expect(unit.unitString == string)
        #expect(unit === HKUnit(from: string))
    }

    @Test(arguments: [
        (HKMetricPrefix.none, "", 1.0), (.femto, "f", 1e-15), (.pico, "p", 1e-12), (.nano, "n", 1e-9),
        (.micro, "mc", 1e-6), (.milli, "m", 1e-3), (.centi, "c", 1e-2), (.deci, "d", 1e-1), (.deca, "da", 1e1),
        (.hecto, "h", 1e2), (.kilo, "k", 1e3), (.mega, "M", 1e6), (.giga, "G", 1e9), (.tera, "T", 1e12),
    ])
    func `an SI unit takes every prefix`(prefix: HKMetricPrefix, symbol: String, factor: Double) {
        let units: [(HKUnit, HKUnit)] = [
            (.gramUnit(with: prefix), .gram()), (.meterUnit(with: prefix), .meter()),
            (.literUnit(with: prefix), .liter()), (.pascalUnit(with: prefix), .pascal()),
            (.secondUnit(with: prefix), .second()), (.jouleUnit(with: prefix), .joule()),
            (.siemenUnit(with: prefix), .siemen()), (.hertzUnit(with: prefix), .hertz()),
            (.voltUnit(with: prefix), .volt()), (.wattUnit(with: prefix), .watt()),
            (.radianAngleUnit(with: prefix), .radianAngle()), (.luxUnit(with: prefix), .lux()),
            (.moleUnit(with: prefix, molarMass: 12), .moleUnit(withMolarMass: 12)),
        ]
        for (prefixed, plain) in units {
            #expect(prefixed.unitString == symbol + plain.unitString)
            #expect(prefixed === HKUnit(from: prefixed.unitString))
            #expect(HKQuantity(unit: prefixed, doubleValue: 1).doubleValue(for: plain) == factor)
        }
    }

    @Test func `glucose has units in millimoles and in milligrams`() {
        let millimolesPerLiter = HKUnit.moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose)
            .unitDivided(by: .liter())
        #expect(millimolesPerLiter.unitString == "mmol<180.15588000005408>/L")
        let glucose = HKQuantity(unit: millimolesPerLiter, doubleValue: 5)
        #expect(abs(glucose.doubleValue(for: HKUnit(from: "mg/dL")) - 90.077940000027) < 1e-9)
    }
}
