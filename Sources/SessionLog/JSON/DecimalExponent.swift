/// The `-3` after the `e` of a number in text.
package enum DecimalExponent {
    /// Returns nil unless the text is an optional sign and digits, at most `longest`.
    package static func value(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, longest: Int) -> Int? {
        var index = range.lowerBound
        guard index < range.upperBound else { return nil }
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
        guard index < range.upperBound, range.upperBound - index <= longest else { return nil }
        var power = 0
        while index < range.upperBound {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            power = power * 10 + Int(digit)
            index += 1
        }
        return isNegative ? -power : power
    }
}
