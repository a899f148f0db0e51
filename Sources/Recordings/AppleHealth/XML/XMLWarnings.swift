/// The faults found in a file of XML, never more than `limit` of them: a file that is wrong everywhere must not fill the
/// memory with complaints.
struct XMLWarnings {
    static let limit = 200

    private var list: [RecordingWarning] = []
    private var said: Set<String> = []
    private var left = 0

    mutating func add(byte: Int, _ message: @autoclosure () -> String) {
        if list.count < Self.limit {
            list.append(RecordingWarning(byte: byte, message: message()))
        } else {
            left += 1
        }
    }

    /// For what a file may repeat in every element: said at its first place only.
    mutating func addOnce(byte: Int, _ message: String) {
        if said.count < Self.limit, said.insert(message).inserted { add(byte: byte, message) }
    }

    /// The list, with a last line for what it has no room for.
    var all: [RecordingWarning] {
        guard left > 0, let last = list.last else { return list }
        return list + [RecordingWarning(byte: last.byte, message: "\(left) further warnings are left out")]
    }
}
