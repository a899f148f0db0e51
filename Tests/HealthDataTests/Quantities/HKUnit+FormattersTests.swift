import HealthData
import Testing

struct HKUnitFormattersTests {
    @Test(arguments: [
        (MassFormatter.Unit.gram, HKUnit.gram()), (.kilogram, .gramUnit(with: .kilo)), (.ounce, .ounce()),
        (.pound, .pound()), (.stone, .stone()),
    ])
    func `mass formatters and units agree`(name: MassFormatter.Unit, unit: HKUnit) {
        #expect(HKUnit(from: name) === unit)
        #expect(HKUnit.massFormatterUnit(from: unit) == name)
    }

    @Test(arguments: [
        (LengthFormatter.Unit.millimeter, HKUnit.meterUnit(with: .milli)), (.centimeter, .meterUnit(with: .centi)),
        (.meter, .meter()), (.kilometer, .meterUnit(with: .kilo)), (.inch, .inch()), (.foot, .foot()),
        (.yard, .yard()), (.mile, .mile()),
    ])
    func `length formatters and units agree`(name: LengthFormatter.Unit, unit: HKUnit) {
        #expect(HKUnit(from: name) === unit)
        #expect(HKUnit.lengthFormatterUnit(from: unit) == name)
    }

    @Test(arguments: [
        (EnergyFormatter.Unit.joule, HKUnit.joule()), (.kilojoule, .jouleUnit(with: .kilo)),
        (.calorie, .smallCalorie()), (.kilocalorie, .kilocalorie()),
    ])
    func `energy formatters and units agree`(name: EnergyFormatter.Unit, unit: HKUnit) {
        #expect(HKUnit(from: name) === unit)
        #expect(HKUnit.energyFormatterUnit(from: unit) == name)
    }

    @Test func `an energy formatter writes large calories as kilocalories`() {
        #expect(HKUnit.energyFormatterUnit(from: .largeCalorie()) == .kilocalorie)
    }

    @Test func `a unit without a formatter counterpart stops the program`() async {
        await #expect(processExitsWith: .failure) { _ = HKUnit.lengthFormatterUnit(from: .gram()) }
    }
}
