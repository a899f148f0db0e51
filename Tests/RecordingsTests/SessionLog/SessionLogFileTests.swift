import Foundation
import MadeEntries
import Testing

@testable import Recordings
@testable import SessionLog

struct SessionLogFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_767_323_045 + seconds) }
    private static let header = SessionEntry.Content.header(
        SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running")))

    private static func heartRate(_ value: Double, _ unit: String = "count/min", at seconds: Double) -> SessionEntry {
        let date = at(seconds)
        return SessionEntry(date, .quantity(QuantityReading("heartRate", value, unit: unit, start: date, end: date)))
    }

    /// A minute with a pause of ten seconds.
    static let minute: [SessionEntry] = [
        SessionEntry(at(0), header),
        SessionEntry(at(0), .state(.prepared)),
        SessionEntry(at(1), .state(.running)),
        heartRate(120, at: 2),
        heartRate(2.5, "count/s", at: 3),
        heartRate(0, at: 4),
        SessionEntry(at(5), .beats(BeatReading(intervalsInMilliseconds: [500, 0, 510.5]))),
        SessionEntry(at(10), .state(.paused)),
        SessionEntry(at(20), .state(.running)),
        SessionEntry(at(30), .event(EventRecord(.lap, start: at(1), end: at(30)))),
        SessionEntry(at(31), .event(EventRecord(.marker, start: at(31), end: at(31)))),
        SessionEntry(at(61), .state(.stopped)),
        SessionEntry(at(65), .state(.ended)),
    ]

    private func read(_ entries: [SessionEntry]) throws -> Recording {
        try SessionLogFile.read(folder.file("log.jsonl", logBytes(entries)))[0]
    }

    @Test func `a whole log is read unchanged, and its summary is complete`() throws {
        let recording = try read(Self.minute)
        #expect(recording.list == Self.minute)
        let file = recording.file
        #expect(file.format == "jsonl")
        #expect(file.records == 6)
        #expect(file.heartRate.count == 2)
        #expect(file.heartRate.minimum == 120)
        #expect(file.heartRate.mean == 135)
        #expect(file.heartRate.maximum == 150)
        #expect(file.rrIntervalsInMilliseconds == [500, 510.5])
        #expect(file.laps == 1)
        #expect(file.sessions == 1)
        #expect(file.elapsedInSeconds == 60)
        #expect(file.timerInSeconds == 50)
        #expect(file.warnings.isEmpty)
    }

    @Test func `heart rate packets count if there are no readings`() throws {
        func packet(_ bytes: [UInt8], _ characteristic: UInt16 = 0x2A37) -> SessionEntry {
            SessionEntry(Self.at(40), .notification(NotificationRecord(characteristic: characteristic, bytes: bytes)))
        }
        let packets = [
            packet([0x10, 72, 0x00, 0x04, 0x00, 0x02]), packet([0x00, 0]), packet([0x00, 80]), packet([]),
            packet([0x00, 90], 0x2A19),
        ]
        let raw = try read(packets).file
        #expect(raw.heartRate.count == 2)
        #expect(raw.heartRate.mean == 76)
        #expect(raw.rrIntervalsInMilliseconds == [1000, 500])
        #expect(raw.records == 5)
        let both = try read(Self.minute + packets).file
        #expect(both.heartRate.count == 2)
        #expect(both.heartRate.mean == 135)
        #expect(both.rrIntervalsInMilliseconds == [500, 510.5])
    }

    @Test func `each workout of a log is a separate recording`() throws {
        let all = try SessionLogFile.read(folder.file("two.jsonl", logBytes(Self.minute + Self.minute)))
        #expect(all.map(\.list) == [Self.minute, Self.minute])
        #expect(all.map(\.file.workout) == [1, 2])
        for file in all.map(\.file) {
            #expect(file.workouts == 2)
            #expect(file.sessions == 2)
            #expect(file.elapsedInSeconds == 60)
            #expect(file.timerInSeconds == 50)
            #expect(file.laps == 1)
        }
    }

    @Test func `a workout that never began is ignored beside one that did`() throws {
        let all = try SessionLogFile.read(folder.file("two.jsonl", logBytes([Self.minute[0]] + Self.minute)))
        #expect(all.map(\.list) == [Self.minute])
        #expect(all[0].file.workouts == 1)
    }

    @Test func `late RR intervals keep the order of the log`() throws {
        func beats(_ intervals: [Double], at seconds: Double) -> SessionEntry {
            SessionEntry(Self.at(seconds), .beats(BeatReading(intervalsInMilliseconds: intervals)))
        }
        var entries = Self.minute
        entries.insert(contentsOf: [beats([600], at: 5), beats([700], at: 4), beats([800], at: 4.5)], at: 6)
        let recording = try read(entries)
        let intervals = recording.list.flatMap { entry -> [Double] in
            if case .beats(let reading) = entry.content { reading.intervalsInMilliseconds } else { [] }
        }
        // An empty one does not count.
        #expect(intervals.filter { $0 > 0 } == recording.file.rrIntervalsInMilliseconds)
        #expect(recording.list.map(\.date) == recording.list.map(\.date).sorted())
    }

    @Test func `a multisport workout counts its activities`() throws {
        let part = SessionEntry.Content.activityBegan(ActivityRecord(id: UUID(), activity: ActivityDescription()))
        let parts = [
            SessionEntry(Self.at(5), part), SessionEntry(Self.at(6), .activityEnded), SessionEntry(Self.at(7), part),
        ]
        #expect(try read(Self.minute + parts).file.sessions == 2)
    }

    @Test func `late readings are put in order, and equal dates keep the order of the file`() throws {
        var entries = Self.minute
        entries.insert(Self.heartRate(99, at: 2), at: 9)
        let recording = try read(entries)
        #expect(recording.list[4] == Self.heartRate(99, at: 2))
        #expect(recording.list.map(\.date) == recording.list.map(\.date).sorted())
        #expect(try SessionLogFile.entries(folder.url.appending(path: "log.jsonl")).entries == entries)
    }

    @Test func `a log truncated by a crash ends at its last entry, and the summary adds nothing`() throws {
        var bytes = try logBytes(Array(Self.minute.dropLast(2)))
        bytes.removeLast(9)
        let recording = try SessionLogFile.read(folder.file("cut.jsonl", bytes))[0]
        #expect(recording.list.count == 11)
        #expect(recording.list.last == SessionEntry(Self.at(30), .state(.stopped)))
        #expect(recording.file.elapsedInSeconds == nil)
        #expect(recording.file.timerInSeconds == nil)
        #expect(recording.file.warnings.count == 2)
        #expect(recording.file.warnings.first?.message.contains("cut off") == true)
        #expect(recording.file.warnings.last?.byte == bytes.count)
    }

    @Test func `bare readings are a workout`() throws {
        let recording = try read([Self.heartRate(120, at: 1), Self.heartRate(121, at: 2)])
        #expect(recording.list.first?.isHeader == true)
        #expect(recording.list.map(\.date) == [1, 1, 1, 2, 2].map(Self.at))
        #expect(recording.list[1].content == .state(.running))
        #expect(recording.list[4].content == .state(.stopped))
        #expect(recording.file.sessions == 0)
        #expect(recording.file.warnings.count == 3)
    }

    @Test func `a log larger than one read is complete`() throws {
        var entries = Self.minute
        entries.insert(
            contentsOf: (0..<8_000).map { Self.heartRate(100 + Double($0 % 50), at: 31 + Double($0) / 1000) }, at: 11)
        let recording = try read(entries)
        #expect(recording.list == entries)
        #expect(recording.file.heartRate.count == 8_002)
    }

    @Test func `a log without entries, or of a newer version, is rejected`() throws {
        let garbage = try folder.file("garbage.jsonl", "{\"a\":1}\n{\"b\":2}\n")
        #expect { try SessionLogFile.read(garbage) } throws: {
            "\($0)".contains("no entry of a session log is in it; line 1 has nothing that this version knows")
        }
        let newer = try folder.file("newer.jsonl", "{\"at\":0,\"state\":\"running\"}\n{\"at\":0,\"log\":3}\n")
        #expect { try SessionLogFile.read(newer) } throws: { error in
            guard case RecordingError.invalid(_, 27, let reason) = error else { return false }
            return reason.contains("version 3")
        }
    }
}
