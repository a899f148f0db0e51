/// Numbers of JSON, to and from `Double`, exactly: what is written reads back bit for bit.
enum JSONNumber {
    /// The powers of ten that a `Double` holds exactly.
    static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Appends the shortest decimal that reads back as `value`, which is finite. Integral values have no fraction.
    static func append(_ value: Double, to bytes: inout [UInt8]) {
        let magnitude = value.magnitude
        if magnitude < 1e15, magnitude == magnitude.rounded(.down) {
            if value.sign == .minus { bytes.append(UInt8(ascii: "-")) }
            return append(UInt64(magnitude), to: &bytes)
        }
        // Values of few decimals are the rule. Fifteen digits are unambiguous, so the first that reads back is shortest.
        if magnitude >= 0.001, magnitude < 1e12 {
            for digits in 1...12 {
                let scaled = (magnitude * powersOfTen[digits]).rounded()
                if scaled >= 1e15 { break }
                if scaled / powersOfTen[digits] == magnitude {
                    if value.sign == .minus { bytes.append(UInt8(ascii: "-")) }
                    return append(decimal: UInt64(scaled), digits: digits, to: &bytes)
                }
            }
        }
        let text = value.description
        bytes.append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
    }

    static func append(_ value: Int, to bytes: inout [UInt8]) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        append(UInt64(value.magnitude), to: &bytes)
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var divisor: UInt64 = 1
        while value / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }

    private static func append(decimal: UInt64, digits: Int, to bytes: inout [UInt8]) {
        var scale: UInt64 = 1
        for _ in 0..<digits { scale *= 10 }
        append(decimal / scale, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        var rest = decimal % scale
        for _ in 0..<digits {
            scale /= 10
            bytes.append(UInt8(ascii: "0") + UInt8(rest / scale))
            rest %= scale
        }
    }

    /// The value of a number that is `mantissa` times ten to the `exponent`, where a `Double` says that without a
    /// second rounding: both factors are exact, so one multiplication or division rounds correctly (Clinger, "How to
    /// read floating point numbers accurately", 1990, section 4). Nil otherwise.
    static func exact(mantissa: UInt64, exponent: Int) -> Double? {
        guard mantissa <= 1 << 53, exponent.magnitude <= 22 else { return nil }
        return exponent < 0
            ? Double(mantissa) / powersOfTen[-exponent] : Double(mantissa) * powersOfTen[exponent]
    }
}
