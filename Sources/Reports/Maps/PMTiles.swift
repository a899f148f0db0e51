package import Foundation
import HealthData
import Recordings
import SessionLog

/// A file of map tiles in the format PMTiles, version 3 (github.com/protomaps/PMTiles).
package struct PMTiles: Sendable {
    package let zooms: ClosedRange<Int>
    /// The map's authors, as in the file. May contain HTML.
    package let attribution: String
    private let file: SharedFile
    private let header: Header

    /// The parts of the file in bytes, and their compression.
    private struct Header: Sendable {
        static let length = 127

        var root: Range<Int>
        var leaves: Range<Int>
        var tiles: Range<Int>
        var metadata: Range<Int>
        var isPacked: Bool

        /// Returns nil if a part is not in the file.
        init?(_ bytes: [UInt8], size: Int) {
            func part(_ offset: Int) -> Range<Int>? {
                func number(_ at: Int) -> Int? {
                    Int(exactly: (0..<8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[at + $1]) })
                }
                guard let start = number(offset), let length = number(offset + 8), start <= size,
                    length <= size - start
                else { return nil }
                return start..<start + length
            }
            guard bytes.count == Self.length, let root = part(8), let metadata = part(24), let leaves = part(40),
                let tiles = part(56)
            else { return nil }
            (self.root, self.metadata, self.leaves, self.tiles) = (root, metadata, leaves, tiles)
            isPacked = bytes[97] == 2
        }
    }

    static let mark = Array("PMTiles".utf8)

    private struct Entry {
        var tile: Int
        var run: Int
        var length: Int
        var offset: Int
    }

    /// The maximum size of an unpacked directory or of the metadata, far more than any file has.
    private static let mostBytes = 64 << 20
    private static let mostDepth = 4

    /// - Throws: ``HKError/Code/errorInvalidArgument`` if the file has another format, is damaged, or contains vectors
    ///   instead of pictures.
    package init(_ url: URL) throws {
        do {
            file = try SharedFile(url.path)
            let bytes = try file.bytes(at: 0, count: Header.length)
            guard bytes.starts(with: Self.mark), bytes.count == Header.length, bytes[7] == 3 else {
                throw Self.fault(url, "it is not a PMTiles file of version 3")
            }
            guard bytes[99] != 1 else {
                throw Self.fault(url, "it contains vector tiles: use a file with PNG, JPEG or WebP tiles")
            }
            guard [1, 2].contains(bytes[97]), bytes[98] <= 1 else {
                throw Self.fault(url, "it is packed in a way that this program does not read; gzip works")
            }
            guard let header = Header(bytes, size: file.size), bytes[100] <= bytes[101], bytes[101] <= 30 else {
                throw Self.fault(url, "it is damaged")
            }
            self.header = header
            zooms = Int(bytes[100])...Int(bytes[101])
        } catch let error as ByteStreamFault {
            throw Self.fault(url, "\(error)")
        }
        struct Metadata: Decodable { var attribution: String? }
        let metadata = try? Self.content(of: header.metadata, in: file, isPacked: header.isPacked)
        attribution =
            metadata.flatMap { try? JSONDecoder().decode(Metadata.self, from: Data($0)) }?.attribution ?? ""
    }

    /// Returns the picture of a tile. Returns nil if there is none or a directory is invalid.
    func tile(_ place: MapTiles.Place) throws -> Data? {
        let wanted = Self.identity(of: place)
        var directory = header.root
        for _ in 0..<Self.mostDepth {
            let bytes = try Self.content(of: directory, in: file, isPacked: header.isPacked)
            guard let entry = Self.entries(bytes).last(where: { $0.tile <= wanted }) else { return nil }
            let part = entry.run == 0 ? header.leaves : header.tiles
            guard entry.offset <= part.count, entry.length <= part.count - entry.offset else { return nil }
            let start = part.lowerBound + entry.offset
            if entry.run == 0 {
                directory = start..<start + entry.length
            } else {
                guard wanted < entry.tile + entry.run else { return nil }
                return Data(try file.bytes(at: start, count: entry.length))
            }
        }
        return nil
    }

    private static func content(of part: Range<Int>, in file: SharedFile, isPacked: Bool) throws -> [UInt8] {
        guard part.count <= mostBytes else { return [] }
        let bytes = try file.bytes(at: part.lowerBound, count: part.count)
        return isPacked ? gunzipped(bytes, most: mostBytes) ?? [] : bytes
    }

    /// Returns the entries of a directory in order, up to the first that is cut off or invalid.
    private static func entries(_ bytes: [UInt8]) -> [Entry] {
        var rest = bytes[...]
        func number() -> Int? {
            var value: UInt64 = 0
            for shift in stride(from: 0, to: 63, by: 7) {
                guard let byte = rest.popFirst() else { return nil }
                value |= UInt64(byte & 127) << UInt64(shift)
                if byte < 128 { return Int(exactly: value).flatMap { $0 <= 1 << 48 ? $0 : nil } }
            }
            return nil
        }
        // Each entry has four numbers of at least a byte.
        guard let count = number(), count <= bytes.count / 4 else { return [] }
        var entries: [Entry] = []
        var tile = 0
        for _ in 0..<count {
            guard let step = number() else { return [] }
            tile += step
            entries.append(Entry(tile: tile, run: 0, length: 0, offset: 0))
        }
        for index in entries.indices {
            guard let run = number() else { return [] }
            entries[index].run = run
        }
        for index in entries.indices {
            guard let length = number() else { return [] }
            entries[index].length = length
        }
        for index in entries.indices {
            guard let offset = number() else { return [] }
            if offset > 0 {
                entries[index].offset = offset - 1
            } else if index > 0 {
                entries[index].offset = entries[index - 1].offset + entries[index - 1].length
            }
        }
        return entries
    }

    /// Returns the position of a tile along the Hilbert curves of all zooms, one after the other.
    static func identity(of place: MapTiles.Place) -> Int {
        let before = ((1 << (2 * place.zoom)) - 1) / 3
        var (x, y, along) = (place.column, place.row, 0)
        var side = (1 << place.zoom) >> 1
        while side > 0 {
            let (right, down) = (x & side > 0 ? 1 : 0, y & side > 0 ? 1 : 0)
            along += side * side * ((3 * right) ^ down)
            // Each quarter of the curve is turned so that its ends meet.
            if down == 0 {
                if right == 1 { (x, y) = (side - 1 - (x & (side - 1)), side - 1 - (y & (side - 1))) }
                (x, y) = (y, x)
            }
            side >>= 1
        }
        return before + along
    }

    private static func fault(_ url: URL, _ reason: String) -> HKError {
        HKError.make(.errorInvalidArgument, "\(url.path) cannot be used as a map: \(reason).")
    }
}
