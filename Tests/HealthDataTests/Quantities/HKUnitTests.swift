import HealthData
import Testing

struct HKUnitTests {
    @Test func `equal units are the same object, however they were created`() {
        let beatsPerMinute = HKUnit.count().unitDivided(by: .minute())
        #expect(beatsPerMinute === HKUnit.count().unitDivided(by: .minute()))
        #expect(beatsPerMinute === HKUnit(from: "count/min"))
        #expect(HKUnit(from: "ml/(kg*min)") === HKUnit(from: "mL/min·kg"))
        #expect(HKUnit.gramUnit(with: .kilo) === HKUnit(from: "kg"))
        #expect(HKUnit.gramUnit(with: .none) === HKUnit.gram())
        #expect(HKUnit.moleUnit(withMolarMass: 12) === HKUnit(from: "mol<12>"))
        #expect(HKUnit.meter().unitDivided(by: .second()).unitMultiplied(by: .second()) === HKUnit.meter())
        #expect(beatsPerMinute.copy() as? HKUnit === beatsPerMinute)
    }

    @Test func `units are equal, with equal hashes, if they are the same unit`() {
        #expect(HKUnit(from: "kcal/(kg*hr)") == HKUnit.kilocalorie().unitDivided(by: HKUnit(from: "hr·kg")))
        #expect(HKUnit(from: "kcal/(kg*hr)").hash == HKUnit(from: "kcal/hr·kg").hash)
        #expect(HKUnit.kilocalorie() != HKUnit.largeCalorie())
        #expect(HKUnit.count() != HKUnit.percent())
        #expect(HKUnit.moleUnit(withMolarMass: 12) != HKUnit.moleUnit(withMolarMass: 2))
        #expect(!HKUnit.meter().isEqual("m"))
        #expect(Set([HKUnit.meter(), HKUnit(from: "m"), HKUnit.second()]).count == 2)
    }

    @Test func `pattern matching compares units by value`() {
        func name(_ unit: HKUnit) -> String {
            switch unit {
            case .count(): "counts"
            case HKUnit(from: "count/min"): "beats per minute"
            default: "something else"
            }
        }
        #expect(name(HKUnit.count().unitDivided(by: .minute())) == "beats per minute")
        #expect(name(.percent()) == "something else")
    }

    @Test func `a unit is null exactly if its dimensions cancel`() {
        #expect(HKUnit(from: "dL/L").isNull())
        #expect(HKUnit.meter().unitDivided(by: .meter()).isNull())
        #expect(HKUnit.meter().unitRaised(toPower: 0).isNull())
        #expect(HKUnit(from: "g/mol<12>").isNull())
        #expect(HKUnit(from: "").isNull())
        #expect(!HKUnit.count().isNull())
        #expect(!HKUnit.percent().isNull())
        #expect(!HKUnit.hertz().unitMultiplied(by: .second()).isNull())
    }

    @Test(arguments: ["count/min", "mmol<180.15588000005408>/L", "mL/min·kg", "%", "", "degC"])
    func `an archived unit decodes as the same object`(string: String) throws {
        let unit = HKUnit(from: string)
        let data = try NSKeyedArchiver.archivedData(withRootObject: unit, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKUnit.self, from: data) === unit)
    }

    @Test func `an archive with an unknown unit is rejected`() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode(NSString(string: "furlong"), forKey: "unitString")
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(HKUnit(coder: unarchiver) == nil)
    }

    @Test func `a unit's description is its unit string`() {
        #expect(HKUnit.count().unitDivided(by: .minute()).description == "count/min")
    }

    @Test func `many threads that create a new unit get one object`() async {
        let units = await withTaskGroup(of: HKUnit.self) { group in
            for _ in 0..<64 {
                group.addTask { HKUnit.meter().unitRaised(toPower: 7).unitDivided(by: .lux()) }
            }
            return await group.reduce(into: [HKUnit]()) { $0.append($1) }
        }
        #expect(units.allSatisfy { $0 === units[0] })
    }

    @Test func `units beyond the cache are shared while they are in use`() throws {
        let units = (1...10_000).map { HKUnit.moleUnit(withMolarMass: Double($0)) }
        for (mass, unit) in zip(1..., units) {
            #expect(unit === HKUnit(from: "mol<\(mass)>"))
        }
    }

    @Test func `an invalid unit string stops the program`() async {
        await #expect(processExitsWith: .failure) { _ = HKUnit(from: "kWh") }
    }
}
