/// Converts JSON numbers to and from `Double` exactly: a written number reads back bit for bit.
package enum JSONNumber {
    /// The powers of ten that a `Double` can represent exactly.
    package static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Appends the shortest decimal that reads back as `value`, which must be finite. Integral values have no fraction.
    package static func append(_ value: Double, to bytes: inout [UInt8]) {
        let magnitude = value.magnitude
        if magnitude < 1e15, magnitude == magnitude.rounded(.down) {
            if value.sign == .minus { bytes.append(UInt8(ascii: "-")) }
            return append(UInt64(magnitude), to: &bytes)
        }
        // Most values have few decimals. Fifteen digits are unambiguous, so the first number that reads back is the
        // shortest.
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

    package static func append(_ value: Int, to bytes: inout [UInt8]) {
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

    /// Returns `mantissa` times ten to the `exponent`, rounded once. If both factors are exact, it takes one
    /// multiplication or division (Clinger, "How to read floating point numbers accurately", 1990, section 4); for
    /// longer fractions it divides integers. Nil for others.
    package static func exact(mantissa: UInt64, exponent: Int) -> Double? {
        if mantissa <= 1 << 53, exponent.magnitude <= 22 {
            return exponent < 0
                ? Double(mantissa) / powersOfTen[-exponent] : Double(mantissa) * powersOfTen[exponent]
        }
        guard mantissa > 0, exponent <= 0, -exponent < integerPowersOfTen.count else { return nil }
        return quotient(mantissa, integerPowersOfTen[-exponent])
    }

    private static let integerPowersOfTen: [UInt64] = (0...19).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

    /// Neither argument may be zero.
    private static func quotient(_ dividend: UInt64, _ divisor: UInt64) -> Double {
        let (up, down) = (divisor.leadingZeroBitCount, dividend.leadingZeroBitCount)
        let numerator = dividend << UInt64(down)
        let (quotient, remainder) = (divisor << UInt64(up)).dividingFullWidth((numerator >> 1, numerator << 63))
        // The quotient has at least 63 bits, ten more than a Double. A remainder only matters for a tie between two
        // neighbours, and the last bit can represent it.
        let rounded = Double(quotient | (remainder == 0 ? 0 : 1))
        return rounded * Double(sign: .plus, exponent: up - down - 63, significand: 1)
    }
}
