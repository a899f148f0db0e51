import ArgumentParser
import Foundation

/// A length of time on the command line: seconds, or hours, minutes and seconds with their letters.
struct DurationArgument: ExpressibleByArgument, Equatable {
    var seconds: Double

    init(seconds: Double) {
        self.seconds = seconds
    }

    init?(argument: String) {
        guard let seconds = Self.seconds(argument), Self.range.contains(seconds) else { return nil }
        self.init(seconds: seconds)
    }

    /// The default as a person writes it: `10s`, `1m30s`.
    var defaultValueDescription: String {
        let whole = Int(seconds)
        guard Double(whole) == seconds, whole > 0 else { return "\(seconds.formatted())s" }
        let parts = [(whole / 3600, "h"), (whole / 60 % 60, "m"), (whole % 60, "s")]
        return parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    }

    /// The accepted seconds: a tenth of a second to a year.
    static let range = 0.1...31_622_400.0

    private static func seconds(_ argument: String) -> Double? {
        if let plain = Double(argument) { return plain }
        var total = 0.0
        var digits = ""
        var units: [Character: Double] = ["h": 3600, "m": 60, "s": 1]
        for character in argument {
            if character.isNumber || character == "." {
                digits.append(character)
            } else {
                guard let factor = units.removeValue(forKey: character), let number = Double(digits) else { return nil }
                total += number * factor
                digits = ""
            }
        }
        return digits.isEmpty ? total : nil
    }
}
