import SessionLog

/// Numbers as XML files write them: with a decimal point and perhaps an exponent.
package enum XMLNumber {
    /// Returns the correctly rounded number in the bytes. Returns nil for anything else, such as `nan` and `0x1p3`.
    package static func value(of text: UnsafeBufferPointer<UInt8>) -> Double? {
        var index = 0
        var mantissa: UInt64 = 0
        var digits = 0
        var exponent = 0
        var isExact = true
        let isNegative = text.first == UInt8(ascii: "-")
        if isNegative || text.first == UInt8(ascii: "+") { index = 1 }

        func take(_ byte: UInt8, _ isFraction: Bool) {
            digits += 1
            if mantissa < 1_000_000_000_000_000_000 {
                mantissa = mantissa * 10 + UInt64(byte)
                if isFraction { exponent -= 1 }
            } else {
                isExact = false
                if !isFraction { exponent += 1 }
            }
        }
        while index < text.count, text[index] &- UInt8(ascii: "0") < 10 {
            take(text[index] &- UInt8(ascii: "0"), false)
            index += 1
        }
        if index < text.count, text[index] == UInt8(ascii: ".") {
            index += 1
            while index < text.count, text[index] &- UInt8(ascii: "0") < 10 {
                take(text[index] &- UInt8(ascii: "0"), true)
                index += 1
            }
        }
        if digits == 0 { return nil }
        if index < text.count {
            guard text[index] | 0x20 == UInt8(ascii: "e"),
                let power = DecimalExponent.value(text, index + 1..<text.count, longest: 5)
            else { return nil }
            exponent += power
        }
        if let exact = JSONNumber.exact(mantissa: mantissa, exponent: exponent),
            // A number with more digits than are counted lies between two numbers, which are mostly the same Double
            // (Lemire, "Number parsing at a gigabyte per second", 2021).
            isExact || exact == JSONNumber.exact(mantissa: mantissa + 1, exponent: exponent)
        {
            return isNegative ? -exact : exact
        }
        let value = Double(String(decoding: text, as: UTF8.self))
        return value?.isFinite == true ? value : nil
    }

    package static func value(of text: String) -> Double? {
        var text = text
        return text.withUTF8 { value(of: $0) }
    }
}
