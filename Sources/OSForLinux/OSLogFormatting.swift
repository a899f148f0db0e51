import Foundation

/// The alignment of a value in a log message. A value that is longer than its column keeps its length.
public struct OSLogStringAlignment: Sendable {
    private enum Side: Sendable { case left, right }
    private var side: Side?
    private var columns: @Sendable () -> Int = { 0 }

    /// No column.
    public static let none = OSLogStringAlignment()

    /// Aligns to the left of that many columns.
    public static func left(columns: @autoclosure @escaping @Sendable () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(side: .left, columns: columns)
    }

    /// Aligns to the right of that many columns.
    public static func right(columns: @autoclosure @escaping @Sendable () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(side: .right, columns: columns)
    }

    func place(_ text: String) -> String {
        guard let side else { return text }
        let space = String(repeating: " ", count: max(0, columns() - text.count))
        return side == .left ? text + space : space + text
    }
}

/// How a whole number of a log message is written.
/// Source: <https://developer.apple.com/documentation/os/oslogintegerformatting>.
public struct OSLogIntegerFormatting: Sendable {
    private let radix: Int
    private var explicitPositiveSign = false
    private var includePrefix = false
    private var uppercase = false
    private var minDigits: @Sendable () -> Int = { 1 }

    private init(radix: Int) { self.radix = radix }

    private static func make(
        _ radix: Int, _ sign: Bool, _ prefix: Bool, _ uppercase: Bool, _ minDigits: @escaping @Sendable () -> Int
    ) -> OSLogIntegerFormatting {
        var format = OSLogIntegerFormatting(radix: radix)
        format.explicitPositiveSign = sign
        format.includePrefix = prefix
        format.uppercase = uppercase
        format.minDigits = minDigits
        return format
    }

    /// Base 10.
    public static let decimal = OSLogIntegerFormatting(radix: 10)
    /// Base 16.
    public static let hex = OSLogIntegerFormatting(radix: 16)
    /// Base 8.
    public static let octal = OSLogIntegerFormatting(radix: 8)

    /// To the base 10, with zeros in front up to so many digits.
    public static func decimal(
        explicitPositiveSign: Bool = false, minDigits: @autoclosure @escaping @Sendable () -> Int = 1
    ) -> OSLogIntegerFormatting { make(10, explicitPositiveSign, false, false, minDigits) }

    /// To the base 16; the prefix is `0x`.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: @autoclosure @escaping @Sendable () -> Int = 1
    ) -> OSLogIntegerFormatting { make(16, explicitPositiveSign, includePrefix, uppercase, minDigits) }

    /// To the base 8; the prefix is `0o`.
    public static func octal(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: @autoclosure @escaping @Sendable () -> Int = 1
    ) -> OSLogIntegerFormatting { make(8, explicitPositiveSign, includePrefix, uppercase, minDigits) }

    func text(_ number: some FixedWidthInteger) -> String {
        let digits = String(number.magnitude, radix: radix, uppercase: uppercase)
        let zeros = String(repeating: "0", count: max(0, minDigits() - digits.count))
        let prefix = includePrefix && radix != 10 ? (radix == 16 ? "0x" : "0o") : ""
        let sign = number < 0 ? "-" : explicitPositiveSign ? "+" : ""
        return sign + prefix + zeros + digits
    }
}

/// The format of a fractional number in a log message: like `printf`, with 6 decimal places by default. Source:
/// <https://developer.apple.com/documentation/os/oslogfloatformatting>.
public struct OSLogFloatFormatting: Sendable {
    private let conversion: Character
    private var precision: (@Sendable () -> Int)?
    private var explicitPositiveSign = false

    private init(_ conversion: Character) { self.conversion = conversion }

    /// `12.500000`.
    public static let fixed = OSLogFloatFormatting("f")
    /// `0x1.9p+3`.
    public static let hex = OSLogFloatFormatting("a")
    /// `1.250000e+01`.
    public static let exponential = OSLogFloatFormatting("e")
    /// Whichever of fixed and exponential is shorter.
    public static let hybrid = OSLogFloatFormatting("g")

    private static func make(
        _ conversion: Character, _ uppercase: Bool, _ sign: Bool, _ precision: (@Sendable () -> Int)?
    ) -> OSLogFloatFormatting {
        var format = OSLogFloatFormatting(uppercase ? Character(conversion.uppercased()) : conversion)
        format.explicitPositiveSign = sign
        format.precision = precision
        return format
    }

    /// Like ``fixed``, with that many decimal places.
    public static func fixed(
        precision: @autoclosure @escaping @Sendable () -> Int, explicitPositiveSign: Bool = false,
        uppercase: Bool = false
    ) -> OSLogFloatFormatting { make("f", uppercase, explicitPositiveSign, precision) }

    /// Like ``fixed``, with a sign before positive numbers.
    public static func fixed(explicitPositiveSign: Bool = false, uppercase: Bool = false) -> OSLogFloatFormatting {
        make("f", uppercase, explicitPositiveSign, nil)
    }

    /// Like ``hex``, with a sign before positive numbers.
    public static func hex(explicitPositiveSign: Bool = false, uppercase: Bool = false) -> OSLogFloatFormatting {
        make("a", uppercase, explicitPositiveSign, nil)
    }

    /// Like ``exponential``, with that many decimal places.
    public static func exponential(
        precision: @autoclosure @escaping @Sendable () -> Int, explicitPositiveSign: Bool = false,
        uppercase: Bool = false
    ) -> OSLogFloatFormatting { make("e", uppercase, explicitPositiveSign, precision) }

    /// Like ``exponential``, with a sign before positive numbers.
    public static func exponential(
        explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting { make("e", uppercase, explicitPositiveSign, nil) }

    /// Like ``hybrid``, with that many significant digits.
    public static func hybrid(
        precision: @autoclosure @escaping @Sendable () -> Int, explicitPositiveSign: Bool = false,
        uppercase: Bool = false
    ) -> OSLogFloatFormatting { make("g", uppercase, explicitPositiveSign, precision) }

    /// Like ``hybrid``, with a sign before positive numbers.
    public static func hybrid(
        explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting { make("g", uppercase, explicitPositiveSign, nil) }

    func text(_ number: Double) -> String {
        // A computed precision in a log message never stops the program. C allows what fits its buffer.
        let places = precision.map { ".\(min(max(0, $0()), 100))" } ?? ""
        return String(format: "%\(explicitPositiveSign ? "+" : "")\(places)\(conversion)", number)
    }
}

/// The format of a Boolean in a log message.
public enum OSLogBoolFormat: Sendable {
    /// `true` or `false`.
    case truth
    /// `yes` or `no`.
    case answer

    func text(_ value: Bool) -> String {
        switch self {
        case .truth: value ? "true" : "false"
        case .answer: value ? "yes" : "no"
        }
    }
}

/// The meaning of a pointer in a log message.
public enum OSLogPointerFormat: Sendable {
    /// The address itself.
    case none
    /// 16 bytes of a UUID.
    case uuid
}
