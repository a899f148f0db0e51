import CZlib
import SessionLog

/// Unpacks a gzip file (RFC 1952) while it is read, member by member, and checks each member at its end.
final class Gunzip {
    static let mark: [UInt8] = [0x1F, 0x8B]

    enum Failure: Error {
        /// The packed bytes could not be read.
        case unreadable(ByteStreamFault)
        /// The packed bytes are invalid. `left` is the number of bytes read but not used.
        case damaged(String, left: Int)
    }

    /// zlib keeps the address of its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
    private var isBetweenMembers = false
    private var isOver = false

    /// Returns nil if there is not enough memory.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Adding 16 makes zlib expect the header and checksum of gzip around the bytes.
        guard inflateInit2_(stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            input.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// Fills the buffer, or less at the end of the data; returns 0 only at the end. `more` reads the next packed bytes.
    func read(
        into buffer: UnsafeMutableBufferPointer<UInt8>,
        from more: (UnsafeMutableBufferPointer<UInt8>) throws(ByteStreamFault) -> Int
    ) throws(Failure) -> Int {
        let room = min(buffer.count, 1 << 30)
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(room)
        while stream.pointee.avail_out > 0, !isOver {
            if stream.pointee.avail_in == 0 { try refill(more) }
            if isBetweenMembers, !beginMember() { break }
            let result = inflate(stream, Z_NO_FLUSH)
            if result == Z_STREAM_END {
                isBetweenMembers = true
            } else if result != Z_OK {
                // Return what was unpacked; the next call throws the error.
                if stream.pointee.avail_out < UInt32(room) { break }
                throw .damaged(
                    result == Z_BUF_ERROR ? "the packed file is cut off" : "the packed file cannot be unpacked further",
                    left: Int(stream.pointee.avail_in))
            }
        }
        return room - Int(stream.pointee.avail_out)
    }

    private func refill(
        _ more: (UnsafeMutableBufferPointer<UInt8>) throws(ByteStreamFault) -> Int
    ) throws(Failure) {
        let count: Int
        do throws(ByteStreamFault) { count = try more(input) } catch { throw .unreadable(error) }
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(count)
    }

    /// Begins the next member and returns true, or returns false if none follows. Other bytes after the last member are
    /// ignored, as gunzip does (tapes are filled up with zeros).
    private func beginMember() -> Bool {
        guard stream.pointee.avail_in > 0, stream.pointee.next_in?.pointee == Self.mark[0] else {
            isOver = true
            return false
        }
        inflateReset(stream)
        isBetweenMembers = false
        return true
    }
}
