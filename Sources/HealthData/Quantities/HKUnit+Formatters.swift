public import Foundation

extension HKUnit {
    /// Creates the unit of a mass formatter's unit.
    public convenience init(from massFormatterUnit: MassFormatter.Unit) {
        self.init(sharing: Self.unit(of: massFormatterUnit))
    }

    /// Creates the unit of a length formatter's unit.
    public convenience init(from lengthFormatterUnit: LengthFormatter.Unit) {
        self.init(sharing: Self.unit(of: lengthFormatterUnit))
    }

    /// Creates the unit of an energy formatter's unit.
    public convenience init(from energyFormatterUnit: EnergyFormatter.Unit) {
        self.init(sharing: Self.unit(of: energyFormatterUnit))
    }

    /// Returns the mass formatter's unit. Stops the program if the formatter has no such unit.
    public class func massFormatterUnit(from unit: HKUnit) -> MassFormatter.Unit {
        let known: [MassFormatter.Unit] = [.gram, .kilogram, .ounce, .pound, .stone]
        guard let match = known.first(where: { Self.unit(of: $0) == unit }) else {
            preconditionFailure("A mass formatter cannot write the unit \(unit)")
        }
        return match
    }

    /// Returns the length formatter's unit. Stops the program if the formatter has no such unit.
    public class func lengthFormatterUnit(from unit: HKUnit) -> LengthFormatter.Unit {
        let known: [LengthFormatter.Unit] = [
            .millimeter, .centimeter, .meter, .kilometer, .inch, .foot, .yard, .mile,
        ]
        guard let match = known.first(where: { Self.unit(of: $0) == unit }) else {
            preconditionFailure("A length formatter cannot write the unit \(unit)")
        }
        return match
    }

    /// Returns the energy formatter's unit. Large calories become kilocalories, which are the same. Stops the program
    /// if the formatter has no such unit.
    public class func energyFormatterUnit(from unit: HKUnit) -> EnergyFormatter.Unit {
        if unit == largeCalorie() { return .kilocalorie }
        let known: [EnergyFormatter.Unit] = [.joule, .kilojoule, .calorie, .kilocalorie]
        guard let match = known.first(where: { Self.unit(of: $0) == unit }) else {
            preconditionFailure("An energy formatter cannot write the unit \(unit)")
        }
        return match
    }

    private static func unit(of unit: MassFormatter.Unit) -> HKUnit {
        switch unit {
        case .gram: gram()
        case .kilogram: gramUnit(with: .kilo)
        case .ounce: ounce()
        case .pound: pound()
        case .stone: stone()
        }
    }

    private static func unit(of unit: LengthFormatter.Unit) -> HKUnit {
        switch unit {
        case .millimeter: meterUnit(with: .milli)
        case .centimeter: meterUnit(with: .centi)
        case .meter: meter()
        case .kilometer: meterUnit(with: .kilo)
        case .inch: inch()
        case .foot: foot()
        case .yard: yard()
        case .mile: mile()
        }
    }

    private static func unit(of unit: EnergyFormatter.Unit) -> HKUnit {
        switch unit {
        case .joule: joule()
        case .kilojoule: jouleUnit(with: .kilo)
        case .calorie: smallCalorie()
        case .kilocalorie: kilocalorie()
        }
    }
}
