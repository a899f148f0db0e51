import HealthData
import Testing

struct HKQuantityTests {
    private static let beatsPerMinute = HKUnit.count().unitDivided(by: .minute())

    private static func quantity(_ value: Double, _ unit: String) -> HKQuantity {
        HKQuantity(unit: HKUnit(from: unit), doubleValue: value)
    }

    @Test(arguments: [
        (quantity(72, "count/min"), "72 count/min"), (quantity(0.98, "%"), "0.98 %"), (quantity(-0.5, "m"), "-0.5 m"),
        (quantity(1e20, "J"), "1e+20 J"), (quantity(5, ""), "5"), (quantity(.nan, "m"), "nan m"),
    ])
    func `a quantity's description is its value and unit`(quantity: HKQuantity, description: String) {
        #expect(quantity.description == description)
    }

    @Test(arguments: [
        (quantity(1, "km"), quantity(1000, "m"), ComparisonResult.orderedSame),
        (quantity(4.321, "km"), quantity(4321, "m"), .orderedSame),
        (quantity(5, "cm"), quantity(0.05, "m"), .orderedSame),
        (quantity(72, "count/min"), quantity(1.2, "count/s"), .orderedSame),
        (quantity(0.98, "%"), quantity(0.98, "count"), .orderedSame),
        (quantity(0, "degC"), quantity(273.15, "K"), .orderedSame),
        (quantity(1, "mol<12>"), quantity(12, "g"), .orderedSame),
        (quantity(999, "m"), quantity(1, "km"), .orderedAscending),
        (quantity(0, "degC"), quantity(31, "degF"), .orderedDescending),
        (quantity(-0.0, "m"), quantity(0, "m"), .orderedSame),
    ])
    func `quantities compare by amount`(left: HKQuantity, right: HKQuantity, result: ComparisonResult) {
        #expect(left.compare(right) == result)
        #expect((left == right) == (result == .orderedSame))
        if result == .orderedSame { #expect(left.hash == right.hash) }
    }

    @Test func `quantities of different dimensions are not equal`() {
        #expect(Self.quantity(1, "m") != Self.quantity(1, "s"))
        #expect(Self.quantity(1, "W") != Self.quantity(1, "J/s"))
        #expect(!Self.quantity(1, "m").isEqual(1))
    }

    @Test func `a quantity that is not a number equals only itself`() {
        let nan = Self.quantity(.nan, "m")
        #expect(nan == nan)
        #expect(nan != Self.quantity(.nan, "m"))
    }

    @Test func `the value in its own unit is unchanged`() {
        let rate = HKQuantity(unit: Self.beatsPerMinute, doubleValue: 0.1)
        #expect(rate.doubleValue(for: Self.beatsPerMinute) == 0.1)
        #expect(rate.doubleValue(for: HKUnit(from: "count/min")) == 0.1)
    }

    @Test func `a quantity knows which units are compatible`() {
        let rate = HKQuantity(unit: Self.beatsPerMinute, doubleValue: 72)
        #expect(rate.is(compatibleWith: HKUnit(from: "count/s")))
        #expect(!rate.is(compatibleWith: .hertz()))
        #expect(!rate.is(compatibleWith: .count()))
    }

    @Test func `a quantity survives archiving`() throws {
        let quantity = Self.quantity(5.5, "mmol<180.15588000005408>/L")
        let data = try NSKeyedArchiver.archivedData(withRootObject: quantity, requiringSecureCoding: true)
        let restored = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQuantity.self, from: data))
        #expect(restored == quantity)
        #expect(restored.description == quantity.description)
        #expect(quantity.copy() as? HKQuantity === quantity)
    }

    @Test func `asking for a value in an incompatible unit stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = HKQuantity(unit: .kilocalorie(), doubleValue: 1).doubleValue(for: .minute())
        }
    }

    @Test func `comparing incompatible quantities stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = HKQuantity(unit: .meter(), doubleValue: 1).compare(HKQuantity(unit: .second(), doubleValue: 1))
        }
    }
}
