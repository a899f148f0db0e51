/// The state of a log's end, which decides what to do before appending.
enum SessionLogTail: Sendable, Equatable {
    /// The log ends with a complete line, or is empty.
    case whole(length: Int)
    /// The log ends with a complete line that lacks its line feed.
    case unterminated(length: Int)
    /// The log ends with `count` bytes of an incomplete line, after `length` bytes of complete ones.
    case fragment(length: Int, count: Int)

    /// The longest first line that can be a header.
    private static let maximumHeaderLength = 1 << 16

    /// Examines the beginning and the end of a file.
    ///
    /// - Throws: `notALog` unless the file is empty, begins with a header, or is what a crash can leave of one line. So
    ///   a wrong name never causes another file to be cut. `newerVersion`, `file`.
    init(_ file: borrowing OpenFile, size: Int) throws(SessionLogError) {
        let head: [UInt8]
        let fragment: [UInt8]
        let length: Int
        do throws(FileFault) {
            head = try file.bytes(at: 0, count: min(size, Self.maximumHeaderLength + 1))
            length = try Self.endOfLastLine(file, size: size)
            fragment = try file.bytes(at: length, count: min(size - length, SessionLogDecoder.maximumLineLength + 1))
        } catch { throw .file(error) }

        let isEmpty = size == 0
        if length > 0 || Self.isWholeObject(fragment, isFirst: length == 0) {
            try Self.checkHeader(head, file.path)
        } else if !isEmpty && !Self.isCutHeader(fragment) {
            throw .notALog(path: file.path, reason: Self.reason)
        }
        if length == size {
            self = .whole(length: length)
        } else if Self.isWholeObject(fragment, isFirst: length == 0) {
            self = .unterminated(length: size)
        } else {
            self = .fragment(length: length, count: size - length)
        }
    }

    private static let reason = "it holds something other than a session log"

    private static func endOfLastLine(_ file: borrowing OpenFile, size: Int) throws(FileFault) -> Int {
        var end = size
        while end > 0 {
            let start = max(0, end - 1 << 16)
            let bytes = try file.bytes(at: start, count: end - start)
            if let index = bytes.lastIndex(of: 0x0A) { return start + index + 1 }
            end = start
        }
        return 0
    }

    private static func isWholeObject(_ bytes: [UInt8], isFirst: Bool) -> Bool {
        let mark = SessionLogDecoder.byteOrderMark
        let text = isFirst && bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        guard text.count <= SessionLogDecoder.maximumLineLength else { return false }
        return text.withUnsafeBufferPointer { line in
            var object = JSONObject()
            do throws(LineFault) {
                try object.read(line: line)
                return true
            } catch { return false }
        }
    }

    private static func checkHeader(_ head: [UInt8], _ path: String) throws(SessionLogError) {
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        var rest = head[...]
        while entries.isEmpty, decoder.warnings.isEmpty, !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            try decoder.decode(Array(rest[..<end]), into: &entries)
            rest = rest[end...]
            if rest.isEmpty { try decoder.finish(into: &entries) }
        }
        guard case .header? = entries.first?.content else { throw .notALog(path: path, reason: reason) }
    }

    /// Returns whether bytes without a line feed are the beginning of a header as this package writes it, or the zeros
    /// that a power loss can leave in a new file.
    private static func isCutHeader(_ bytes: [UInt8]) -> Bool {
        let beginning = Array("{\"at\":".utf8)
        guard bytes.count <= maximumHeaderLength else { return false }
        return bytes.allSatisfy { $0 == 0 } || bytes.starts(with: beginning) || beginning.starts(with: bytes)
    }
}
