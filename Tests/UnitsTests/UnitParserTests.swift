import Analytics
import Testing

@testable import Units

struct UnitParserTests {
    @Test(arguments: [
        ("count/min", "count/min"),
        ("1/s", "1/s"),
        ("mg/dL", "mg/dL"),
        ("mcg", "mcg"),
        ("ml", "mL"), ("mL", "mL"), ("l", "L"), ("dl", "dL"),
        ("mPa", "mPa"), ("ML", "ML"), ("mmHg", "mmHg"), ("min", "min"), ("cal", "cal"), ("ft", "ft"),
        ("d", "d"), ("pt_us", "pt_us"), ("pD", "pD"), ("Pa", "Pa"), ("dam", "dam"), ("mcmol<2>", "mcmol<2>"),
        ("%", "%"),
        ("kg/m.s^2", "kg/m·s^2"), ("kg/(m.s^2)", "kg/m·s^2"), ("kg.m^-1.s^-2", "kg/m·s^2"),
        ("ml/(kg*min)", "mL/min·kg"), ("kcal/(kg*hr)", "kcal/hr·kg"), ("mL/min·kg", "mL/min·kg"),
        ("mmol<180.15588000005408>/L", "mmol<180.15588000005408>/L"), ("mol<12.0>", "mol<12>"),
        ("mol<1e3>", "mol<1000>"),
        ("m.m", "m^2"), ("m^2/m", "m"), ("m/m", ""), ("m^0", ""), ("", ""), ("1", ""), ("1/m^-2", "m^2"),
        ("(m*s)^2", "m^2·s^2"), ("(degC·m)/m", "degC"), ("dL/L", "dL/L"), ("m^32767", "m^32767"),
    ])
    func `a unit string is parsed and formatted in canonical form`(string: String, canonical: String) throws {
        #expect(try UnitParser.parse(string).unitString == canonical)
    }

    @Test(arguments: ["J/m.s.kg", "J/m.kg.s", "J/s.m.kg", "J/s.kg.m", "J/kg.m.s", "J/kg.s.m"])
    func `the order of factors does not depend on the input`(string: String) throws {
        #expect(try UnitParser.parse(string).unitString == "J/m·s·kg")
    }

    @Test(arguments: [
        ("Kg", 0, UnitError.Reason.unknownUnit("Kg")),
        ("KG", 0, .unknownUnit("KG")),
        ("kWh", 0, .unknownUnit("kWh")),
        ("ug", 0, .unknownUnit("ug")),
        ("kK", 0, .unknownUnit("kK")),
        ("mmin", 0, .unknownUnit("mmin")),
        ("kft", 0, .unknownUnit("kft")),
        ("count/Min", 6, .unknownUnit("Min")),
        ("μg", 0, .missingUnit),
        (" m", 0, .missingUnit),
        ("m ", 1, .unexpectedCharacter),
        ("m/", 2, .missingUnit),
        ("/m", 0, .missingUnit),
        ("m..s", 2, .missingUnit),
        ("m/s/s", 3, .secondQuotient),
        ("m^", 2, .invalidPower),
        ("m^-", 3, .invalidPower),
        ("m^x", 2, .invalidPower),
        ("m^2^2", 3, .unexpectedCharacter),
        ("m^1.5", 4, .missingUnit),
        ("m^32768", 2, .powerOutOfRange),
        ("m^-99999999999999999999999999", 3, .powerOutOfRange),
        ("12", 1, .unexpectedCharacter),
        ("1·m", 1, .unexpectedCharacter),
        ("m/(s", 4, .unclosedParenthesis),
        ("(m/s)", 2, .unexpectedCharacter),
        ("m)", 1, .unexpectedCharacter),
        ("()", 1, .missingUnit),
        ("mol", 3, .missingMolarMass),
        ("mol<", 4, .invalidMolarMass("")),
        ("mol<>", 4, .invalidMolarMass("")),
        ("mol<12", 4, .invalidMolarMass("12")),
        ("mol<0>", 4, .invalidMolarMass("0")),
        ("mol<-1>", 4, .invalidMolarMass("-1")),
        ("mol<inf>", 4, .invalidMolarMass("inf")),
        ("mol<nan>", 4, .invalidMolarMass("nan")),
        ("mol<0x10>", 4, .invalidMolarMass("0x10")),
        ("mol<1e999>", 4, .invalidMolarMass("1e999")),
        ("g<12>", 1, .unexpectedCharacter),
    ])
    func `an invalid unit string is rejected with the position and the reason`(
        string: String, position: Int, reason: UnitError.Reason
    ) {
        #expect(throws: UnitError(string: string, position: position, reason: reason)) {
            try UnitParser.parse(string)
        }
    }

    @Test func `the error contains the text, the problem and its position`() {
        let error = UnitError(string: "count/Min", position: 6, reason: .unknownUnit("Min"))
        #expect(
            error.description == "Unable to parse factorization string count/Min: no unit is called Min at byte 6")
    }

    @Test func `parentheses nest up to a limit`() throws {
        let nested = { (depth: Int) in String(repeating: "(", count: depth) + "m" + String(repeating: ")", count: depth)
        }
        #expect(try UnitParser.parse(nested(16)).unitString == "m")
        #expect(throws: UnitError.self) { try UnitParser.parse(nested(17)) }
        #expect(throws: UnitError.self) { try UnitParser.parse(nested(1_000_000)) }
    }

    @Test func `powers that multiply beyond the limit are clamped`() throws {
        let unit = try UnitParser.parse("((((((m^32767)^32767)^32767)^32767)^32767)^32767)^-32767")
        #expect(unit.unitString == "1/m^32767")
        let sum = try UnitParser.parse(Array(repeating: "m^32767", count: 1000).joined(separator: "."))
        #expect(sum.unitString == "m^32767")
    }

    @Test func `unit names are distinct`() {
        let prefixed = BaseUnit.table.filter(\.takesPrefix).count * (MetricPrefix.allCases.count - 1)
        let litresInLowerCase = MetricPrefix.allCases.count
        #expect(BaseUnit.names.count == BaseUnit.table.count + prefixed + litresInLowerCase)
    }

    @Test func `the table has one row per unit, in order`() {
        #expect(BaseUnit.table.map(\.unit) == BaseUnit.allCases)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `any string gives a unit or an error`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "m", "k", "g", "s", "min", "mol", "mol<12>", "<", ">", "%", "1", "0", "-", "^", "^-2", "^99999", ".", "*",
            "·",
            "/", "(", ")", "_", " ", "e", "l", "L", "fl_oz_us", "é", "\u{0}", "🫀", "\u{C2}", "999999999999999999999",
        ]
        for _ in 0..<2000 {
            let count = Int.random(in: 0...12, using: &random)
            let string = (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
            guard let product = try? UnitParser.parse(string) else { continue }
            #expect((try? UnitParser.parse(product.unitString)) == product)
        }
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = try? UnitParser.parse(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test func `a truncated or corrupted unit string does not trap`() {
        let bytes = Array("mmol<180.15588000005408>·kg^-2/(min·L)^3".utf8)
        for end in 0...bytes.count { _ = try? UnitParser.parse(String(decoding: bytes[..<end], as: UTF8.self)) }
        for index in bytes.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = bytes
                changed[index] = byte
                _ = try? UnitParser.parse(String(decoding: changed, as: UTF8.self))
            }
        }
    }

    @Test func `a long string is parsed in one pass`() throws {
        let string = Array(repeating: "kg.m.s^-1", count: 20_000).joined(separator: "*")
        #expect(try UnitParser.parse(string).unitString == "m^20000·kg^20000/s^20000")
    }
}
