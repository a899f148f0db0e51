/// The faults found in a file, in the order of their bytes, never more than `limit` of them.
package struct FITWarnings {
    /// A file that is wrong everywhere must not fill the memory with complaints.
    static let limit = 200

    package private(set) var list: [RecordingWarning] = []
    private var said: Set<String> = []
    private var left = 0

    mutating func add(byte: Int, _ message: String) {
        guard list.count < Self.limit else {
            left += 1
            return
        }
        list.append(RecordingWarning(byte: byte, message: message))
    }

    /// For a fault that a file repeats in every message: said at its first place only.
    mutating func addOnce(byte: Int, _ message: String) {
        guard said.count < Self.limit, said.insert(message).inserted else { return }
        add(byte: byte, message)
    }

    /// The list, with a last line for what it has no room for.
    package var all: [RecordingWarning] {
        guard left > 0, let last = list.last else { return list }
        return list + [RecordingWarning(byte: last.byte, message: "\(left) further warnings are left out")]
    }
}
