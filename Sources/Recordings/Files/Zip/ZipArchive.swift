import Foundation
import GATT
package import SessionLog

/// The list of files in a zip archive, from its central directory.
///
/// The format is PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 and 4.4, with Zip64 (4.3.14, 4.5.3). Split and encrypted
/// archives are not supported.
package struct ZipArchive: Sendable {
    package let file: SharedFile
    package let entries: [ZipEntry]
    private let places: [String: Int]
    /// Entries by the part of the file name that stays if an archiver changes its spaces or its encoding.
    private let similarPlaces: [[UInt8]: Int]

    private static let endSize = 22
    private static let centralHeaderSize = 46
    private static let localHeaderSize = 30
    /// 4.3.6: a comment has at most 65535 bytes.
    private static let commentLimit = 65_535
    /// A directory of a hundred thousand routes takes about ten megabytes; more than this is damage or malice.
    private static let directoryLimit = 64 << 20

    package static func isArchive(startingWith bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
    }

    /// A warning about missing files if the archive was cut off.
    package let damage: RecordingWarning?

    /// - Parameter takesCut: Whether to read the complete files of an archive whose end is missing.
    package init(_ file: SharedFile, takesCut: Bool = false) throws(ByteStreamFault) {
        self.file = file
        var entries: [ZipEntry]
        var damage: RecordingWarning?
        do throws(ByteStreamFault) {
            entries = try Self.listed(file)
        } catch {
            guard takesCut, case .damaged = error else { throw error }
            entries = try CutZipArchive(file).wholeEntries()
            if entries.isEmpty { throw error }
            let read = entries.count == 1 ? "its one whole file was" : "its \(entries.count) whole files were"
            damage = RecordingWarning(
                byte: 0,
                message: "the end of the archive is missing; \(read) read: get the archive again for the rest")
        }
        self.damage = damage
        let contents = entries.filter { !$0.isFolder && $0.size > 0 }
        guard contents.isEmpty || !contents.allSatisfy(\.isEncrypted) else {
            throw .unsupported(path: file.path, reason: "it has a password")
        }
        guard !Self.overlap(entries, in: file) else {
            throw .tooLarge(
                path: file.path, reason: "its files share their bytes, as in an archive made to fill a disk")
        }
        self.entries = entries
        similarPlaces = Dictionary(entries.indices.map { (Self.letters(entries[$0].fileName), $0) }) { first, _ in
            first
        }
        places = Dictionary(entries.indices.map { (entries[$0].name, $0) }) { first, _ in first }
    }

    /// Returns the files in the central directory.
    private static func listed(_ file: SharedFile) throws(ByteStreamFault) -> [ZipEntry] {
        let (start, size) = try Self.directory(file)
        let bytes = LittleEndianBytes(try file.bytes(at: start, count: size))
        guard bytes.count == size else {
            throw .damaged(path: file.path, byte: start, reason: "its list of files is cut off")
        }
        var entries: [ZipEntry] = []
        var offset = 0
        while bytes.count - offset >= Self.centralHeaderSize, bytes.word(offset) == 0x0201_4B50 {
            let nameSize = bytes.half(offset + 28)
            let extraSize = bytes.half(offset + 30)
            let commentSize = bytes.half(offset + 32)
            let name = offset + Self.centralHeaderSize
            let next = name + nameSize + extraSize + commentSize
            guard next <= bytes.count else { break }
            var entry = ZipEntry(
                name: String(decoding: bytes.slice(name, nameSize), as: UTF8.self), flags: bytes.half(offset + 8),
                method: bytes.half(offset + 10), checksum: UInt32(bytes.word(offset + 16)),
                compressedSize: bytes.word(offset + 20), size: bytes.word(offset + 24),
                headerOffset: bytes.word(offset + 42),
                modified: ZipEntry.date(bytes.half(offset + 14), bytes.half(offset + 12)))
            entry.takeZip64(bytes, name + nameSize, extraSize)
            entries.append(entry)
            offset = next
        }
        guard offset == bytes.count else {
            throw .damaged(path: file.path, byte: start + offset, reason: "its list of files is damaged")
        }
        return entries
    }

    /// The files, without the entries that archivers add: folders, and `._` files of macOS.
    package var files: [ZipEntry] {
        entries.filter {
            !$0.isFolder && $0.size > 0 && !$0.fileName.hasPrefix("._") && !$0.name.hasPrefix("__MACOSX/")
        }
    }

    package func entry(named name: String) -> ZipEntry? { places[name].map { entries[$0] } }

    func entry(withFileNameLike name: String) -> ZipEntry? { similarPlaces[Self.letters(name)].map { entries[$0] } }

    private static func letters(_ name: some StringProtocol) -> [UInt8] {
        name.utf8.filter { $0 > 0x20 && $0 < 0x80 }
    }

    /// Returns whether several files share packed bytes (Fifield, "A better zip bomb", 2019). Files with a wrong
    /// position are found when they are opened.
    private static func overlap(_ entries: [ZipEntry], in file: SharedFile) -> Bool {
        let ranges = entries.compactMap { entry -> Range<Int>? in
            let start = entry.headerOffset
            guard start >= 0, start <= file.size, (0...file.size - start).contains(entry.compressedSize) else {
                return nil
            }
            // The name lies in between as well, but the length of the one in the local header is not known yet.
            return start..<start + localHeaderSize + entry.compressedSize
        }.sorted { $0.lowerBound < $1.lowerBound }
        return zip(ranges, ranges.dropFirst()).contains { $0.upperBound > $1.lowerBound }
    }

    package func stream(_ entry: ZipEntry, inputSize: Int = 1 << 16) throws(ByteStreamFault) -> ZipEntryStream {
        try ZipEntryStream(entry, in: file, inputSize: inputSize)
    }

    /// Returns the place of the central directory.
    private static func directory(_ file: SharedFile) throws(ByteStreamFault) -> (start: Int, size: Int) {
        let tailStart = max(0, file.size - commentLimit - endSize)
        let tail = LittleEndianBytes(try file.bytes(at: tailStart, count: file.size - tailStart))
        var end = tail.count - endSize
        // The comment must end with the file. That distinguishes the record from bytes that look like it.
        while end >= 0, tail.word(end) != 0x0605_4B50 || end + endSize + tail.half(end + 20) != tail.count { end -= 1 }
        guard end >= 0 else {
            throw .damaged(
                path: file.path, byte: file.size, reason: "the end of the archive is missing, so it was cut off")
        }
        var size = tail.word(end + 12)
        var start = tail.word(end + 16)
        var parts = tail.half(end + 4)
        if end >= 20, tail.word(end - 20) == 0x0706_4B50 {
            let place = tail.long(end - 12)
            let record = LittleEndianBytes(place >= 0 && place < file.size ? try file.bytes(at: place, count: 56) : [])
            guard record.count == 56, record.word(0) == 0x0606_4B50 else {
                throw .damaged(
                    path: file.path, byte: tailStart + end - 20, reason: "its Zip64 record is not where it should be")
            }
            parts = record.word(16)
            size = record.long(40)
            start = record.long(48)
        }
        guard parts == 0 else {
            throw .unsupported(path: file.path, reason: "it is one part of an archive of several")
        }
        guard start >= 0, size >= 0, start <= file.size, size <= min(file.size - start, directoryLimit) else {
            throw .damaged(
                path: file.path, byte: tailStart + end, reason: "its list of files is not where it should be")
        }
        return (start, size)
    }
}

/// A file of an archive, as the central directory describes it.
package struct ZipEntry: Sendable, Hashable {
    package var name: String
    var flags: Int
    var method: Int
    var checksum: UInt32
    var compressedSize: Int
    package var size: Int
    var headerOffset: Int
    /// The date in this machine's time zone, because archives do not state theirs.
    var modified: Date?

    /// 4.4.6: day and time in MS-DOS format, with a resolution of two seconds.
    static func date(_ day: Int, _ time: Int) -> Date? {
        guard day != 0 else { return nil }
        return Calendar(identifier: .gregorian).date(
            from: DateComponents(
                year: 1980 + (day >> 9), month: (day >> 5) & 15, day: day & 31, hour: time >> 11,
                minute: (time >> 5) & 63,
                second: (time & 31) * 2))
    }

    package var isFolder: Bool { name.hasSuffix("/") }
    /// 4.4.4, bit 0.
    var isEncrypted: Bool { flags & 1 != 0 }

    /// The last component of the name.
    package var fileName: Substring { name.split(separator: "/").last ?? "" }

    /// 4.5.3: reads the sizes and the offset that 32 bits cannot hold, in this order. Each is present only if its field
    /// in the header has all bits set.
    mutating func takeZip64(_ bytes: LittleEndianBytes, _ start: Int, _ size: Int) {
        var offset = start
        while offset + 4 <= start + size {
            let length = bytes.half(offset + 2)
            let end = offset + 4 + length
            guard end <= start + size else { return }
            if bytes.half(offset) == 1 {
                var place = offset + 4
                func next(_ value: inout Int) {
                    guard value == 0xFFFF_FFFF, place + 8 <= end else { return }
                    value = bytes.long(place)
                    place += 8
                }
                next(&self.size)
                next(&compressedSize)
                next(&headerOffset)
            }
            offset = end
        }
    }
}

/// Little-endian numbers in bytes. Bytes after the end read as zero.
struct LittleEndianBytes: Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    func half(_ offset: Int) -> Int { number(offset, UInt16.self) }
    func word(_ offset: Int) -> Int { number(offset, UInt32.self) }
    /// Negative if the number exceeds what an `Int` can hold.
    func long(_ offset: Int) -> Int { number(offset, UInt64.self) }

    func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> { bytes.dropFirst(offset).prefix(count) }

    private func number<Number: FixedWidthInteger>(_ offset: Int, _ kind: Number.Type) -> Int {
        guard offset >= 0, offset + Number.bitWidth / 8 <= bytes.count else { return 0 }
        return Int(truncatingIfNeeded: Number(littleEndian: bytes.span, at: offset))
    }
}
