/// The faults found in a file, in the order of their bytes, never more than `limit` of them.
package struct FITWarnings {
    /// A file that is wrong everywhere must not fill the memory with complaints.
    static let limit = 200

    package private(set) var list: [RecordingWarning] = []
    private var said: Set<Fault> = []
    private var left = 0

    mutating func add(byte: Int, _ message: String) {
        guard list.count < Self.limit else {
            left += 1
            return
        }
        list.append(RecordingWarning(byte: byte, message: message))
    }

    /// A fault that a file may repeat in every message, with what it is a fault of.
    enum Fault: Hashable {
        case fieldType(message: UInt16, field: UInt8)
        case fieldSize(message: UInt16, field: UInt8)
        case developerField(developer: UInt8, field: UInt8)
        case fieldDescription
        case tooManyFieldDescriptions
        case compressedTimestamp
    }

    /// Said at its first place only.
    mutating func addOnce(_ fault: Fault, byte: Int, _ message: @autoclosure () -> String) {
        guard said.count < Self.limit, said.insert(fault).inserted else { return }
        add(byte: byte, message())
    }

    /// The list, with a last line for what it has no room for.
    package var all: [RecordingWarning] {
        guard left > 0, let last = list.last else { return list }
        return list + [RecordingWarning(byte: last.byte, message: "\(left) further warnings are left out")]
    }
}
