/// A warning about damage in a file. Everything readable was read.
public struct RecordingWarning: Sendable, Equatable {
    /// The metadata key of a stored workout for the number of its file's warnings.
    package static let countKey = "RecordingWarnings"

    /// The offset from the start of the file, in bytes.
    public var byte: Int
    /// What is wrong there and what was done about it, as a sentence for the user.
    public var message: String

    /// - Parameter byte: The offset from the start of the file.
    public init(byte: Int, message: String) {
        self.byte = byte
        self.message = message
    }
}

/// The faults found in a file, in the order of their bytes and at most ``limit`` of them, so that a file full of faults
/// does not fill the memory.
package struct RecordingWarnings<Fault: Hashable & Sendable>: Sendable {
    package static var limit: Int { 200 }

    package private(set) var list: [RecordingWarning] = []
    private var said: Set<Fault> = []
    private var left = 0

    package init() {}

    package mutating func add(byte: Int, _ message: String) {
        if list.count < Self.limit {
            list.append(RecordingWarning(byte: byte, message: message))
        } else {
            left += 1
        }
    }

    /// Adds a fault that a file may repeat in every message or element, but only at its first place.
    package mutating func addOnce(_ fault: Fault, byte: Int, _ message: @autoclosure () -> String) {
        if said.count < Self.limit, said.insert(fault).inserted { add(byte: byte, message()) }
    }

    /// The list, with a last line that counts the warnings left out.
    package var all: [RecordingWarning] {
        guard left > 0, let last = list.last else { return list }
        return list + [RecordingWarning(byte: last.byte, message: "\(left) further warnings are left out")]
    }
}

extension RecordingWarnings<String> {
    /// Adds a fault that its message identifies.
    package mutating func addOnce(byte: Int, _ message: String) { addOnce(message, byte: byte, message) }
}
