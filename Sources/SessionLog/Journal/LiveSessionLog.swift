import Analytics
package import Foundation
import Synchronization

/// A session's log. Entries are appended at its end, and can be read from any place any number of times.
///
/// If the session has a journal, the log consists of that file and the entries that are not written yet: a day of a
/// session takes no more memory than an hour. Without a journal, all of it is in memory, some 200 bytes per entry,
/// which limits the length of the session. A journal without a name gets the entries only if there are many: writing an
/// hour's entries and reading them again takes as long as everything else that is done with them.
///
/// Places count from 0. In a journal each line has one, also an unreadable line, which is left out when reading. So
/// places are the same in every process that reads it.
package final class LiveSessionLog: SessionEntries {
    private let contents: Mutex<Contents>

    private struct Contents {
        /// The journal. Nil if the entries stay in memory.
        let journal: SessionJournal?
        /// Whether the entries are in memory and not yet in the journal.
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

        /// The journal, if it has the entries.
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

    /// The number of entries from which on they are written to a journal without a name.
    private static let longestHeld = 1 << 16

    /// The number of bytes read at once.
    private static let chunkBytes = 1 << 16

    /// Creates an empty log, kept in `journal` or in memory. Existing data in the journal belongs to another log.
    package init(_ journal: SessionJournal? = nil) {
        contents = Mutex(Contents(journal))
    }

    /// Creates an empty log that does not outlive the process, in a file without a name. For logs that are also kept
    /// elsewhere. If no such file can be created, the log is in memory.
    package static func fleeting(in folder: URL?) -> LiveSessionLog {
        LiveSessionLog(folder.flatMap { try? SessionJournal(withoutNameIn: $0.appendingPathComponent("mirrored")) })
    }

    /// Returns the log that a process left in a journal, and its state.
    ///
    /// - Throws: If no entry can be read, or the log is of a newer version.
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
                ? SessionLogError.empty(path: path)
                : SessionLogError.withoutEntries(path: path, reason: "no entry of a session log is in it" + reason)
        }
        return (LiveSessionLog(contents), state)
    }

    private init(_ contents: Contents) {
        self.contents = Mutex(contents)
    }

    /// The journal that it is written to. Nil if nothing outlives the process.
    package var journal: SessionJournal? { contents.withLock { $0.journal } }

    /// The number of places.
    package var count: Int { contents.withLock { $0.areHeld ? $0.entries.count : $0.lines.count } }

    /// The date of the last entry.
    package var lastDate: Date? { contents.withLock { $0.lastDate } }

    /// The sensors, which are known without reading the log.
    package var sensors: [SensorStatus] { contents.withLock { $0.sensors.all } }

    /// Returns whether the log contains exactly this date, of an entry or within one. A reading of the wall clock
    /// practically never matches, since dates have a tenth of a microsecond.
    package func knows(_ date: Date) -> Bool { contents.withLock { $0.dates.contains(date) } }

    /// Adds an entry. With a journal, an entry that a log cannot represent is left out.
    package func append(_ entry: SessionEntry) { contents.withLock { $0.append(entry) } }

    /// Ensures that the log so far survives a crash.
    package func commit() throws { try journal?.commit() }

    // MARK: Reading

    /// Calls `body` with every present entry in order. Later entries are not among them.
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

    /// Returns lines from a place on, each with its line feed: about `limit` bytes, and at least one if there is one.
    /// Nil stands for an entry that a log cannot represent.
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

    /// Returns about `limit` entries from a place on, and the place after them. There are none at the end of the log.
    package func entries(from place: Int, limit: Int) throws -> (entries: [SessionEntry], next: Int) {
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

    /// All entries at once, for tests and for logs that are known to be short.
    package var entries: [SessionEntry] {
        get throws {
            var all: [SessionEntry] = []
            try forEach { all.append($0) }
            return all
        }
    }
}

extension SessionState {
    /// Creates the state after the entries.
    package init(_ entries: some SessionEntries) throws {
        self.init()
        try entries.forEach { apply($0) }
    }
}

/// The dates in a log, without duplicates: 8 bytes for each moment of a measurement.
struct DateTable: Sendable, Equatable {
    /// Seconds since the reference date, ascending.
    private var seconds: [Double] = []

    /// Adds the dates of an entry: its own, and those of its content.
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

    /// Returns the index of the first date that is not earlier.
    private func place(of date: Double) -> Int { seconds.partitioningIndex { $0 >= date } }
}

/// The positions of a file's lines. It keeps that of each 256th line, and lines between are found by reading.
struct LineIndex: Sendable, Equatable {
    static let stride = 256

    private(set) var count = 0
    /// The offsets of the lines 0, 256, 512 …
    private var offsets: [Int] = []
    /// Whether the last piece ended within a line.
    private var isWithinLine = false

    /// The start of the first line. Nil while there is none.
    var start: Int? { offsets.first }

    /// Adds a line that begins at this byte.
    mutating func add(lineAt offset: Int) {
        if count.isMultiple(of: Self.stride) { offsets.append(offset) }
        count += 1
    }

    /// Adds the bytes that follow those of the last call.
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

    /// Returns the nearest line at or before `line` whose offset is known, and its offset. Returns nil beyond the last
    /// line.
    func known(before line: Int) -> (line: Int, offset: Int)? {
        guard line >= 0, line < count else { return nil }
        let place = line / Self.stride
        return (place * Self.stride, offsets[place])
    }
}
