import CZlib
import SessionLog

/// Finds the complete files in an archive whose end, with the list of files, is missing. It uses the header before each
/// file (APPNOTE.TXT 6.3.10, sections 4.3.7 and 4.3.9).
struct CutZipArchive {
    private let file: SharedFile
    private static let headerSize = 30
    /// The most entries to search for.
    private static let mostEntries = 1 << 20
    /// The limit for a file whose packed size is unknown. A larger file is malicious.
    private static let largestSize = 1 << 30

    init(_ file: SharedFile) { self.file = file }

    /// Returns the files that are complete, up to the first that is not.
    func wholeEntries() throws(ByteStreamFault) -> [ZipEntry] {
        var entries: [ZipEntry] = []
        var offset = 0
        while entries.count < Self.mostEntries, let (entry, end) = try entry(at: offset) {
            entries.append(entry)
            offset = end
        }
        return entries
    }

    private func entry(at start: Int) throws(ByteStreamFault) -> (ZipEntry, end: Int)? {
        guard start + Self.headerSize <= file.size else { return nil }
        let header = LittleEndianBytes(try file.bytes(at: start, count: Self.headerSize))
        guard header.count == Self.headerSize, header.word(0) == 0x0403_4B50 else { return nil }
        let (nameSize, extraSize) = (header.half(26), header.half(28))
        let rest = try file.bytes(at: start + Self.headerSize, count: nameSize + extraSize)
        guard rest.count == nameSize + extraSize else { return nil }
        var entry = ZipEntry(
            name: String(decoding: rest.prefix(nameSize), as: UTF8.self), flags: header.half(6),
            method: header.half(8), checksum: UInt32(header.word(14)), compressedSize: header.word(18),
            size: header.word(22), headerOffset: start, modified: ZipEntry.date(header.half(12), header.half(10)))
        entry.takeZip64(LittleEndianBytes(rest), nameSize, extraSize)
        let data = start + Self.headerSize + nameSize + extraSize
        if entry.flags & 8 == 0 || entry.compressedSize > 0 {
            let (end, isTooFar) = data.addingReportingOverflow(entry.compressedSize)
            guard entry.compressedSize >= 0, !isTooFar, end <= file.size else { return nil }
            guard entry.flags & 8 != 0 else { return (entry, end) }
            return (entry, end + (try descriptorSize(at: end) ?? 0))
        }
        // Sizes and checksum come after the data, whose end only unpacking finds.
        guard entry.method == 8, let end = try unpack(&entry, at: data), let more = try descriptorSize(at: end) else {
            return nil
        }
        return (entry, end + more)
    }

    /// Returns the size of the data descriptor, with or without its signature. Nil if neither another file nor the list
    /// of files follows.
    private func descriptorSize(at end: Int) throws(ByteStreamFault) -> Int? {
        let bytes = LittleEndianBytes(try file.bytes(at: end, count: min(28, max(0, file.size - end))))
        for size in [16, 12, 24, 20] {
            let next = bytes.word(size)
            let isMarked = size % 8 == 0
            guard isMarked == (bytes.word(0) == 0x0807_4B50), bytes.count >= size else { continue }
            if end + size == file.size || next == 0x0403_4B50 || next == 0x0201_4B50 { return size }
            // The next header is cut off.
            if bytes.count < size + 4 { return size }
        }
        return nil
    }

    /// Adds the values that the header lacks, and returns where the packed bytes end. Nil if they are cut off.
    private func unpack(_ entry: inout ZipEntry, at start: Int) throws(ByteStreamFault) -> Int? {
        var stream = z_stream()
        guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
        let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 17)
        defer {
            input.deallocate()
            output.deallocate()
        }
        var offset = start
        var checksum = crc32(0, nil, 0)
        entry.size = 0
        while entry.size <= Self.largestSize {
            if stream.avail_in == 0 {
                let count = try file.read(into: input, at: offset)
                guard count > 0 else { return nil }
                offset += count
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(count)
            }
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            let result = inflate(&stream, Z_NO_FLUSH)
            guard result == Z_OK || result == Z_STREAM_END else { return nil }
            let count = output.count - Int(stream.avail_out)
            checksum = crc32(checksum, output.baseAddress, UInt32(count))
            entry.size += count
            guard result == Z_STREAM_END else { continue }
            let end = offset - Int(stream.avail_in)
            entry.compressedSize = end - start
            entry.checksum = UInt32(truncatingIfNeeded: checksum)
            return end
        }
        return nil
    }
}
