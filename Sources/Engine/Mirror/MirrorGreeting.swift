package import Foundation
package import SessionLog

/// The greeting of a channel: the data that a companion needs before the first entry.
package struct MirrorGreeting: Sendable, Equatable, Codable {
    /// The version of the entries on a channel: session log lines in one direction, requests as session log lines in the other.
    package static let currentVersion = 1

    var version = currentVersion
    package var session: UUID
    /// The first line of the log: the workout and its configuration.
    var header: String
    /// The number of entries in the log. A companion with all of them has caught up.
    package var count: UInt64
    /// The primary's session time.
    package var now: Date
    /// The speed of session time in a replay. 0 if it jumps. Nil for a live workout.
    var speed: Double?
    /// By fingerprint, the entry up to which a machine has handled the log. Earlier data was already received.
    var acknowledged: [String: UInt64] = [:]

    package var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        return (try? encoder.encode(self)).map(Array.init) ?? []
    }

    /// Returns nil if this version can't read it.
    package init?(_ bytes: [UInt8]) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        guard let greeting = try? decoder.decode(Self.self, from: Data(bytes)),
            greeting.version == Self.currentVersion, greeting.parsedHeader?.id == greeting.session
        else { return nil }
        self = greeting
    }

    init(
        session: UUID, header: String, count: UInt64, now: Date, pace: SessionTimeline.Pace,
        acknowledged: [String: UInt64]
    ) {
        self.session = session
        self.header = header
        self.count = count
        self.now = now
        self.acknowledged = acknowledged
        switch pace {
        case .wall: speed = nil
        case .times(let factor): speed = factor
        case .jumping: speed = 0
        }
    }

    package var pace: SessionTimeline.Pace {
        switch speed {
        case nil: .wall
        case let speed? where speed > 0: .times(speed)
        default: .jumping
        }
    }

    package var parsedHeader: SessionHeader? {
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        guard (try? decoder.decode(Array(header.utf8), into: &entries)) != nil,
            case .header(let header)? = entries.first?.content
        else { return nil }
        return header
    }
}
