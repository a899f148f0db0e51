#if Bluetooth || Mirroring
import CDBus

/// Converts messages to and from libdbus.
///
/// libdbus ends the process if it gets an invalid path, name or text, so outgoing values are checked first. It checks incoming
/// messages itself.
extension DBusMessage {
    /// Reads a message of libdbus, which the caller still owns. Nil if it is too deep or too large, or of an unknown type.
    init?(reading message: OpaquePointer) {
        switch dbus_message_get_type(message) {
        case DBUS_MESSAGE_TYPE_METHOD_CALL: kind = .call
        case DBUS_MESSAGE_TYPE_METHOD_RETURN: kind = .reply
        case DBUS_MESSAGE_TYPE_ERROR: kind = .error
        case DBUS_MESSAGE_TYPE_SIGNAL: kind = .signal
        default: return nil
        }
        serial = dbus_message_get_serial(message)
        replySerial = dbus_message_get_reply_serial(message)
        sender = dbus_message_get_sender(message).map { String(cString: $0) }
        destination = dbus_message_get_destination(message).map { String(cString: $0) }
        path = dbus_message_get_path(message).map { String(cString: $0) }
        interface = dbus_message_get_interface(message).map { String(cString: $0) }
        member = dbus_message_get_member(message).map { String(cString: $0) }
        errorName = dbus_message_get_error_name(message).map { String(cString: $0) }
        wantsReply = kind == .call && dbus_message_get_no_reply(message) == 0
        startsService = dbus_message_get_auto_start(message) != 0
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0 else { return }
        var reader = Reader()
        guard let body = reader.values(&iterator, depth: 0) else { return nil }
        self.body = body
    }

    /// A new message of libdbus. The caller has to release it.
    func written() throws(DBusCallError) -> OpaquePointer {
        for (name, value, isValid) in [
            ("destination", destination, dbus_validate_bus_name), ("path", path, dbus_validate_path),
            ("interface", interface, dbus_validate_interface), ("member", member, dbus_validate_member),
            ("error name", errorName, dbus_validate_error_name),
        ] as [(String, String?, (UnsafePointer<CChar>, UnsafeMutablePointer<DBusError>?) -> dbus_bool_t)] {
            guard let value else { continue }
            guard !value.utf8.contains(0), isValid(value, nil) != 0 else {
                throw .invalid("“\(value)” cannot be a \(name) in D-Bus")
            }
        }
        var made: OpaquePointer?
        switch kind {
        case .call:
            guard let path, let member else { throw .invalid("a call needs a path and a member") }
            made = dbus_message_new_method_call(destination, path, interface, member)
        case .signal:
            guard let path, let interface, let member else {
                throw .invalid("a signal needs a path, an interface and a member")
            }
            made = dbus_message_new_signal(path, interface, member)
        case .reply:
            made = dbus_message_new(DBUS_MESSAGE_TYPE_METHOD_RETURN)
        case .error:
            made = dbus_message_new(DBUS_MESSAGE_TYPE_ERROR)
        }
        guard let message = made else { throw .invalid("no memory for a message") }
        var isDone = false
        defer { if !isDone { dbus_message_unref(message) } }
        if kind == .reply || kind == .error {
            guard replySerial != 0 else { throw .invalid("a reply needs the number of its call") }
            dbus_message_set_reply_serial(message, replySerial)
            if let errorName { dbus_message_set_error_name(message, errorName) }
        }
        if kind != .call, let destination { dbus_message_set_destination(message, destination) }
        dbus_message_set_no_reply(message, wantsReply ? 0 : 1)
        dbus_message_set_auto_start(message, startsService ? 1 : 0)
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message, &iterator)
        for value in body { try Writer.append(value, to: &iterator, depth: 0) }
        isDone = true
        return message
    }
}

private let invalidType: Int32 = 0
private let byteType = Int32(UInt8(ascii: "y"))
private let arrayType = Int32(UInt8(ascii: "a"))
private let entryType = Int32(UInt8(ascii: "e"))
private let structureType = Int32(UInt8(ascii: "r"))
private let variantType = Int32(UInt8(ascii: "v"))

private struct Reader {
    private var count = 0

    /// The values up to the end of their container. Nil if a limit is exceeded.
    mutating func values(_ iterator: inout DBusMessageIter, depth: Int) -> [DBusValue]? {
        var values: [DBusValue] = []
        while dbus_message_iter_get_arg_type(&iterator) != invalidType {
            guard let value = value(&iterator, depth: depth) else { return nil }
            values.append(value)
            dbus_message_iter_next(&iterator)
        }
        return values
    }

    private mutating func value(_ iterator: inout DBusMessageIter, depth: Int) -> DBusValue? {
        count += 1
        guard count <= DBusValue.countLimit, depth <= DBusValue.depthLimit else { return nil }
        let type = dbus_message_iter_get_arg_type(&iterator)
        switch UInt8(truncatingIfNeeded: type) {
        case UInt8(ascii: "y"): return .byte(basic(&iterator, 0))
        case UInt8(ascii: "b"): return .boolean(basic(&iterator, dbus_bool_t(0)) != 0)
        case UInt8(ascii: "n"): return .int16(basic(&iterator, 0))
        case UInt8(ascii: "q"): return .uint16(basic(&iterator, 0))
        case UInt8(ascii: "i"): return .int32(basic(&iterator, 0))
        case UInt8(ascii: "u"): return .uint32(basic(&iterator, 0))
        case UInt8(ascii: "x"): return .int64(basic(&iterator, 0))
        case UInt8(ascii: "t"): return .uint64(basic(&iterator, 0))
        case UInt8(ascii: "d"): return .double(basic(&iterator, 0))
        case UInt8(ascii: "s"): return .string(text(&iterator))
        case UInt8(ascii: "o"): return .objectPath(text(&iterator))
        case UInt8(ascii: "g"): return .signature(text(&iterator))
        case UInt8(ascii: "a"): return array(&iterator, depth: depth)
        case UInt8(ascii: "r"):
            var fields = DBusMessageIter()
            dbus_message_iter_recurse(&iterator, &fields)
            return values(&fields, depth: depth + 1).map { .structure($0) }
        case UInt8(ascii: "v"):
            var content = DBusMessageIter()
            dbus_message_iter_recurse(&iterator, &content)
            return value(&content, depth: depth + 1).map { .variant($0) }
        default:
            // Don't read descriptors: then libdbus doesn't duplicate them, and closes its own with the message.
            return .unsupported(UInt8(truncatingIfNeeded: type))
        }
    }

    private mutating func array(_ iterator: inout DBusMessageIter, depth: Int) -> DBusValue? {
        let elementType = dbus_message_iter_get_element_type(&iterator)
        var elements = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &elements)
        if elementType == byteType {
            var bytes: UnsafePointer<UInt8>?
            var length: Int32 = 0
            dbus_message_iter_get_fixed_array(&elements, &bytes, &length)
            return .bytes(Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(length))))
        }
        let signature = signature(&iterator)
        guard elementType == entryType else {
            return values(&elements, depth: depth + 1).map { .array(of: String(signature.dropFirst()), $0) }
        }
        var entries: [DBusValue.Entry] = []
        while dbus_message_iter_get_arg_type(&elements) != invalidType {
            var pair = DBusMessageIter()
            dbus_message_iter_recurse(&elements, &pair)
            guard let key = value(&pair, depth: depth + 1) else { return nil }
            dbus_message_iter_next(&pair)
            guard let value = value(&pair, depth: depth + 1) else { return nil }
            entries.append(DBusValue.Entry(key: key, value: value))
            dbus_message_iter_next(&elements)
        }
        // a{kv…}: a key is always one letter.
        let inner = signature.dropFirst(2).dropLast()
        return .dictionary(key: String(inner.prefix(1)), value: String(inner.dropFirst()), entries)
    }

    private func basic<Number: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ zero: Number) -> Number {
        var number = zero
        dbus_message_iter_get_basic(&iterator, &number)
        return number
    }

    /// Copies the text, which the message owns.
    private func text(_ iterator: inout DBusMessageIter) -> String {
        var text: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &text)
        return text.map { String(cString: $0) } ?? ""
    }

    private func signature(_ iterator: inout DBusMessageIter) -> String {
        guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { dbus_free(text) }
        return String(cString: text)
    }
}

private enum Writer {
    static func append(_ value: DBusValue, to iterator: inout DBusMessageIter, depth: Int) throws(DBusCallError) {
        guard depth <= DBusValue.depthLimit else { throw .invalid("a value is nested too deeply for D-Bus") }
        switch value {
        case .byte(let number): try basic(number, "y", &iterator)
        case .boolean(let flag): try basic(dbus_bool_t(flag ? 1 : 0), "b", &iterator)
        case .int16(let number): try basic(number, "n", &iterator)
        case .uint16(let number): try basic(number, "q", &iterator)
        case .int32(let number): try basic(number, "i", &iterator)
        case .uint32(let number): try basic(number, "u", &iterator)
        case .int64(let number): try basic(number, "x", &iterator)
        case .uint64(let number): try basic(number, "t", &iterator)
        case .double(let number): try basic(number, "d", &iterator)
        case .string(let text): try self.text(text, "s", dbus_validate_utf8, &iterator)
        case .objectPath(let text): try self.text(text, "o", dbus_validate_path, &iterator)
        case .signature(let text): try self.text(text, "g", dbus_signature_validate, &iterator)
        case .bytes(let bytes):
            try container(arrayType, "y", &iterator) { inner throws(DBusCallError) in
                let isDone = bytes.withUnsafeBufferPointer { buffer in
                    var start = buffer.baseAddress
                    return buffer.isEmpty
                        || dbus_message_iter_append_fixed_array(&inner, byteType, &start, Int32(buffer.count)) != 0
                }
                guard isDone else { throw .invalid("no memory for a message") }
            }
        case .array(let element, let values):
            try check(element)
            guard values.allSatisfy({ $0.signature == element }) else {
                throw .invalid("an array of “\(element)” has elements of another type")
            }
            try container(arrayType, element, &iterator) { inner throws(DBusCallError) in
                for value in values { try append(value, to: &inner, depth: depth + 1) }
            }
        case .dictionary(let key, let value, let entries):
            try check("a{" + key + value + "}")
            guard entries.allSatisfy({ $0.key.signature == key && $0.value.signature == value }) else {
                throw .invalid("a dictionary of “\(key)” and “\(value)” has an entry of another type")
            }
            try container(arrayType, "{" + key + value + "}", &iterator) { inner throws(DBusCallError) in
                for entry in entries {
                    try container(entryType, nil, &inner) { pair throws(DBusCallError) in
                        try append(entry.key, to: &pair, depth: depth + 1)
                        try append(entry.value, to: &pair, depth: depth + 1)
                    }
                }
            }
        case .structure(let fields):
            guard !fields.isEmpty else { throw .invalid("a structure without fields cannot be sent over D-Bus") }
            try container(structureType, nil, &iterator) { inner throws(DBusCallError) in
                for field in fields { try append(field, to: &inner, depth: depth + 1) }
            }
        case .variant(let content):
            let signature = content.signature
            try check(signature)
            try container(variantType, signature, &iterator) { inner throws(DBusCallError) in
                try append(content, to: &inner, depth: depth + 1)
            }
        case .unsupported(let code): throw .invalid("a value of type \(code) cannot be sent over D-Bus")
        }
    }

    private static func check(_ signature: String) throws(DBusCallError) {
        guard !signature.utf8.contains(0), dbus_signature_validate_single(signature, nil) != 0 else {
            throw .invalid("“\(signature)” is not a type of D-Bus")
        }
    }

    private static func basic<Number: BitwiseCopyable>(
        _ number: Number, _ code: Unicode.Scalar, _ iterator: inout DBusMessageIter
    ) throws(DBusCallError) {
        var number = number
        guard dbus_message_iter_append_basic(&iterator, Int32(code.value), &number) != 0 else {
            throw .invalid("no memory for a message")
        }
    }

    private static func text(
        _ text: String, _ code: Unicode.Scalar,
        _ isValid: (UnsafePointer<CChar>, UnsafeMutablePointer<DBusError>?) -> dbus_bool_t,
        _ iterator: inout DBusMessageIter
    ) throws(DBusCallError) {
        guard !text.utf8.contains(0), isValid(text, nil) != 0 else {
            throw .invalid("“\(text)” cannot be sent over D-Bus")
        }
        let isDone = text.withCString { start in
            var start: UnsafePointer<CChar>? = start
            return dbus_message_iter_append_basic(&iterator, Int32(code.value), &start) != 0
        }
        guard isDone else { throw .invalid("no memory for a message") }
    }

    private static func container(
        _ type: Int32, _ signature: String?, _ iterator: inout DBusMessageIter,
        _ fill: (inout DBusMessageIter) throws(DBusCallError) -> Void
    ) throws(DBusCallError) {
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&iterator, type, signature, &inner) != 0 else {
            throw .invalid("no memory for a message")
        }
        do throws(DBusCallError) {
            try fill(&inner)
        } catch {
            dbus_message_iter_abandon_container(&iterator, &inner)
            throw error
        }
        guard dbus_message_iter_close_container(&iterator, &inner) != 0 else {
            throw .invalid("no memory for a message")
        }
    }
}
#endif
