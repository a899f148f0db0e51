import Analytics
import Recordings
package import SessionLog
import Synchronization

/// A session's log: appended to at its end, and read from any place, as often as anybody likes.
///
/// Where the session has a journal, the log is what stands in that file, and behind it what waits to be written there: a day
/// of a session takes no more memory than an hour. Without a journal all of it is held, some 200 bytes an entry: then
/// the length of the session is what bounds it. A journal that nobody finds gets the entries once they are many: to write an
/// hour's and to read them again takes as long as all else that is done with them.
///
/// Places count from 0. In a journal each line has one, also one that cannot be read, which is left out: so places stay what
/// they are, in every process that reads it.
package final class LiveSessionLog: SessionEntries {
    private let contents: Mutex<Contents>

    private struct Contents {
        /// Nil where the entries are held for good.
        let journal: SessionJournal?
        /// The entries are in memory, and not yet in the journal.
        var areHeld: Bool
        var lines = LineIndex()
        var entries: [SessionEntry] = []
        var dates = DateTable()
        var lastDate: Date?
        var sensors = LatestSensors()

        init(_ journal: SessionJournal?) {
            self.journal = journal
            areHeld = journal?.isRemoved ?? true
        }

        /// The journal, where it has the entries.
        var written: SessionJournal? { areHeld ? nil : journal }

        mutating func append(_ entry: SessionEntry) {
            if areHeld {
                entries.append(entry)
                if entries.count == LiveSessionLog.longestHeld, let journal { write(to: journal) }
            } else if let journal {
                guard let offset = journal.append(entry) else { return }
                lines.add(lineAt: offset)
            }
            note(entry)
        }

        private mutating func write(to journal: SessionJournal) {
            for entry in entries {
                if let offset = journal.append(entry) { lines.add(lineAt: offset) }
            }
            entries = []
            areHeld = false
        }

        mutating func note(_ entry: SessionEntry) {
            dates.note(entry)
            if case .sensor(let status) = entry.content { sensors.note(status) }
            lastDate = entry.date
        }
    }

    /// More entries than these are written to a journal that nobody finds.
    private static let longestHeld = 1 << 16

    /// How much is read at once.
    private static let chunkBytes = 1 << 16

    /// An empty log, kept in `journal`, or in memory. What a journal holds already belongs to another one.
    package init(_ journal: SessionJournal? = nil) {
        contents = Mutex(Contents(journal))
    }

    /// An empty log that does not outlive the process, kept in a file without a name: for what stands somewhere else, too. Where
    /// no such file can be made, the log is held in memory.
    static func fleeting(in folder: URL?) -> LiveSessionLog {
        LiveSessionLog(folder.flatMap { try? SessionJournal(withoutNameIn: $0.appendingPathComponent("mirrored")) })
    }

    /// The log that a process left in a journal, and the state that it folds to.
    ///
    /// - Throws: where no entry can be read, or the log is of a newer version.
    package static func left(in journal: SessionJournal) throws -> (log: LiveSessionLog, state: SessionState) {
        var contents = Contents(journal)
        var state = SessionState()
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        let size = journal.byteCount
        var offset = 0
        func take() {
            for entry in entries {
                state.apply(entry)
                contents.note(entry)
            }
            entries.removeAll(keepingCapacity: true)
        }
        while offset < size {
            let bytes = try journal.bytes(at: offset, count: Self.chunkBytes)
            contents.lines.add(bytes, at: offset)
            try decoder.decode(bytes, into: &entries)
            take()
            offset += bytes.count
        }
        guard state.entryCount > 0 else {
            let path = journal.url.path
            let reason = decoder.warnings.first.map { "; " + $0.message } ?? ""
            throw size == 0
                ? RecordingError.empty(path: path)
                : RecordingError.invalid(path: path, byte: 0, reason: "no entry of a session log is in it" + reason)
        }
        return (LiveSessionLog(contents), state)
    }

    private init(_ contents: Contents) {
        self.contents = Mutex(contents)
    }

    /// Where it is written to; nil where nothing outlives the process.
    package var journal: SessionJournal? { contents.withLock { $0.journal } }

    /// How many places there are.
    package var count: Int { contents.withLock { $0.areHeld ? $0.entries.count : $0.lines.count } }

    /// Of the last entry.
    package var lastDate: Date? { contents.withLock { $0.lastDate } }

    /// Known without a look into the log.
    package var sensors: [SensorStatus] { contents.withLock { $0.sensors.all } }

    /// Whether exactly this date stands in the log, of an entry or of what it tells of. A reading of the wall clock does not,
    /// to a tenth of a microsecond.
    func knows(_ date: Date) -> Bool { contents.withLock { $0.dates.contains(date) } }

    /// Adds an entry. One that no log can say is left out where there is a journal.
    package func append(_ entry: SessionEntry) { contents.withLock { $0.append(entry) } }

    /// What the log holds so far survives a crash from here on.
    func commit() throws { try journal?.commit() }

    // MARK: Reading

    /// Every entry that the log has now, in order. One that comes meanwhile is not among them.
    package func forEach(_ body: (SessionEntry) throws -> Void) throws {
        let (journal, held) = contents.withLock { ($0.written, $0.entries) }
        guard let journal else { return try held.forEach(body) }
        guard var offset = contents.withLock({ $0.lines.start }) else { return }
        let end = journal.byteCount
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        while offset < end {
            let bytes = try journal.bytes(at: offset, count: min(Self.chunkBytes, end - offset))
            try decoder.decode(bytes, into: &entries)
            try entries.forEach(body)
            entries.removeAll(keepingCapacity: true)
            offset += bytes.count
        }
    }

    /// Lines from a place on, each with its line feed: about as many as `limit` bytes hold, and at least one if there is one.
    /// Nil stands for an entry that no log can say.
    package func lines(from place: Int, bytes limit: Int) throws -> [[UInt8]?] {
        guard let journal = contents.withLock({ $0.written }) else { return encoded(from: place, bytes: limit) }
        guard let known = contents.withLock({ $0.lines.known(before: place) }) else { return [] }
        var toSkip = place - known.line
        var offset = known.offset
        let end = journal.byteCount
        var lines: [[UInt8]] = []
        var held: [UInt8] = []
        var taken = 0
        while offset < end {
            let bytes = try journal.bytes(at: offset, count: min(Self.chunkBytes, end - offset))
            offset += bytes.count
            var rest = bytes[...]
            while let feed = rest.firstIndex(of: 0x0A) {
                if toSkip > 0 {
                    toSkip -= 1
                } else {
                    lines.append(held + rest[...feed])
                    taken += lines[lines.count - 1].count
                    if taken >= limit { return lines }
                }
                held = []
                rest = rest[(feed + 1)...]
            }
            held += rest
        }
        return lines
    }

    /// Entries from a place on, `limit` of them or about as many, and the place behind them; none at the end of the log.
    func entries(from place: Int, limit: Int) throws -> (entries: [SessionEntry], next: Int) {
        let held = contents.withLock { $0.areHeld ? Array($0.entries.dropFirst(place).prefix(limit)) : nil }
        if let held { return (held, place + held.count) }
        let lines = try lines(from: place, bytes: min(limit * Self.usualLineBytes, Self.chunkBytes * 4))
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        for line in lines { if let line { try decoder.decode(line, into: &entries) } }
        return (entries, place + lines.count)
    }

    private static let usualLineBytes = 128

    private func encoded(from place: Int, bytes limit: Int) -> [[UInt8]?] {
        let held = contents.withLock { $0.entries }
        var encoder = SessionLogEncoder()
        var lines: [[UInt8]?] = []
        var taken = 0
        for entry in held.dropFirst(place) where taken < limit {
            encoder.removeAll()
            let line: [UInt8]? = (try? encoder.append(entry)) == nil ? nil : encoder.bytes
            taken += line?.count ?? 0
            lines.append(line)
        }
        return lines
    }

    /// All entries at once: for tests, and for logs that are known to be short.
    package var entries: [SessionEntry] {
        get throws {
            var all: [SessionEntry] = []
            try forEach { all.append($0) }
            return all
        }
    }
}

extension SessionState {
    /// The state that entries fold to.
    package init(_ entries: some SessionEntries) throws {
        self.init()
        try entries.forEach { apply($0) }
    }
}

/// The dates that stand in a log, each once: 8 bytes for a moment at which something was measured.
struct DateTable: Sendable, Equatable {
    /// Seconds since the reference date, ascending.
    private var seconds: [Double] = []

    /// Takes the dates of an entry: its own, and from when to when that is of which it tells.
    mutating func note(_ entry: SessionEntry) {
        note(entry.date)
        switch entry.content {
        case .quantity(let reading): note(reading.start, reading.end)
        case .category(let reading): note(reading.start, reading.end)
        case .event(let event): note(event.start, event.end)
        default: break
        }
    }

    func contains(_ date: Date) -> Bool {
        let place = place(of: date.timeIntervalSinceReferenceDate)
        return place < seconds.count && seconds[place] == date.timeIntervalSinceReferenceDate
    }

    private mutating func note(_ start: Date, _ end: Date) {
        note(start)
        note(end)
    }

    private mutating func note(_ date: Date) {
        let new = date.timeIntervalSinceReferenceDate
        guard new.isFinite else { return }
        guard let last = seconds.last, new <= last else { return seconds.append(new) }
        let place = place(of: new)
        if seconds[place] != new { seconds.insert(new, at: place) }
    }

    /// Of the first date that is not earlier.
    private func place(of date: Double) -> Int { seconds.partitioningIndex { $0 >= date } }
}

/// Where the lines of a file begin: of each 256th it is known, of those between it is found by reading.
struct LineIndex: Sendable, Equatable {
    static let stride = 256

    private(set) var count = 0
    /// Of the lines 0, 256, 512 …
    private var offsets: [Int] = []
    /// The beginning of the next line, where a piece ended within one.
    private var isWithinLine = false

    /// Where the first line begins; nil while there is none.
    var start: Int? { offsets.first }

    /// A line begins at this byte.
    mutating func add(lineAt offset: Int) {
        if count.isMultiple(of: Self.stride) { offsets.append(offset) }
        count += 1
    }

    /// The bytes that follow those of the call before.
    mutating func add(_ bytes: [UInt8], at offset: Int) {
        var place = 0
        while place < bytes.count {
            if !isWithinLine { add(lineAt: offset + place) }
            guard let end = bytes[place...].firstIndex(of: 0x0A) else {
                isWithinLine = true
                return
            }
            isWithinLine = false
            place = end + 1
        }
    }

    /// The nearest line at or before `line` of which it is known where it begins, and where; nil beyond the last one.
    func known(before line: Int) -> (line: Int, offset: Int)? {
        guard line >= 0, line < count else { return nil }
        let place = line / Self.stride
        return (place * Self.stride, offsets[place])
    }
}
