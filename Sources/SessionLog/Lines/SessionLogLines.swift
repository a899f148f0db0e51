/// Reads lines of a session log one by one, as they arrive from another machine.
///
/// A decoder of a file continues after damage (``SessionLogDecoder``). Here each line was just sent, so the reader must
/// learn that it is unreadable and report it.
package struct SessionLogLines: Sendable {
    package enum Line: Sendable, Equatable {
        case entry(SessionEntry)
        /// An empty line, in place of one that is not sent.
        case blank
        /// A valid line of a kind that only a later version knows.
        case unknown
        case unreadable(reason: String)
    }

    private var reader = SessionLineReader()

    package init() {}

    /// - Parameter line: The line with its line feed, which must be the only one.
    package mutating func read(_ line: [UInt8]) -> Line {
        guard line.last == 0x0A else { return .unreadable(reason: "it is cut off") }
        if line.allSatisfy({ $0 == 0x0A || $0 == 0x0D || $0 == 0x20 || $0 == 0x09 }) { return .blank }
        var object = JSONObject()
        return line.withUnsafeBufferPointer { bytes in
            do throws(LineFault) {
                let entry = try reader.entry(UnsafeBufferPointer(rebasing: bytes.dropLast()), members: &object)
                return entry.map(Line.entry) ?? .unknown
            } catch {
                return .unreadable(reason: error.message)
            }
        }
    }
}
