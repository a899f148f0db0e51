import Foundation

/// Converts the bytes of a session log to entries, as they arrive.
///
/// Bytes may be cut anywhere. An unreadable line is left out with a warning, and so is a last line that is cut off.
/// Reading only ends at a newer version of the format, because the meaning of its lines is unknown.
///
/// It accepts more than the encoder writes: a byte order mark, `CR LF`, empty lines, space and any order of keys within
/// a line, unknown keys, `null` for an absent key, the last of several equal keys, a last line without a line feed.
/// Lines of an unknown kind are left out with a warning. The article <doc:LogFormat> describes the format.
public struct SessionLogDecoder: Sendable {
    /// The longest line that is read or written, in bytes without its line feed. Longer ones are left out with a
    /// warning, and never held in memory.
    public static let maximumLineLength = 1 << 20
    /// The most warnings that are kept. The last one then counts the others.
    public static let maximumWarnings = 100

    private var collected: [RecordingWarning] = []
    private var unlisted = 0
    private var reader = SessionLineReader()
    /// The beginning of a line whose end has not arrived.
    private var held: [UInt8] = []
    /// Whether the rest of a line that is too long is being skipped.
    private var isPassing = false
    private var lineStart = 0
    private var line = 1
    private var refusal: SessionLogError?

    /// Creates a decoder at the beginning of a log.
    public init() {}

    /// Warnings about the lines so far. `byte` is the beginning of the line.
    public var warnings: [RecordingWarning] {
        guard unlisted > 0, let last = collected.last else { return collected }
        return collected + [RecordingWarning(byte: last.byte, message: "\(unlisted) more lines could not be read")]
    }

    /// Reads the bytes after those of the previous call, and appends the entries of complete lines.
    ///
    /// - Throws: `newerVersion`, now and at every later call.
    public mutating func decode(_ bytes: [UInt8], into entries: inout [SessionEntry]) throws(SessionLogError) {
        try decode(bytes.span.bytes, into: &entries)
    }

    /// Reads the bytes after those of the previous call, and appends the entries of complete lines.
    ///
    /// - Throws: `newerVersion`, now and at every later call.
    public mutating func decode(_ bytes: RawSpan, into entries: inout [SessionEntry]) throws(SessionLogError) {
        if let refusal { throw refusal }
        var object = JSONObject()
        try bytes.withUnsafeBytes { (raw) throws(SessionLogError) in
            try take(raw.bindMemory(to: UInt8.self), &object, &entries)
        }
    }

    /// Reads a last line without a line feed. It counts if it is complete; if it is cut off, there is a warning.
    ///
    /// - Throws: `newerVersion`.
    public mutating func finish(into entries: inout [SessionEntry]) throws(SessionLogError) {
        if let refusal { throw refusal }
        var object = JSONObject()
        try takeHeld(&object, &entries, isLast: true)
    }

    private mutating func take(
        _ bytes: UnsafeBufferPointer<UInt8>, _ object: inout JSONObject, _ entries: inout [SessionEntry]
    ) throws(SessionLogError) {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            guard let end = memchr(start, 0x0A, rest.count) else { return hold(rest) }
            let count = UnsafeRawPointer(end) - UnsafeRawPointer(start)
            let piece = UnsafeBufferPointer(start: start, count: count)
            let length = held.count + count
            if isPassing {
                isPassing = false
                lineStart += count + 1
            } else if held.isEmpty && count <= Self.maximumLineLength {
                try take(line: piece, &object, &entries, isLast: false)
                lineStart += count + 1
            } else {
                hold(piece)
                if isPassing {
                    isPassing = false
                    lineStart += 1
                } else {
                    try takeHeld(&object, &entries, isLast: false)
                    lineStart += length + 1
                }
            }
            line += 1
            rest = UnsafeBufferPointer(rebasing: rest[(count + 1)...])
        }
    }

    /// Keeps the beginning of a line, or skips it if it is too long.
    private mutating func hold(_ piece: UnsafeBufferPointer<UInt8>) {
        if !isPassing && held.count + piece.count > Self.maximumLineLength {
            warn("line \(line) is longer than \(Self.maximumLineLength) bytes; it is left out")
            isPassing = true
            lineStart += held.count
            held = []
        }
        if isPassing { lineStart += piece.count } else { held.append(contentsOf: piece) }
    }

    private mutating func takeHeld(
        _ object: inout JSONObject, _ entries: inout [SessionEntry], isLast: Bool
    ) throws(SessionLogError) {
        var bytes: [UInt8] = []
        swap(&bytes, &held)
        try bytes.withUnsafeBufferPointer { (line) throws(SessionLogError) in
            try take(line: line, &object, &entries, isLast: isLast)
        }
        bytes.removeAll(keepingCapacity: true)
        swap(&bytes, &held)
    }

    private mutating func take(
        line bytes: UnsafeBufferPointer<UInt8>, _ object: inout JSONObject, _ entries: inout [SessionEntry],
        isLast: Bool
    ) throws(SessionLogError) {
        var bytes = bytes
        var skipped = 0
        if line == 1 && bytes.starts(with: Self.byteOrderMark) {
            skipped = Self.byteOrderMark.count
            bytes = UnsafeBufferPointer(rebasing: bytes[skipped...])
        }
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
        do throws(LineFault) {
            if let entry = try reader.entry(bytes, members: &object) {
                entries.append(entry)
            } else {
                warn("line \(line) has nothing that this version knows; it is skipped")
            }
        } catch {
            if let version = error.newerVersion {
                let refusal = SessionLogError.newerVersion(version, line: line, byte: lineStart)
                self.refusal = refusal
                throw refusal
            }
            let byte = lineStart + skipped + error.offset
            if isLast && error.offset >= bytes.count {
                warn("the last line, \(line), is cut off after byte \(byte); it is left out")
            } else {
                warn("line \(line) is left out: \(error.message) (byte \(byte))")
            }
        }
    }

    private mutating func warn(_ message: String) {
        if collected.count < Self.maximumWarnings - 1 {
            collected.append(RecordingWarning(byte: lineStart, message: message))
        } else {
            unlisted += 1
        }
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
