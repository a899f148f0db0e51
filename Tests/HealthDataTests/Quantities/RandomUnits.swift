import Units

@testable import HealthData

/// Random units, the same ones for the same seed.
struct RandomUnits: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func simpleUnit() -> HKUnit {
        let facts = BaseUnit.table.randomElement(using: &self)!
        let neutral = facts.takesPrefix ? MetricPrefix.allCases.randomElement(using: &self)! : .none
        let prefix = HKMetricPrefix(rawValue: neutral.rawValue)!
        guard facts.unit == .mole else { return SharedUnits.unit(facts.unit, prefix) }
        return .moleUnit(with: prefix, molarMass: molarMass())
    }

    /// A unit of up to `operations` multiplications, divisions and powers.
    mutating func unit(operations: Int = 5) -> HKUnit {
        var unit = simpleUnit()
        for _ in 0..<Int.random(in: 0...operations, using: &self) {
            switch Int.random(in: 0..<5, using: &self) {
            case 0: unit = unit.reciprocal()
            case 1: unit = unit.unitRaised(toPower: Int.random(in: -3...3, using: &self))
            case 2: unit = unit.unitDivided(by: simpleUnit())
            case 3: unit = unit.unitMultiplied(by: self.unit(operations: operations / 2))
            default: unit = unit.unitMultiplied(by: simpleUnit())
            }
        }
        return unit
    }

    private mutating func molarMass() -> Double {
        // Any positive number may be a molar mass, including those that are printed with an exponent.
        while true {
            let mass = Double(bitPattern: next() & (UInt64.max >> 1))
            if mass.isFinite, mass > 0 { return mass }
        }
    }
}
