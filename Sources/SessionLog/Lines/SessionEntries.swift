package import Foundation

/// Entries in order, as often as they are asked for: a session's log, or some of them in memory.
package protocol SessionEntries: Sendable {
    func forEach(_ body: (SessionEntry) throws -> Void) throws
    /// Each sensor as it is at the end, in the order in which they came.
    var sensors: [SensorStatus] { get throws }
}

extension SessionEntries {
    package var sensors: [SensorStatus] {
        get throws {
            var latest = LatestSensors()
            try forEach { if case .sensor(let status) = $0.content { latest.note(status) } }
            return latest.all
        }
    }
}

extension [SessionEntry]: SessionEntries {}

/// A log in a file, which another process may be writing: read in pieces.
package struct LoggedEntries: SessionEntries {
    package var url: URL
    /// The byte at which the first line begins.
    package var offset = 0

    package init(url: URL, offset: Int = 0) {
        self.url = url
        self.offset = offset
    }

    /// Hands over the entries in the order of the file. What cannot be read is left out.
    ///
    /// - Throws: a `FileFault`, `SessionLogError.newerVersion`, and what `body` throws.
    package func forEach(_ body: (SessionEntry) throws -> Void) throws {
        let file = try OpenFile(reading: url.path)
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        var place = offset
        while case let bytes = try file.bytes(at: place, count: 1 << 16), !bytes.isEmpty {
            try decoder.decode(bytes, into: &entries)
            try entries.forEach(body)
            entries.removeAll(keepingCapacity: true)
            place += bytes.count
        }
        try decoder.finish(into: &entries)
        try entries.forEach(body)
    }
}
