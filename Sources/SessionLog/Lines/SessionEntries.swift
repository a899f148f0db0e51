package import Foundation

/// Entries in order that can be read repeatedly: a session's log, or some entries in memory.
package protocol SessionEntries: Sendable {
    func forEach(_ body: (SessionEntry) throws -> Void) throws
    /// The last status of each sensor, in the order of first appearance.
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

/// A log in a file, which another process may be writing. It is read in pieces.
package struct LoggedEntries: SessionEntries {
    package var url: URL
    /// The offset of the first line to read.
    package var offset = 0

    package init(url: URL, offset: Int = 0) {
        self.url = url
        self.offset = offset
    }

    /// Passes on the entries in the order of the file. Unreadable lines are left out.
    ///
    /// - Throws: A `FileFault`, `SessionLogError.newerVersion`, and errors of `body`.
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
