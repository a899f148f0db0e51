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

/// A log in a file that is nobody's, or somebody else's: read piece by piece.
package struct LoggedEntries: SessionEntries {
    package var url: URL
    /// Of the first line.
    package var offset = 0

    package init(url: URL, offset: Int = 0) {
        self.url = url
        self.offset = offset
    }

    package func forEach(_ body: (SessionEntry) throws -> Void) throws {
        try SessionLogFile.forEachEntry(of: url, from: offset, body)
    }
}
