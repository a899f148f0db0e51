/// Decodes the bytes that a terminal sends into keys. Sequences may be cut anywhere between two feeds.
///
/// Escape sequences are those of ECMA-48 (CSI) and of the VT100's application mode (SS3). A sequence of a key that this
/// program does not use is dropped as a whole. A lone ESC becomes `escape` when the next byte shows that it began no
/// sequence.
struct KeyDecoder: Sendable {
    private enum State: Sendable, Equatable {
        case ground
        case escape
        case controlSequence
        case singleShift
        case utf8([UInt8], missing: Int)
    }

    private var state = State.ground

    mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { take(byte, into: &keys) }
        return keys
    }

    private mutating func take(_ byte: UInt8, into keys: inout [Key]) {
        switch state {
        case .ground:
            begin(byte, into: &keys)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .controlSequence
            case UInt8(ascii: "O"): state = .singleShift
            default:
                keys.append(.escape)
                state = .ground
                begin(byte, into: &keys)
            }
        case .controlSequence:
            switch byte {
            case 0x20...0x3F: break
            case 0x40...0x7E:
                state = .ground
                if let key = arrow(byte) { keys.append(key) }
            default:
                state = .ground
                begin(byte, into: &keys)
            }
        case .singleShift:
            state = .ground
            if let key = arrow(byte) { keys.append(key) }
        case .utf8(let begun, let missing):
            guard byte & 0xC0 == 0x80 else {
                state = .ground
                begin(byte, into: &keys)
                return
            }
            let bytes = begun + [byte]
            guard missing == 1 else {
                state = .utf8(bytes, missing: missing - 1)
                return
            }
            state = .ground
            if let text = String(validating: bytes, as: UTF8.self), let character = text.first {
                keys.append(.character(character))
            }
        }
    }

    private mutating func begin(_ byte: UInt8, into keys: inout [Key]) {
        switch byte {
        case 0x1B: state = .escape
        case 0x0A, 0x0D: keys.append(.enter)
        case 0x09: keys.append(.tab)
        case 0x08, 0x7F: keys.append(.backspace)
        case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
        case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
        case 0xC2...0xDF: state = .utf8([byte], missing: 1)
        case 0xE0...0xEF: state = .utf8([byte], missing: 2)
        case 0xF0...0xF4: state = .utf8([byte], missing: 3)
        default: break
        }
    }

    private func arrow(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        default: nil
        }
    }
}

/// A key that was pressed on the terminal.
enum Key: Sendable, Hashable {
    case character(Character)
    /// Control with a letter, in lower case: `control("c")` if the terminal does not make it a signal.
    case control(Character)
    case up, down, left, right
    case enter, tab, backspace, escape
}
