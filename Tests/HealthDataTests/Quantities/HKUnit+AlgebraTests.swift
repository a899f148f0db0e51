import Testing
import Units

@testable import HealthData

struct HKUnitAlgebraTests {
    @Test func `products and quotients cancel common factors`() {
        let speed = HKUnit.meter().unitDivided(by: .second())
        #expect(speed.unitString == "m/s")
        #expect(speed.unitDivided(by: .second()).unitString == "m/s^2")
        #expect(speed.reciprocal().unitString == "s/m")
        #expect(HKUnit.second().reciprocal().unitString == "1/s")
        #expect(speed.unitRaised(toPower: 2).unitString == "m^2/s^2")
        #expect(speed.unitRaised(toPower: -2).unitString == "s^2/m^2")
        #expect(speed.unitDivided(by: speed).unitString == "")
        #expect(HKUnit.literUnit(with: .milli).unitDivided(by: HKUnit(from: "kg*min")).unitString == "mL/min·kg")
    }

    @Test func `prefixes do not cancel`() {
        let ratio = HKUnit.literUnit(with: .deci).unitDivided(by: .liter())
        #expect(ratio.unitString == "dL/L")
        #expect(ratio.converter(to: HKUnit(from: ""))?.scale == 0.1)
    }

    @Test(arguments: [Int.max, Int.min, 32768, -32769, 1 << 32])
    func `a power beyond the limit is clamped`(power: Int) {
        let unit = HKUnit.meter().unitRaised(toPower: power)
        #expect(unit.unitString == (power > 0 ? "m^32767" : "1/m^32767"))
        #expect(unit.unitRaised(toPower: power).unitString == "m^32767")
        #expect(unit.unitMultiplied(by: unit) == unit)
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `units multiply like numbers`(seed: UInt64) {
        var random = RandomUnits(seed: seed)
        let null = HKUnit(from: "")
        for _ in 0..<250 {
            let (a, b, c) = (random.unit(operations: 2), random.unit(operations: 2), random.unit(operations: 2))
            #expect(a.unitMultiplied(by: b) == b.unitMultiplied(by: a))
            #expect(a.unitMultiplied(by: b).unitMultiplied(by: c) == a.unitMultiplied(by: b.unitMultiplied(by: c)))
            #expect(a.unitMultiplied(by: b).unitDivided(by: b) == a)
            #expect(a.unitDivided(by: b) == a.unitMultiplied(by: b.reciprocal()))
            #expect(a.reciprocal().reciprocal() == a)
            #expect(a.unitRaised(toPower: 3) == a.unitMultiplied(by: a).unitMultiplied(by: a))
            #expect(a.unitMultiplied(by: null) == a)
            #expect(a.unitDivided(by: a) == null)
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `the string of every possible unit parses as the same unit`(seed: UInt64) throws {
        var random = RandomUnits(seed: seed)
        for _ in 0..<500 {
            let unit = random.unit()
            let product = try UnitParser.parse(unit.unitString)
            #expect(product == unit.product)
            #expect(product.unitString == unit.unitString)
        }
    }
}
