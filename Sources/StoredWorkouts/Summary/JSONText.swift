import SessionLog

/// JSON in a fixed order on one line, for summaries that are compared as text.
///
/// `JSONEncoder` sorts keys or leaves their order open, and writes doubles with the noise of binary fractions.
package indirect enum JSONText: Sendable, Equatable {
    /// Leaves out members without a value.
    case object([(String, JSONText?)])
    case array([JSONText])
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    /// For a member that exists even without a value.
    case null

    /// Nil for a number that is missing or not finite, since JSON has no form for it.
    package static func optional(_ value: Double?) -> JSONText? {
        value.flatMap { $0.isFinite ? .number($0) : nil }
    }

    /// The JSON of RFC 8259 without white space. Control characters are escaped, so it cannot harm a terminal.
    package var text: String {
        switch self {
        case .object(let members):
            let present = members.compactMap { key, value in value.map { Self.quoted(key) + ":" + $0.text } }
            return "{" + present.joined(separator: ",") + "}"
        case .array(let elements):
            return "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .string(let string): return Self.quoted(string)
        case .integer(let integer): return String(integer)
        case .number(let number): return Self.number(number)
        case .boolean(let flag): return flag ? "true" : "false"
        case .null: return "null"
        }
    }

    /// Twelve significant digits: more than any sensor has, and few enough that 0.1 + 0.2 is 0.3.
    private static func number(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        guard value != 0 else { return "0" }
        if value == value.rounded(), abs(value) < 1e15 { return String(Int(value)) }
        return decimal(value) ?? String(format: "%.12g", value)
    }

    /// The text of a value with few decimals, as the format makes it. Nil for other values. Most values have few decimals, and
    /// formatting takes as long as the rest of a line.
    private static func decimal(_ value: Double) -> String? {
        let magnitude = value.magnitude
        guard magnitude >= 1e-3 else { return nil }
        var scale = 1
        for digits in 1...9 {
            scale *= 10
            let scaled = (magnitude * Double(scale)).rounded()
            guard scaled < 1e12 else { return nil }
            // If it is the nearest value to this decimal, the format rounds to the same.
            guard scaled / Double(scale) == magnitude else { continue }
            let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: scale)
            let decimals = String(rest)
            let zeros = String(repeating: "0", count: digits - decimals.count)
            return (value < 0 ? "-" : "") + String(whole) + "." + zeros + decimals
        }
        return nil
    }

    private static func quoted(_ string: String) -> String {
        let isPlain = string.utf8.allSatisfy {
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        if isPlain { return "\"" + string + "\"" }
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return PrintableText.ofJSON(result + "\"")
    }

    package static func == (a: JSONText, b: JSONText) -> Bool { a.text == b.text }
}

extension JSONText {
    /// ISO 8601 in UTC with milliseconds, rounded to the nearest: `2026-01-02T03:04:05.678Z`. Nil outside the years
    /// 1 … 9999.
    package static func date(_ date: Date) -> JSONText? { SessionLogDate.text(date).map { .string($0) } }
}
