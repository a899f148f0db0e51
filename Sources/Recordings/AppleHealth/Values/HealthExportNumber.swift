/// Numbers as an export writes them: a decimal point, maybe an exponent.
enum HealthExportNumber {
    /// The number that the bytes say, correctly rounded; nil when they are anything else, `nan` and `0x1p3` included.
    static func value(of text: UnsafeBufferPointer<UInt8>) -> Double? {
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
            guard text[index] | 0x20 == UInt8(ascii: "e"), index + 1 < text.count else { return nil }
            index += 1
            let isDown = text[index] == UInt8(ascii: "-")
            if isDown || text[index] == UInt8(ascii: "+") { index += 1 }
            guard index < text.count, text.count - index <= 5 else { return nil }
            var power = 0
            while index < text.count {
                let digit = text[index] &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                power = power * 10 + Int(digit)
                index += 1
            }
            exponent += isDown ? -power : power
        }
        if isExact, let exact = JSONNumber.exact(mantissa: mantissa, exponent: exponent) {
            return isNegative ? -exact : exact
        }
        let value = Double(String(decoding: text, as: UTF8.self))
        return value?.isFinite == true ? value : nil
    }

    static func value(of text: String) -> Double? {
        var text = text
        return text.withUTF8 { value(of: $0) }
    }
}
