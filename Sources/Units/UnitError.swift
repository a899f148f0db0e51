/// The reason why a string is not a unit.
package struct UnitError: Error, Equatable {
    package enum Reason: Equatable, Sendable {
        case unknownUnit(String)
        case missingUnit
        case missingMolarMass
        case invalidMolarMass(String)
        case invalidPower
        case powerOutOfRange
        case secondQuotient
        case unclosedParenthesis
        case nestedTooDeeply
        case unexpectedCharacter
    }

    package let string: String
    /// The position of the error, in bytes of UTF-8 from the start of the string.
    package let position: Int
    package let reason: Reason
}

extension UnitError: CustomStringConvertible {
    package var description: String {
        "Unable to parse factorization string \(string): \(reason.description) at byte \(position)"
    }
}

extension UnitError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownUnit(let name): "no unit is called \(name)"
        case .missingUnit: "a unit is missing"
        case .missingMolarMass: "a mole needs its molar mass, as in mol<180.16>,"
        case .invalidMolarMass(let text): "\(text) is not a molar mass in grams per mole"
        case .invalidPower: "a power must be a whole number"
        case .powerOutOfRange: "the power is beyond ±\(UnitFactor.powerLimit)"
        case .secondQuotient: "there is a second /"
        case .unclosedParenthesis: "a ) is missing"
        case .nestedTooDeeply: "the parentheses are nested too deeply"
        case .unexpectedCharacter: "there is an unexpected character"
        }
    }
}
