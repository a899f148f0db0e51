/// Reads lines of a session log one by one, as they cross from machine to machine.
///
/// A log in a file is read on past what is damaged in it (``SessionLogDecoder``). Here a line is what somebody sent just now:
/// whoever cannot read it has to know, and say so.
package struct SessionLogLines: Sendable {
    package enum Line: Sendable, Equatable {
        case entry(SessionEntry)
        /// Empty: it keeps the place of one that is not to be said.
        case blank
        /// Sound, but of a kind that only a later version knows.
        case unknown
        case unreadable(reason: String)
    }

    private var reader = SessionLineReader()

    package init() {}

    /// - Parameter line: with its line feed, and none but that.
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
