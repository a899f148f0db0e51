import Analytics
import Foundation
import Testing

@testable import Engine
@testable import HealthKit
@testable import SessionLog

/// A log reads the same in memory and in a file, while it is written and after its process has ended.
@Suite struct LiveSessionLogTests {
    private let folder = MachineFolder()
    private let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private func journal() throws -> SessionJournal { try SessionJournal(id: UUID(), in: folder.url) }

    /// Short and long lines of several kinds, and entries that no log can represent.
    private func entries(_ count: Int) -> [SessionEntry] {
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running"))
        return [SessionEntry(start, .header(header))]
            + (1..<count).map { number in
                let date = start + Double(number) / 3
                switch number % 7 {
                case 0:
                    // Some are longer than one read.
                    let length = number.isMultiple(of: 700) ? 70_000 : number
                    return SessionEntry(date, .remoteData(Data(repeating: UInt8(number % 256), count: length)))
                case 1:
                    return SessionEntry(date, .beats(BeatReading(intervalsInMilliseconds: [801, 799.5], sensor: "s")))
                case 2:
                    return SessionEntry(
                        date, .metadata(["Note": .string(String(repeating: "é\n", count: number % 90))]))
                case 3:
                    let bytes = [UInt8](repeating: 7, count: number % 20)
                    return SessionEntry(date, .notification(NotificationRecord(characteristic: 0x2A37, bytes: bytes)))
                default:
                    return SessionEntry(
                        date,
                        .quantity(
                            QuantityReading(
                                "heartRate", Double(number), unit: "count/min", start: date - 2, end: date, sensor: "s")
                        ))
                }
            }
    }

    private func logged(_ entries: [SessionEntry], in journal: SessionJournal? = nil) -> LiveSessionLog {
        let log = LiveSessionLog(journal)
        for entry in entries { log.append(entry) }
        return log
    }

    private func lines(_ entries: [SessionEntry]) throws -> [[UInt8]] {
        try entries.map { entry in
            var encoder = SessionLogEncoder()
            try encoder.append(entry)
            return encoder.bytes
        }
    }

    @Test func `a log reads the same from memory, from a file and in another process`() throws {
        let entries = entries(1_500)
        let lines = try lines(entries)
        let written = try journal()
        let inFile = logged(entries, in: written)
        // Most of it is not flushed yet: what waits is part of the log.
        #expect(try Data(contentsOf: written.url).count < written.byteCount)
        try inFile.commit()
        let copy = folder.url.appendingPathComponent("copy.jsonl")
        try FileManager.default.copyItem(at: written.url, to: copy)
        let (left, state) = try LiveSessionLog.left(in: try #require(try SessionJournal(resuming: copy)))
        #expect(state == (try SessionState(entries)))
        for log in [logged(entries), inFile, left] {
            #expect(try log.entries == entries)
            #expect(log.count == entries.count)
            #expect(log.lastDate == entries.last?.date)
            for place in [0, 1, 255, 256, 257, 511, 512, 1_000, 1_498, 1_499, 1_500, 9_999] {
                for bytes in [1, 500, 100_000] {
                    let read = try log.lines(from: place, bytes: bytes)
                    #expect(read == Array(lines.dropFirst(place).prefix(read.count)))
                    #expect(read.isEmpty == (place >= entries.count))
                    let length = read.reduce(0) { $0 + ($1?.count ?? 0) }
                    #expect(length >= bytes || place + read.count >= entries.count)
                    #expect(length - (read.last??.count ?? 0) < bytes)
                }
            }
        }
    }

    @Test func `a reader of a growing log gets what it contained at the beginning`() throws {
        let entries = entries(300)
        for log in [logged(entries), logged(entries, in: try journal())] {
            var read = 0
            try log.forEach { entry in
                if read == 0 { for entry in entries { log.append(entry) } }
                read += 1
            }
            #expect(read == 300)
            #expect(log.count == 600)
        }
    }

    @Test func `a log whose journal is finished can be read and appended to, and leaves nothing behind`() throws {
        let entries = entries(800)
        let journal = try journal()
        let log = logged(Array(entries.prefix(400)), in: journal)
        try log.commit()
        journal.finish()
        #expect(!FileManager.default.fileExists(atPath: journal.url.path))
        for entry in entries.dropFirst(400) { log.append(entry) }
        try log.commit()
        #expect(try log.entries == entries)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func `a log without a journal is kept in an unlinked file`() throws {
        let entries = entries(800)
        let log = LiveSessionLog.fleeting(in: folder.url)
        for entry in entries { log.append(entry) }
        #expect(log.journal != nil)
        #expect(try log.entries == entries)
        #expect(SessionJournal.left(in: folder.url).isEmpty)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) == ["mirrored"])
    }

    @Test func `a long log without a journal reads the same before and after it moves to its file`() throws {
        let log = LiveSessionLog.fleeting(in: folder.url)
        let journal = try #require(log.journal)
        let entries = (0..<65_600).map { number in
            SessionEntry(start + Double(number), .beats(BeatReading(intervalsInMilliseconds: [800], sensor: "s")))
        }
        for entry in entries.dropLast(100) { log.append(entry) }
        #expect(journal.byteCount == 0)
        #expect(try log.entries == entries.dropLast(100))
        for entry in entries.suffix(100) { log.append(entry) }
        #expect(journal.byteCount > 0)
        #expect(try log.entries == entries)
        #expect(log.count == entries.count)
        #expect(try log.lines(from: 65_535, bytes: 1) == lines([entries[65_535]]))
    }

    @Test func `a log without a folder, or whose file cannot be created, is kept in memory`() throws {
        let entries = entries(20)
        let file = folder.url.appendingPathComponent("no folder")
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data().write(to: file)
        for log in [LiveSessionLog.fleeting(in: nil), LiveSessionLog.fleeting(in: file)] {
            for entry in entries { log.append(entry) }
            #expect(log.journal == nil)
            #expect(try log.entries == entries)
        }
    }

    @Test func `a file that lost data is an error, not a shorter workout`() throws {
        let journal = try journal()
        let log = logged(entries(800), in: journal)
        try log.commit()
        #expect(truncate(journal.url.path, 2_000) == 0)
        #expect(throws: SessionLogError.self) { try log.forEach { _ in } }
        #expect(throws: SessionLogError.self) { try log.lines(from: 700, bytes: 1) }
    }

    @Test func `an unreadable line keeps its place`() throws {
        let entries = entries(600)
        var lines = try lines(entries)
        lines[300] = Array("{\"at\":\"not a date\",\"state\":\"running\"}\n".utf8)
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let url = folder.url.appendingPathComponent("damaged.jsonl")
        try Data(lines.joined()).write(to: url)
        let (log, state) = try LiveSessionLog.left(in: try #require(try SessionJournal(resuming: url)))
        #expect(log.count == 600)
        #expect(state.entryCount == 599)
        #expect(try log.entries == Array(entries[..<300]) + Array(entries[301...]))
        #expect(try log.lines(from: 299, bytes: 1) == [lines[299]])
        #expect(try log.lines(from: 301, bytes: 1) == [lines[301]])
    }

    @Test func `a journal without entries is rejected with its name`() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let url = folder.url.appendingPathComponent("empty.jsonl")
        try Data().write(to: url)
        let journal = try #require(try SessionJournal(resuming: url))
        #expect(throws: SessionLogError.empty(path: url.path)) { try LiveSessionLog.left(in: journal) }
    }

    @Test func `a log knows each date that it returned, and no other`() throws {
        let entries = entries(700)
        let log = logged(entries, in: try journal())
        for case .quantity(let reading) in entries.map(\.content) {
            #expect(log.knows(reading.start) && log.knows(reading.end))
        }
        for entry in entries {
            #expect(log.knows(entry.date))
            #expect(!log.knows(entry.date + 1e-3))
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func `dates in any order are found again`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var dates = DateTable()
        var told: Set<Double> = []
        for _ in 0..<500 {
            let seconds = Double(Int.random(in: 0..<400, using: &random))
            told.insert(seconds)
            dates.note(SessionEntry(Date(timeIntervalSinceReferenceDate: seconds), .activityEnded))
            let asked = Double(Int.random(in: -5..<405, using: &random))
            #expect(dates.contains(Date(timeIntervalSinceReferenceDate: asked)) == told.contains(asked))
        }
    }

    // MARK: What companions receive

    @Test(arguments: [true, false])
    func `each sent entry is found by its number, live and in another process`(
        isRaw: Bool
    ) throws {
        let entries = entries(1_500)
        let crossing = zip(entries, try lines(entries)).filter { entry, _ in
            if case .notification = entry.content { isRaw } else { true }
        }
        for log in [logged(entries), logged(entries, in: try journal())] {
            var live = CrossingLog(includesNotifications: isRaw)
            for (place, (entry, line)) in zip(entries, try lines(entries)).enumerated() {
                live.add(.entry(entry), line, at: place)
            }
            for crossed in [live, try CrossingLog(of: log, includesNotifications: isRaw)] {
                #expect(crossed.count == UInt64(crossing.count))
                #expect(crossed.header == String(decoding: crossing[0].1, as: UTF8.self))
                #expect(
                    crossed.data.count == entries.count { if case .remoteData = $0.content { true } else { false } })
                for number in [1, 2, 256, 257, 258, 900, crossing.count] {
                    for bytes in [1, 3_000, 200_000] {
                        let read = try crossed.lines(of: log, from: UInt64(number), bytes: bytes)
                        #expect(!read.isEmpty)
                        #expect(read == crossing.dropFirst(number - 1).prefix(read.count).map(\.1))
                    }
                }
                #expect(try crossed.lines(of: log, from: UInt64(crossing.count + 1), bytes: 1).isEmpty)
            }
        }
    }
}
