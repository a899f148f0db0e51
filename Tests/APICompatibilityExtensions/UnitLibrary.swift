// App code: HealthKit's units as a general unit library, as insulin and nutrition apps use them.

import HealthKit

extension HKUnit {
    static let milligramsPerDeciliter: HKUnit = HKUnit.gramUnit(with: .milli).unitDivided(by: .literUnit(with: .deci))
    static let millimolesPerLiter = HKUnit.moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose)
        .unitDivided(by: .liter())
    static let internationalUnitsPerHour: HKUnit = .internationalUnit().unitDivided(by: .hour())
    static let beatsPerMinute = HKUnit.count().unitDivided(by: HKUnit.minute())
    static let metersPerSecond = HKUnit.meter().unitDivided(by: .second())
    static let oxygenUptake = HKUnit.literUnit(with: .milli)
        .unitDivided(by: HKUnit.gramUnit(with: .kilo).unitMultiplied(by: HKUnit.minute()))

    static func bpm() -> HKUnit { HKUnit.count().unitDivided(by: .minute()) }

    var shortLocalizedUnitString: String {
        if self == HKUnit.millimolesPerLiter { return "mmol/L" }
        switch self {
        case .milligramsPerDeciliter: return "mg/dL"
        case .internationalUnit(): return "U"
        case .gram(): return "g"
        default: return unitString
        }
    }

    var foundationUnit: Unit? {
        if self == HKUnit.kilocalorie() { return UnitEnergy.kilocalories }
        if self == HKUnit.meter() { return UnitLength.meters }
        return nil
    }
}

extension HKQuantity: @retroactive Comparable {
    public static func < (a: HKQuantity, b: HKQuantity) -> Bool {
        a.compare(b) == .orderedAscending
    }
}

extension HKQuantity {
    static func + (a: HKQuantity, b: HKQuantity) -> HKQuantity {
        let unit = HKUnit.kilocalorie()
        return HKQuantity(unit: unit, doubleValue: a.doubleValue(for: unit) + b.doubleValue(for: unit))
    }

    func doubleValue(for unit: HKUnit, withRounding: Bool) -> Double {
        let value = doubleValue(for: unit)
        return withRounding ? (value * 10).rounded() / 10 : value
    }
}

enum UnitLibrary {
    static let simple: [HKUnit] = [
        .gram(), .ounce(), .pound(), .stone(), .meter(), .inch(), .foot(), .yard(), .mile(), .liter(), .fluidOunceUS(),
        .fluidOunceImperial(), .cupUS(), .cupImperial(), .pintUS(), .pintImperial(), .pascal(), .millimeterOfMercury(),
        .centimeterOfWater(), .inchesOfMercury(), .atmosphere(), .second(), .minute(), .hour(), .day(), .joule(),
        .kilocalorie(), .largeCalorie(), .smallCalorie(), .watt(), .degreeCelsius(), .degreeFahrenheit(), .kelvin(),
        .siemen(), .hertz(), .volt(), .internationalUnit(), .count(), .percent(), .decibelHearingLevel(),
        .decibelAWeightedSoundPressureLevel(), .lux(), .degreeAngle(), .appleEffortScore(),
    ]

    static let prefixed: [HKUnit] = [
        .gramUnit(with: .kilo), .gramUnit(with: .milli), .gramUnit(with: .micro), .gramUnit(with: .none),
        .meterUnit(with: .kilo), .meterUnit(with: .centi), .meterUnit(with: .milli), .literUnit(with: .deci),
        .literUnit(with: .milli), .secondUnit(with: .milli), .siemenUnit(with: .micro), .voltUnit(with: .micro),
        HKUnit.moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose),
    ]

    /// Unit strings that apps pass in.
    static let strings = [
        "count/min", "mg/dL", "IU/hr", "mL/kg*min", "ml/kg*min", "kcal/hr*kg", "m/s", "in", "count/s", "kg", "IU", "%",
        "ms",
        "mmol<180.15588000005408>/L", "dBASPL", "g", "count", "mcg", "degC", "kcal", "W", "mmHg", "L/min", "km/hr",
    ]

    static func unit(stored string: String) -> HKUnit { HKUnit(from: string) }

    static func massUnit() -> HKUnit { HKUnit(from: MassFormatter.Unit.kilogram) }

    static func text(of quantity: HKQuantity?, in unit: HKUnit) -> String {
        guard let quantity, quantity.is(compatibleWith: unit) else { return "–" }
        return String(format: "%.1f %@", quantity.doubleValue(for: unit), unit.unitString as NSString)
    }

    static func dictionary(of quantity: HKQuantity, unit: HKUnit) -> [String: Any] {
        ["value": quantity.doubleValue(for: unit), "unit": unit.unitString]
    }
}
