import Foundation
import GATT
import SessionLog

/// One workout of a log in the form of a recording: a header, then everything in order of time, from `running` to
/// `stopped` or `ended`.
///
/// The log is read twice. The first pass notes what is out of order and what is missing. The second pass returns the
/// entries; only those that came late are held in memory.
struct LoggedWorkout: Sendable {
    /// The index of the first entry in the log, and the number of entries.
    private let place: Int
    private var count = 0
    private var summary = SessionLogSummary()
    private var order = LogOrder()
    /// The late entries in the order of their dates.
    private var late: [LateEntry] = []
    /// The header of the log, or one made for it.
    private var header: SessionEntry?
    private var hasHeader = false
    /// Facts that the log states. Missing ones are added at the end.
    private(set) var facts = Recording.Facts()
    private var hasBeginning = false
    private var hasEnd = false
    private var earliest = Date.distantFuture
    private var firstReading: (date: Date, place: Int)?

    private struct LateEntry {
        var place: Int
        var entry: SessionEntry
    }

    /// Creates a workout that begins with the log's entry at index `place`.
    init(at place: Int) { self.place = place }

    // MARK: The first time

    /// Notes the next entry. Only the first one may be a header.
    mutating func take(_ logged: SessionEntry) {
        summary.add(logged)
        let place = count
        count += 1
        if logged.isHeader {
            header = logged
            hasHeader = true
            return
        }
        earliest = min(earliest, logged.date)
        var entry = logged
        let isLate = order.isLate(&entry)
        if isLate { late.append(LateEntry(place: place, entry: entry)) }
        if entry.isReading, firstReading.map({ (entry.date, place) < $0 }) ?? true {
            firstReading = (entry.date, place)
        }
        hasBeginning = hasBeginning || entry.isBeginning
        hasEnd = hasEnd || entry.isEnd
        facts.take(entry)
    }

    /// Completes the notes after the last entry and returns the summary.
    mutating func finish() -> RecordingSummary {
        late.sort { ($0.entry.date, $0.place) < ($1.entry.date, $1.place) }
        if header == nil {
            header = SessionEntry(
                earliest, .header(SessionHeader(id: .ofUnnamedWorkout, activity: ActivityDescription())))
        }
        facts.hasEnergy = facts.hasEnergy ?? false
        if let firstReading {
            facts.start = facts.start ?? firstReading.date
            facts.end = facts.end ?? order.latest
        }
        return summary.finish()
    }

    /// The entries that the log lacks and that are added, in words.
    var gaps: [String] {
        var gaps: [String] = []
        if !hasHeader { gaps.append("the log has no header; the workout's activity is taken to be “other”") }
        guard firstReading != nil else { return gaps }
        if !hasBeginning {
            gaps.append("the log has no start of the workout; its first reading is used")
        }
        if !hasEnd { gaps.append("the log has no end of the workout; its last entry is used") }
        return gaps
    }

    // MARK: The second time

    /// Returns the entries, read from the log again.
    func entries(of source: RecordingSource) -> RecordedEntries {
        RecordedEntries(source: { () throws(RecordingError) in try Reading(self, source) })
    }

    private final class Reading: EntrySource {
        private let workout: LoggedWorkout
        private let path: String
        private var log: SessionLogReader
        private var order = LogOrder()
        private var late: ArraySlice<LateEntry>
        /// The next entry of the log that is not late, with its index in the workout.
        private var upcoming: LateEntry?
        private var taken = 0
        private var toBegin: [SessionEntry]
        private var toEnd: SessionEntry?

        init(_ workout: LoggedWorkout, _ source: RecordingSource) throws(RecordingError) {
            self.workout = workout
            path = source.path
            late = workout.late[...]
            toBegin = workout.header.map { [$0] } ?? []
            if let first = workout.firstReading {
                if !workout.hasBeginning { toBegin.append(SessionEntry(first.date, .state(.running))) }
                if !workout.hasEnd { toEnd = SessionEntry(workout.order.latest, .state(.stopped)) }
            }
            toBegin.reverse()
            log = SessionLogReader(try source.open())
            for _ in 0..<workout.place { _ = try log.next() }
        }

        func read(into entries: EntryBuffer) throws(RecordingError) {
            while !entries.isFull, let entry = try next() { entries.append(entry) }
        }

        private func next() throws(RecordingError) -> SessionEntry? {
            if let entry = toBegin.popLast() { return entry }
            if upcoming == nil { try advance() }
            if let next = late.first,
                upcoming.map({ (next.entry.date, next.place) < ($0.entry.date, $0.place) }) ?? true
            {
                late.removeFirst()
                return next.entry
            }
            guard let next = upcoming else {
                defer { toEnd = nil }
                return toEnd
            }
            upcoming = nil
            return next.entry
        }

        private func advance() throws(RecordingError) {
            while taken < workout.count {
                guard var entry = try log.next() else {
                    throw .invalid(path: path, byte: 0, reason: "the log became shorter while it was read")
                }
                taken += 1
                if entry.isHeader || order.isLate(&entry) { continue }
                upcoming = LateEntry(place: taken - 1, entry: entry)
                return
            }
        }
    }
}

/// The order of entries in a log. They are in order of time, except late ones. RR intervals keep their order in the
/// log: if some have an earlier date than intervals before them, they get the date of those.
private struct LogOrder {
    private(set) var latest = Date.distantPast
    private var latestBeats = Date.distantPast

    /// Returns whether an earlier entry has a later date than this one.
    mutating func isLate(_ entry: inout SessionEntry) -> Bool {
        if entry.holdsBeats {
            latestBeats = max(latestBeats, entry.date)
            entry.date = latestBeats
        }
        if entry.date < latest { return true }
        latest = entry.date
        return false
    }
}

extension SessionEntry {
    var isHeader: Bool {
        if case .header = content { true } else { false }
    }

    /// Whether the entry may hold RR intervals, as a reading or in a packet.
    fileprivate var holdsBeats: Bool {
        switch content {
        case .beats: true
        case .notification(let packet): packet.characteristic == HeartRateMeasurement.characteristic
        default: false
        }
    }

    var isBeginning: Bool {
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
        case .header, .state, .collection, .metadata, .routeDiscarded, .zones, .companion, .clockSet: false
        case .activityBegan, .activityEnded, .activityMetadata, .quantity, .beats, .waveform, .position, .category,
            .event, .sensor, .notification, .object, .wearer, .remoteData:
            true
        }
    }
}
