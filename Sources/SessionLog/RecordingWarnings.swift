/// Something in a file that could not be taken as it stood. What could be read was.
public struct RecordingWarning: Sendable, Equatable {
    /// Offset from the start of the file, in bytes.
    public var byte: Int
    /// What is wrong there and what was done about it, as a sentence for people.
    public var message: String

    /// - Parameter byte: Offset from the start of the file.
    public init(byte: Int, message: String) {
        self.byte = byte
        self.message = message
    }
}

/// The faults found in a file, in the order of their bytes, never more than ``limit`` of them: a file that is wrong
/// everywhere must not fill the memory with complaints.
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

    /// For a fault that a file may repeat in every message or element: said at its first place only.
    package mutating func addOnce(_ fault: Fault, byte: Int, _ message: @autoclosure () -> String) {
        if said.count < Self.limit, said.insert(fault).inserted { add(byte: byte, message()) }
    }

    /// The list, with a last line for what it has no room for.
    package var all: [RecordingWarning] {
        guard left > 0, let last = list.last else { return list }
        return list + [RecordingWarning(byte: last.byte, message: "\(left) further warnings are left out")]
    }
}

extension RecordingWarnings<String> {
    /// For a fault whose words say all there is to it.
    package mutating func addOnce(byte: Int, _ message: String) { addOnce(message, byte: byte, message) }
}
