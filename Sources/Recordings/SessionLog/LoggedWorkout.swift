package import Foundation

/// The entries of one workout of a log, brought into the form that a recording has: a header, then everything in order
/// of time, from `running` to `stopped` or `ended`.
struct LoggedWorkout {
    private(set) var entries: [SessionEntry]
    /// What the log lacked and was given.
    private(set) var gaps: [String] = []

    /// `logged` is not empty; only its first entry may be a header.
    init(_ logged: ArraySlice<SessionEntry>) {
        entries = Array(logged)
        addHeader()
        sort()
        addEnds()
    }

    private mutating func addHeader() {
        guard let first = entries.first, !first.isHeader else { return }
        let date = entries.lazy.map(\.date).min() ?? first.date
        let header = SessionHeader(id: .ofUnnamedWorkout, activity: ActivityDescription())
        entries.insert(SessionEntry(date, .header(header)), at: 0)
        gaps.append("the log has no header; the workout's activity is taken to be “other”")
    }

    /// Logs are in order but for readings that came late. The header stays first whatever its date.
    private mutating func sort() {
        let rest = entries.dropFirst()
        if zip(rest, rest.dropFirst()).allSatisfy({ $0.date <= $1.date }) { return }
        let sorted = rest.enumerated().sorted {
            ($0.element.date, $0.offset) < ($1.element.date, $1.offset)
        }
        entries.replaceSubrange(1..., with: sorted.map(\.element))
    }

    private mutating func addEnds() {
        guard let first = entries.first(where: \.isReading), let last = entries.last else { return }
        if !entries.contains(where: \.isBeginning) {
            entries.insert(SessionEntry(first.date, .state(.running)), at: 1)
            gaps.append("the log does not say when the workout began; its first reading is taken for that")
        }
        if !entries.contains(where: \.isEnd) {
            entries.append(SessionEntry(last.date, .state(.stopped)))
            gaps.append("the log does not say when the workout ended; its last entry is taken for that")
        }
    }

    /// Whether the entries have that form already, as nearly all logs do; in one pass.
    static func isComplete(_ logged: ArraySlice<SessionEntry>) -> Bool {
        guard let first = logged.first, first.isHeader else { return false }
        var latest = -Double.infinity
        var hasReading = false
        var hasBeginning = false
        var hasEnd = false
        for entry in logged.dropFirst() {
            let seconds = entry.date.timeIntervalSinceReferenceDate
            if seconds < latest { return false }
            latest = seconds
            if entry.isReading {
                hasReading = true
            } else {
                hasBeginning = hasBeginning || entry.isBeginning
                hasEnd = hasEnd || entry.isEnd
            }
        }
        return !hasReading || hasBeginning && hasEnd
    }
}

extension UUID {
    /// In the header of a log that has none: the nil UUID of RFC 9562. The same log is the same recording, whenever it is
    /// read.
    package static let ofUnnamedWorkout = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

extension SessionEntry {
    var isHeader: Bool {
        if case .header = content { true } else { false }
    }

    fileprivate var isBeginning: Bool {
        if case .state(.running) = content { true } else { false }
    }

    fileprivate var isEnd: Bool {
        switch content {
        case .state(.stopped), .state(.ended): true
        default: false
        }
    }

    fileprivate var isReading: Bool {
        switch content {
        case .header, .state, .collection, .metadata, .routeDiscarded, .companion, .clockSet: false
        case .activityBegan, .activityEnded, .activityMetadata, .quantity, .beats, .position, .category, .event,
            .sensor, .notification,
            .object, .wearer, .remoteData:
            true
        }
    }
}
