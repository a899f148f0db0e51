import Foundation

/// The rows of a text file in sequence. Its memory does not grow with the file.
///
/// It must not be used by two threads. The bytes of a line are valid until the next one is read.
final class TableLines {
    /// Rows of a recording have about a hundred bytes, so this is far more.
    static let longestLine = 1 << 20

    private let bytes: RecordingBytes
    private let lineEnd: UInt8
    private var room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 17)
    /// The bytes in `room` that were read but not returned.
    private var start = 0
    private var end = 0
    private var isOver = false
    /// The last line returned: its number from 1 on, and its offset in the file.
    private(set) var number: Int
    private(set) var byte = 0
    private var nextByte: Int
    /// The number of bytes returned, with the line ends.
    var bytesRead: Int { nextByte }

    /// - Parameter place: The place of the first line to return.
    init(_ bytes: RecordingBytes, lineEnd: UInt8, from place: TableLayout.Place) throws(RecordingError) {
        self.bytes = bytes
        self.lineEnd = lineEnd
        number = place.line - 1
        nextByte = 0
        while nextByte < place.byte {
            if start == end, try !fill() { break }
            let step = min(end - start, place.byte - nextByte)
            start += step
            nextByte += step
        }
    }

    deinit { room.deallocate() }

    /// Returns the next line without its line end, or nil at the end of the file.
    @inline(__always)
    func next() throws(RecordingError) -> UnsafeBufferPointer<UInt8>? {
        var looked = 0
        while true {
            let base = UnsafePointer(room.baseAddress!)
            let from = start + looked
            if let found = memchr(base + from, Int32(lineEnd), end - from) {
                let stop = base.distance(to: found.assumingMemoryBound(to: UInt8.self))
                return handOut(upTo: stop, next: stop + 1)
            }
            looked = end - start
            if looked > Self.longestLine {
                throw .invalid(
                    path: bytes.path, byte: nextByte,
                    reason:
                        "line \(number + 1) has more than \(Self.longestLine) bytes, which no row of a recording has")
            }
            if try !fill() {
                if start == end { return nil }
                return handOut(upTo: end, next: end)
            }
        }
    }

    @inline(__always)
    private func handOut(upTo stop: Int, next: Int) -> UnsafeBufferPointer<UInt8> {
        let line = start
        number += 1
        byte = nextByte
        nextByte += next - start
        start = next
        var count = stop - line
        if count > 0, room[stop - 1] == 0x0D { count -= 1 }
        return UnsafeBufferPointer(start: room.baseAddress! + line, count: count)
    }

    /// Reads more bytes after those that are left. Returns false at the end of the file.
    private func fill() throws(RecordingError) -> Bool {
        if isOver { return false }
        let rest = end - start
        if start > 0, rest > 0 { memmove(room.baseAddress!, room.baseAddress! + start, rest) }
        start = 0
        end = rest
        if end == room.count {
            let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: room.count * 2)
            memcpy(larger.baseAddress!, room.baseAddress!, rest)
            room.deallocate()
            room = larger
        }
        let count = try bytes.read(into: UnsafeMutableBufferPointer(rebasing: room[end...]))
        end += count
        isOver = count == 0
        return count > 0
    }
}
