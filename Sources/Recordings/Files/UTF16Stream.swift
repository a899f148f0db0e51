import SessionLog

/// Converts UTF-16 text, which spreadsheets and Windows programs write, to UTF-8. Other bytes pass unchanged.
///
/// The byte order mark at the start identifies UTF-16. Unpaired surrogates become U+FFFD.
final class UTF16Stream: ByteStream {
    private let stream: any ByteStream
    /// Nil until the first bytes were read.
    private var order: Order?
    /// Bytes ready to be returned, converted if necessary.
    private var ready: ArraySlice<UInt8> = []
    /// An incomplete unit or character at the end of the last piece.
    private var rest: [UInt8] = []
    private var isOver = false

    private enum Order { case plain, big, little }
    private static let pieceSize = 1 << 16

    init(_ stream: any ByteStream) { self.stream = stream }

    /// The size of the text in the file.
    var size: Int { stream.size }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ByteStreamFault) -> Int {
        if order == nil { try begin() }
        while ready.isEmpty {
            if order == .plain { return try stream.read(into: buffer) }
            if isOver { return 0 }
            let piece = try nextPiece()
            isOver = piece.isEmpty
            ready = convert(rest + piece)[...]
        }
        let piece = ready.prefix(buffer.count)
        _ = buffer.update(fromContentsOf: piece)
        ready = ready.dropFirst(piece.count)
        return piece.count
    }

    /// Returns the first bytes without consuming them.
    func start(_ count: Int) throws(ByteStreamFault) -> [UInt8] {
        let bytes = try next(count)
        ready = (bytes + ready)[...]
        return bytes
    }

    private func begin() throws(ByteStreamFault) {
        var first = try nextPiece()
        while first.count == 1, case let more = try nextPiece(), !more.isEmpty { first += more }
        if first.starts(with: [0xFF, 0xFE]) {
            order = .little
        } else if first.starts(with: [0xFE, 0xFF]) {
            order = .big
        } else {
            order = .plain
            ready = first[...]
            return
        }
        ready = convert(Array(first.dropFirst(2)))[...]
    }

    private func nextPiece() throws(ByteStreamFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.pieceSize)
        let count = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(ByteStreamFault) in
            try stream.read(into: buffer)
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Converts the bytes, and keeps an incomplete character for the next call.
    private func convert(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = 0
        func unit(_ at: Int) -> UInt32 {
            let (a, b) = (UInt32(bytes[at]), UInt32(bytes[at + 1]))
            return order == .big ? a << 8 | b : b << 8 | a
        }
        while index + 1 < bytes.count {
            let first = unit(index)
            var scalar = Unicode.Scalar(first)
            var length = 2
            if (0xD800..<0xDC00).contains(first) {
                guard index + 3 < bytes.count || isOver else { break }
                if index + 3 < bytes.count, case let second = unit(index + 2), (0xDC00..<0xE000).contains(second) {
                    scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
                    length = 4
                }
            }
            text.append(contentsOf: (scalar ?? "\u{FFFD}").utf8)
            index += length
        }
        rest = Array(bytes[index...])
        if isOver, !rest.isEmpty {
            text += Array("\u{FFFD}".utf8)
            rest = []
        }
        return text
    }
}
