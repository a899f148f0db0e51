/// A value of D-Bus's type system (D-Bus specification, "Type system").
///
/// Descriptors are not supported, because nothing here uses them.
package indirect enum DBusValue: Sendable, Equatable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// `ay`. Values of sensors arrive in this type, so bytes are not values of their own.
    case bytes([UInt8])
    case array(of: String, [DBusValue])
    /// `a{…}`: the signatures of key and value, and the entries in their order.
    case dictionary(key: String, value: String, [Entry])
    case structure([DBusValue])
    case variant(DBusValue)
    /// An unsupported type; it can't be sent.
    case unsupported(UInt8)

    package struct Entry: Sendable, Equatable {
        package var key: DBusValue
        package var value: DBusValue

        package init(key: DBusValue, value: DBusValue) {
            self.key = key
            self.value = value
        }
    }

    /// The deepest supported nesting; D-Bus allows 64.
    static let depthLimit = 16
    /// The largest number of values in one message. The objects of a daemon with a thousand devices have about 40,000.
    static let countLimit = 500_000
}

extension DBusValue {
    /// The type's signature.
    package var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .bytes: "ay"
        case .array(let element, _): "a" + element
        case .dictionary(let key, let value, _): "a{" + key + value + "}"
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .variant: "v"
        case .unsupported(let code): String(Character(Unicode.Scalar(code)))
        }
    }

    /// `a{sv}`. Keys are sorted, so equal dictionaries give equal messages.
    package static func properties(_ values: [String: DBusValue]) -> DBusValue {
        .dictionary(
            key: "s", value: "v",
            values.sorted { $0.key < $1.key }.map { Entry(key: .string($0.key), value: .variant($0.value)) })
    }

    package static func strings(_ values: [String]) -> DBusValue { .array(of: "s", values.map { .string($0) }) }
}

/// The value as a Swift type; nil if it has another type.
extension DBusValue {
    /// The value within a variant, or itself.
    package var unwrapped: DBusValue {
        if case .variant(let value) = self { return value.unwrapped }
        return self
    }

    package var asString: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    package var asPath: String? {
        if case .objectPath(let value) = self { return value }
        return nil
    }

    package var asBool: Bool? {
        if case .boolean(let value) = self { return value }
        return nil
    }

    package var asByte: UInt8? {
        if case .byte(let value) = self { return value }
        return nil
    }

    package var asInt16: Int16? {
        if case .int16(let value) = self { return value }
        return nil
    }

    package var asInt32: Int32? {
        if case .int32(let value) = self { return value }
        return nil
    }

    package var asUInt16: UInt16? {
        if case .uint16(let value) = self { return value }
        return nil
    }

    package var asUInt32: UInt32? {
        if case .uint32(let value) = self { return value }
        return nil
    }

    package var asBytes: [UInt8]? {
        if case .bytes(let value) = self { return value }
        return nil
    }

    package var asStrings: [String]? {
        guard case .array(of: "s", let values) = self else { return nil }
        return values.compactMap(\.asString)
    }

    package var entries: [Entry]? {
        if case .dictionary(_, _, let entries) = self { return entries }
        return nil
    }

    /// `a{sv}` as names and the values within their variants.
    package var asProperties: [String: DBusValue]? {
        guard case .dictionary(key: "s", value: "v", let entries) = self else { return nil }
        return entries.reduce(into: [:]) { result, entry in
            if let name = entry.key.asString { result[name] = entry.value.unwrapped }
        }
    }
}
