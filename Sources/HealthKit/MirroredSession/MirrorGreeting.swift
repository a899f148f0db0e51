import Recordings

/// The compact start: what a machine that joins has to know before the first entry.
package struct MirrorGreeting: Sendable, Equatable, Codable {
    /// Of what crosses a channel: session log lines one way, session log lines that are wishes the other.
    package static let currentVersion = 1

    var version = currentVersion
    package var session: UUID
    /// The first line of the log: the workout and its configuration.
    var header: String
    /// How many entries the log has: with these, whoever joins is where the primary is.
    package var count: UInt64
    /// The primary's session time.
    var now: Date
    /// How much faster session time runs than the clock in a replay; 0 where it jumps; nil for a workout of this world.
    var speed: Double?
    /// By fingerprint, up to which entry a machine has handled the log before: data up to there has had its receiver.
    var acknowledged: [String: UInt64] = [:]

    package var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        return (try? encoder.encode(self)).map(Array.init) ?? []
    }

    /// Nil for what this version does not understand.
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

    var pace: SessionTimeline.Pace {
        switch speed {
        case nil: .wall
        case let speed? where speed > 0: .times(speed)
        default: .jumping
        }
    }

    var parsedHeader: SessionHeader? {
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        guard (try? decoder.decode(Array(header.utf8), into: &entries)) != nil,
            case .header(let header)? = entries.first?.content
        else { return nil }
        return header
    }
}
