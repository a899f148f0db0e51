/// The reason why a line is unreadable, with the place in the line.
struct LineFault: Error, Equatable {
    var offset: Int
    var message: String
    /// The version of the log, if the line is unreadable because that version is newer.
    var newerVersion: Int?

    init(_ offset: Int, _ message: String, newerVersion: Int? = nil) {
        self.offset = offset
        self.message = message
        self.newerVersion = newerVersion
    }
}

/// A value on a line: its kind and its place, and the value of a number.
struct JSONValue {
    enum Kind: UInt8 { case string, escapedString, number, bool, null, array, object }

    var kind: Kind
    /// The bytes of a string without its quotes; otherwise all bytes of the value.
    var range: Range<Int>
    /// The value of a number; 1 for `true`.
    var number = 0.0
}

/// A scanner for the JSON (RFC 8259) of one line. It accepts any bytes, allocates nothing, and limits the depth.
///
/// A session log of an hour has some fifteen thousand lines and is read when the command starts. Foundation's decoder
/// builds a tree of objects for each line, and stops at its first fault without the place. This scanner leaves values
/// in place until they are needed, and reports where a line is wrong. It accepts exactly RFC 8259, except that bytes
/// that are not UTF-8, and halves of surrogate pairs, are read as U+FFFD.
///
/// The caller ensures that the bytes outlive the scanner.
struct JSONScanner {
    /// The deepest nesting of arrays and objects.
    static let maximumDepth = 32

    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// The byte at the position, or 0 at the end, which JSON allows nowhere.
    private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0D, 0x0A: position += 1
            default: return
            }
        }
    }

    /// Returns whether only space follows.
    mutating func isAtEnd() -> Bool {
        skipSpace()
        return position == bytes.count
    }

    func fault(_ message: String) -> LineFault {
        position < bytes.count ? LineFault(position, message) : LineFault(bytes.count, "the line is cut off here")
    }

    /// Reads the value at the position.
    mutating func value(depth: Int) throws(LineFault) -> JSONValue {
        let start = position
        switch current {
        case UInt8(ascii: "\""):
            return try string()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try number()
        case UInt8(ascii: "{"):
            try object(depth: depth) { _, _ in }
            return JSONValue(kind: .object, range: start..<position)
        case UInt8(ascii: "["):
            try array(depth: depth) { _ throws(LineFault) in }
            return JSONValue(kind: .array, range: start..<position)
        case UInt8(ascii: "t"):
            try word("true")
            return JSONValue(kind: .bool, range: start..<position, number: 1)
        case UInt8(ascii: "f"):
            try word("false")
            return JSONValue(kind: .bool, range: start..<position)
        case UInt8(ascii: "n"):
            try word("null")
            return JSONValue(kind: .null, range: start..<position)
        default:
            throw fault("a JSON value is expected here")
        }
    }

    /// Reads the object at the position and passes each key, as a string value, and each value to `visit`.
    mutating func object(
        depth: Int, _ visit: (JSONValue, JSONValue) throws(LineFault) -> Void
    ) throws(LineFault) {
        guard depth < Self.maximumDepth else { throw fault("values are nested too deeply here") }
        guard current == UInt8(ascii: "{") else { throw fault("“{” is expected here") }
        position += 1
        skipSpace()
        if current == UInt8(ascii: "}") {
            position += 1
            return
        }
        while true {
            guard current == UInt8(ascii: "\"") else { throw fault("a key in quotes is expected here") }
            let key = try string()
            skipSpace()
            guard current == UInt8(ascii: ":") else { throw fault("“:” is expected here") }
            position += 1
            skipSpace()
            try visit(key, try value(depth: depth + 1))
            skipSpace()
            switch current {
            case UInt8(ascii: ","):
                position += 1
                skipSpace()
            case UInt8(ascii: "}"):
                position += 1
                return
            default: throw fault("“,” or “}” is expected here")
            }
        }
    }

    /// Reads the array at the position and passes each element to `visit`.
    mutating func array(depth: Int, _ visit: (JSONValue) throws(LineFault) -> Void) throws(LineFault) {
        guard depth < Self.maximumDepth else { throw fault("values are nested too deeply here") }
        position += 1
        skipSpace()
        if current == UInt8(ascii: "]") {
            position += 1
            return
        }
        while true {
            try visit(try value(depth: depth + 1))
            skipSpace()
            switch current {
            case UInt8(ascii: ","):
                position += 1
                skipSpace()
            case UInt8(ascii: "]"):
                position += 1
                return
            default: throw fault("“,” or “]” is expected here")
            }
        }
    }

    private mutating func word(_ word: StaticString) throws(LineFault) {
        for index in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[index] else { throw fault("a JSON value is expected here") }
            position += 1
        }
    }

    private mutating func string() throws(LineFault) -> JSONValue {
        position += 1
        let start = position
        var kind = JSONValue.Kind.string
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return JSONValue(kind: kind, range: start..<position - 1)
            case UInt8(ascii: "\\"):
                kind = .escapedString
                position += 1
                try escape()
            case 0..<0x20:
                throw fault("a string contains a control character here")
            default:
                position += 1
            }
        }
        throw fault("the line is cut off here")
    }

    private mutating func escape() throws(LineFault) {
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard Hexadecimal.digit(current) != nil else {
                    throw fault("four hexadecimal digits are expected here")
                }
                position += 1
            }
        default: throw fault("there is no such escape")
        }
    }

    private mutating func number() throws(LineFault) -> JSONValue {
        let start = position
        let isNegative = current == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var mantissa: UInt64 = 0
        var exponent = 0
        var isShort = true

        func take(_ byte: UInt8) {
            if mantissa < 1_000_000_000_000_000_000 {
                mantissa = mantissa * 10 + UInt64(byte &- UInt8(ascii: "0"))
            } else {
                isShort = false
            }
        }
        let first = position
        while isDigit {
            take(current)
            position += 1
        }
        guard position > first else { throw fault("a digit is expected here") }
        guard position == first + 1 || bytes[first] != UInt8(ascii: "0") else {
            throw LineFault(first, "a number begins with a needless 0 here")
        }
        if current == UInt8(ascii: ".") {
            position += 1
            let point = position
            while isDigit {
                take(current)
                position += 1
            }
            guard position > point else { throw fault("a digit is expected here") }
            exponent = point - position
        }
        if current | 0x20 == UInt8(ascii: "e") {
            position += 1
            let isDown = current == UInt8(ascii: "-")
            if isDown || current == UInt8(ascii: "+") { position += 1 }
            guard isDigit else { throw fault("a digit is expected here") }
            var power = 0
            while isDigit {
                power = min(power * 10 + Int(current - UInt8(ascii: "0")), 100_000)
                position += 1
            }
            exponent += isDown ? -power : power
        }
        let range = start..<position
        if isShort, let value = JSONNumber.exact(mantissa: mantissa, exponent: exponent) {
            return JSONValue(kind: .number, range: range, number: isNegative ? -value : value)
        }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        guard let value = Double(text), value.isFinite else { throw LineFault(start, "this number is too large") }
        return JSONValue(kind: .number, range: range, number: value)
    }

    private var isDigit: Bool { current &- UInt8(ascii: "0") < 10 }
}
