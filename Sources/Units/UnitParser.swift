/// Reads unit strings.
///
///     unit    = "" | ("1" | product) ["/" product]
///     product = factor *( ("." | "*" | "·") factor )
///     factor  = (name | "(" product ")") ["^" ["-"] digits]
///     name    = [prefix] symbol | [prefix] "mol<" grams per mole ">"
///
/// Products bind tighter than the quotient: `kg/m.s^2` is kg/(m·s²). Any string gives a unit or an error, in time
/// proportional to its length.
package struct UnitParser {
    private static let deepestNesting = 16

    private let string: String
    private let bytes: [UInt8]
    private var position = 0

    package static func parse(_ string: String) throws(UnitError) -> UnitProduct {
        var parser = UnitParser(string: string)
        return UnitProduct(try parser.unit())
    }

    private init(string: String) {
        self.string = string
        bytes = Array(string.utf8)
    }

    private mutating func unit() throws(UnitError) -> [UnitFactor] {
        // HealthKit's sources contradict each other about the empty string. Here it is the null unit, whose string is
        // empty.
        if bytes.isEmpty { return [] }
        var factors: [UnitFactor] = []
        if byte() == ascii("1") {
            position += 1
        } else {
            factors = try product(depth: 0)
        }
        if skip("/") {
            factors += raise(try product(depth: 0), toPower: -1)
        }
        guard position == bytes.count else {
            throw error(byte() == ascii("/") ? .secondQuotient : .unexpectedCharacter)
        }
        return factors
    }

    private mutating func product(depth: Int) throws(UnitError) -> [UnitFactor] {
        var factors = try factor(depth: depth)
        while skipProductSign() { factors += try factor(depth: depth) }
        return factors
    }

    private mutating func factor(depth: Int) throws(UnitError) -> [UnitFactor] {
        if skip("(") {
            guard depth < Self.deepestNesting else { throw error(.nestedTooDeeply) }
            let factors = try product(depth: depth + 1)
            guard skip(")") else {
                throw error(position == bytes.count ? .unclosedParenthesis : .unexpectedCharacter)
            }
            return raise(factors, toPower: try power())
        }
        var factor = try namedUnit()
        factor.power = try power()
        return [factor]
    }

    private mutating func namedUnit() throws(UnitError) -> UnitFactor {
        let start = position
        while let byte = byte(), isPartOfName(byte) { position += 1 }
        guard position > start else { throw error(.missingUnit) }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let (unit, prefix) = BaseUnit.names[name] else { throw error(.unknownUnit(name), at: start) }
        var factor = UnitFactor(unit: unit, prefix: prefix)
        if unit == .mole { factor.molarMass = try molarMass() }
        return factor
    }

    private mutating func molarMass() throws(UnitError) -> Double {
        guard skip("<") else { throw error(.missingMolarMass) }
        let start = position
        while let byte = byte(), byte != ascii(">") { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        // `Double` would also read hexadecimal numbers, infinities and NaN.
        let isDecimal = bytes[start..<position].allSatisfy { isDigit($0) || ".eE+-".utf8.contains($0) }
        guard isDecimal, let mass = Double(text), mass.isFinite, mass > 0, skip(">") else {
            throw error(.invalidMolarMass(text), at: start)
        }
        return mass
    }

    private mutating func power() throws(UnitError) -> Int {
        guard skip("^") else { return 1 }
        let isNegative = skip("-")
        let start = position
        var power = 0
        while let byte = byte(), isDigit(byte) {
            power = power * 10 + Int(byte - ascii("0"))
            guard power <= UnitFactor.powerLimit else { throw error(.powerOutOfRange, at: start) }
            position += 1
        }
        guard position > start else { throw error(.invalidPower) }
        return isNegative ? -power : power
    }

    // Powers of nested parentheses multiply, so they are limited here and not only at the end.
    private func raise(_ factors: [UnitFactor], toPower power: Int) -> [UnitFactor] {
        guard power != 1 else { return factors }
        let limit = UnitFactor.powerLimit
        return factors.map { factor in
            var factor = factor
            factor.power = min(max(factor.power * power, -limit), limit)
            return factor
        }
    }
}

extension UnitParser {
    private func byte() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard byte() == ascii(character) else { return false }
        position += 1
        return true
    }

    private mutating func skipProductSign() -> Bool {
        if skip(".") || skip("*") { return true }
        // U+00B7, the middle dot of printed unit strings.
        guard position + 1 < bytes.count, bytes[position] == 0xC2, bytes[position + 1] == 0xB7 else { return false }
        position += 2
        return true
    }

    private func ascii(_ character: Unicode.Scalar) -> UInt8 {
        UInt8(truncatingIfNeeded: character.value)
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        byte >= ascii("0") && byte <= ascii("9")
    }

    private func isPartOfName(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "_", "%": true
        default: false
        }
    }

    private func error(_ reason: UnitError.Reason, at position: Int? = nil) -> UnitError {
        UnitError(string: string, position: position ?? self.position, reason: reason)
    }
}
