import CZlib
package import SessionLog

/// The content of a file in an archive, unpacked while it is read and checked at its end.
package final class ZipEntryStream: ByteStream {
    private let file: SharedFile
    private let entry: ZipEntry
    /// The end of the packed bytes in the archive.
    private let end: Int
    private var offset: Int
    private var unpacked = 0
    private var checksum = crc32(0, nil, 0)
    private var isChecked = false

    /// Exports shrink to 1/30 and routes to 1/6. Records that differ only in their minute shrink to 1/60.
    private static let largestRatio = 250
    /// The unpacked size that is allowed at any ratio.
    private static let harmlessSize = 16 << 20

    private let input: UnsafeMutableBufferPointer<UInt8>
    /// zlib keeps the address of its stream, so the stream must not move.
    private let inflater: UnsafeMutablePointer<z_stream>?

    init(_ entry: ZipEntry, in file: SharedFile, inputSize: Int) throws(ByteStreamFault) {
        guard !entry.isEncrypted else {
            throw .unsupported(path: file.path, reason: "\(entry.name) in it is encrypted")
        }
        guard entry.method == 0 || entry.method == 8 else {
            throw .unsupported(
                path: file.path,
                reason: "\(entry.name) in it is packed by method \(entry.method), which is not known here")
        }
        // The local header gives the start of the data. Its other values may be zero, with the true ones after the
        // data, but the central directory always has them (APPNOTE.TXT, 4.4.4, bit 3).
        let inFile = entry.headerOffset >= 0 && entry.headerOffset < file.size
        let header = LittleEndianBytes(inFile ? try file.bytes(at: entry.headerOffset, count: 30) : [])
        guard header.count == 30, header.word(0) == 0x0403_4B50 else {
            throw .damaged(
                path: file.path, byte: entry.headerOffset, reason: "\(entry.name) is not where the list of files says"
            )
        }
        offset = entry.headerOffset + 30 + header.half(26) + header.half(28)
        guard entry.compressedSize >= 0, entry.size >= 0, offset <= file.size,
            entry.compressedSize <= file.size - offset
        else {
            throw .damaged(path: file.path, byte: entry.headerOffset, reason: "\(entry.name) is cut off")
        }
        let (most, isMore) = entry.compressedSize.multipliedReportingOverflow(by: Self.largestRatio)
        guard entry.size <= Self.harmlessSize || isMore || entry.size <= most else {
            throw .tooLarge(
                path: file.path,
                reason: "\(entry.name) in it is more than \(Self.largestRatio) times as large as its packed bytes "
                    + "(\(entry.size) for \(entry.compressedSize))")
        }
        end = offset + entry.compressedSize
        self.file = file
        self.entry = entry
        if entry.method == 8 {
            let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
            stream.initialize(to: z_stream())
            // A negative value means that the bytes have no zlib header.
            guard inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
                stream.deallocate()
                throw .unsupported(path: file.path, reason: "zlib has no memory to unpack \(entry.name)")
            }
            inflater = stream
        } else {
            inflater = nil
        }
        input = .allocate(capacity: inputSize)
    }

    deinit {
        if let inflater {
            inflateEnd(inflater)
            inflater.deallocate()
        }
        input.deallocate()
    }

    package var size: Int { entry.size }

    package func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ByteStreamFault) -> Int {
        if buffer.isEmpty || isChecked { return 0 }
        let count: Int
        if let inflater { count = try inflate(inflater, into: buffer) } else { count = try copy(into: buffer) }
        checksum = crc32(checksum, buffer.baseAddress, UInt32(count))
        unpacked += count
        guard unpacked <= entry.size else { throw damaged("\(entry.name) is longer than the list of files says") }
        if count == 0 {
            isChecked = true
            guard unpacked == entry.size else {
                throw damaged("\(entry.name) is shorter than the list of files says")
            }
            guard UInt32(truncatingIfNeeded: checksum) == entry.checksum else {
                throw damaged("\(entry.name) has a wrong checksum")
            }
        }
        return count
    }

    private func copy(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ByteStreamFault) -> Int {
        let count = try file.read(
            into: UnsafeMutableBufferPointer(rebasing: buffer[..<min(buffer.count, end - offset)]), at: offset)
        offset += count
        return count
    }

    /// Fills the buffer, or less at the end of the data.
    private func inflate(
        _ inflater: UnsafeMutablePointer<z_stream>, into buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(ByteStreamFault) -> Int {
        let room = min(buffer.count, 1 << 30)
        inflater.pointee.next_out = buffer.baseAddress
        inflater.pointee.avail_out = UInt32(room)
        while inflater.pointee.avail_out > 0 {
            if inflater.pointee.avail_in == 0, offset < end {
                let count = try file.read(
                    into: UnsafeMutableBufferPointer(rebasing: input[..<min(input.count, end - offset)]), at: offset)
                guard count > 0 else { throw damaged("the archive became shorter while it was read") }
                offset += count
                inflater.pointee.next_in = input.baseAddress
                inflater.pointee.avail_in = UInt32(count)
            }
            let result = CZlib.inflate(inflater, Z_NO_FLUSH)
            if result == Z_STREAM_END { break }
            guard result == Z_OK else {
                throw damaged(
                    result == Z_BUF_ERROR ? "\(entry.name) ends too early" : "\(entry.name) cannot be unpacked")
            }
        }
        return room - Int(inflater.pointee.avail_out)
    }

    private func damaged(_ reason: String) -> ByteStreamFault {
        .damaged(path: file.path, byte: offset - Int(inflater?.pointee.avail_in ?? 0), reason: reason)
    }
}
