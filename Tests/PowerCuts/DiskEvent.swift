package import Foundation

/// An operation of a process on its disk, as `DiskRecorder` records it.
package enum DiskEvent: Equatable {
    /// A new file, or a new folder, at a path.
    case made(String, inode: UInt64, isFolder: Bool)
    case write(inode: UInt64, offset: Int, [UInt8])
    case cut(inode: UInt64, size: Int)
    /// `fsync` of a file or a folder.
    case sync(inode: UInt64)
    case rename(String, to: String)
    case link(String, to: String)
    case remove(String)
    /// Everything before this has been acknowledged.
    case acknowledged

    package static func all(in recording: URL) throws -> [DiskEvent] {
        let bytes = try Data(contentsOf: recording)
        var events: [DiskEvent] = []
        var place = bytes.startIndex
        func take(_ count: Int) -> Data {
            defer { place += count }
            return bytes[place..<place + count]
        }
        func word<Word: FixedWidthInteger>(_ type: Word.Type) -> Word {
            take(MemoryLayout<Word>.size).withUnsafeBytes { Word(littleEndian: $0.loadUnaligned(as: Word.self)) }
        }
        while place < bytes.endIndex {
            let kind = UnicodeScalar(UInt8(truncatingIfNeeded: word(UInt32.self)))
            let lengths = (0..<3).map { _ in Int(word(UInt32.self)) }
            let inode = word(UInt64.self)
            let offset = Int(word(Int64.self))
            let first = String(decoding: take(lengths[0]), as: UTF8.self)
            let second = String(decoding: take(lengths[1]), as: UTF8.self)
            let data = [UInt8](take(lengths[2]))
            switch kind {
            case "C": events.append(.made(first, inode: inode, isFolder: false))
            case "M": events.append(.made(first, inode: inode, isFolder: true))
            case "W": events.append(.write(inode: inode, offset: offset, data))
            case "T": events.append(.cut(inode: inode, size: offset))
            case "S": events.append(.sync(inode: inode))
            case "R": events.append(.rename(first, to: second))
            case "L": events.append(.link(first, to: second))
            case "U": events.append(.remove(first))
            default: events.append(.acknowledged)
            }
        }
        return events
    }
}
