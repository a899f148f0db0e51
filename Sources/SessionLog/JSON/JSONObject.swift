/// The members of one JSON object on a line, read in place.
///
/// The caller ensures that the bytes outlive the object.
struct JSONObject {
    private var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    private(set) var members: [(key: JSONValue, value: JSONValue)] = []

    /// Reads a complete line, which must hold one object. The memory of the members is reused.
    mutating func read(line: UnsafeBufferPointer<UInt8>) throws(LineFault) {
        bytes = line
        members.removeAll(keepingCapacity: true)
        var scanner = JSONScanner(line)
        scanner.skipSpace()
        try scanner.object(depth: 0) { key, value in members.append((key, value)) }
        guard scanner.isAtEnd() else { throw scanner.fault("the line should end here") }
    }

    /// Returns an object within this one's line. `value` must be of kind `object`.
    func object(_ value: JSONValue) throws(LineFault) -> JSONObject {
        var inner = JSONObject()
        inner.bytes = bytes
        var scanner = JSONScanner(bytes, at: value.range.lowerBound)
        try scanner.object(depth: 0) { key, value in inner.members.append((key, value)) }
        return inner
    }

    /// Returns the numbers of an array, or nil if it holds anything else. `value` must be of kind `array`.
    func numbers(_ value: JSONValue) throws(LineFault) -> [Double]? {
        var numbers: [Double] = []
        var areNumbers = true
        var scanner = JSONScanner(bytes, at: value.range.lowerBound)
        try scanner.array(depth: 0) { element in
            if element.kind == .number { numbers.append(element.number) } else { areNumbers = false }
        }
        return areNumbers ? numbers : nil
    }

    /// Returns the value of a key, the last one if there are several. Nil for `null`, which means the same as no key.
    func value(_ key: StaticString) -> JSONValue? {
        var index = members.count
        while index > 0 {
            index -= 1
            if isKey(members[index].key, key) {
                let value = members[index].value
                return value.kind == .null ? nil : value
            }
        }
        return nil
    }

    func isKey(_ key: JSONValue, _ name: StaticString) -> Bool {
        if key.kind == .escapedString { return text(key) == name.description }
        guard key.range.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<key.range.count where bytes[key.range.lowerBound + index] != name.utf8Start[index] {
            return false
        }
        return true
    }

    func bytes(_ value: JSONValue) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[value.range])
    }

    /// Returns the text of a string. `value` must be of kind `string` or `escapedString`.
    func text(_ value: JSONValue) -> String {
        value.kind == .escapedString ? unescaped(value) : String(decoding: bytes(value), as: UTF8.self)
    }

    private func unescaped(_ value: JSONValue) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(value.range.count)
        var index = value.range.lowerBound
        while index < value.range.upperBound {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            let escape = bytes[index]
            index += 1
            switch escape {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                let scalar = scalar(at: &index, end: value.range.upperBound)
                text.append(contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
            default: text.append(escape)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the scalar of the four digits at `index`, or of two such escapes. Half a surrogate pair gives U+FFFD.
    private func scalar(at index: inout Int, end: Int) -> Unicode.Scalar {
        let unit = codeUnit(at: index)
        index += 4
        if Unicode.UTF16.isLeadSurrogate(unit), index + 6 <= end, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        {
            let trail = codeUnit(at: index + 2)
            if Unicode.UTF16.isTrailSurrogate(trail) {
                index += 6
                let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00)
                return Unicode.Scalar(value) ?? "\u{FFFD}"
            }
        }
        return Unicode.Scalar(unit) ?? "\u{FFFD}"
    }

    private func codeUnit(at index: Int) -> UInt16 {
        var unit: UInt16 = 0
        for offset in 0..<4 { unit = unit << 4 | UInt16(Hexadecimal.digit(bytes[index + offset]) ?? 0) }
        return unit
    }
}
