import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct TableDateTests {
    @Test(
        arguments: [
            ("2026-01-02T03:04:05.678+01:00", "2026-01-02T02:04:05.678Z", true),
            ("2026-01-02 03:04:05 -0130", "2026-01-02T04:34:05.000Z", true),
            ("20260102T030405", nil, false), ("2026-01-02_03:04", "2026-01-02T03:04:00.000Z", false),
            ("02.01.2026 3:04:05", "2026-01-02T03:04:05.000Z", false),
            ("2026-01-02T03:04:05,25 UTC", "2026-01-02T03:04:05.250Z", true),
            ("2026-01-02 12:04:05 am", "2026-01-02T00:04:05.000Z", false),
            ("2026-01-02 1:04:05 PM", "2026-01-02T13:04:05.000Z", false),
            ("31/12/2026 00:00:00", "2026-12-31T00:00:00.000Z", false), ("2026-02-30 00:00:00", nil, false),
            ("2026-01-02T25:00:00", nil, false), ("2026-13-02", nil, false), ("", nil, false), ("1", nil, false),
            ("2026-01-02T", nil, false), ("2026-01-02T03:04:05.", nil, false), ("2026-01-02T03:04:05+", nil, false),
        ] as [(String, String?, Bool)])
    func `dates are read in the spellings of tables`(text: String, expected: String?, hasZone: Bool) {
        let moment = text.tableMoment()
        #expect(
            moment.flatMap { SessionLogDate.text(Date(timeIntervalSinceReferenceDate: $0.seconds)) } == expected)
        if expected != nil { #expect(moment?.hasZone == hasZone) }
    }

    @Test func `ambiguous days and months are not guessed`() {
        #expect("01/02/2026".tableMoment() == nil)
        #expect("01/02/2026".tableMoment(.dayFirst) == "2026-02-01".tableMoment())
        #expect("01/02/2026".tableMoment(.monthFirst) == "2026-01-02".tableMoment())
        #expect("01/01/2026".tableMoment() == "2026-01-01".tableMoment())
    }

    @Test func `clocks count from zero, with minutes first if there are two fields`() {
        #expect("0:00:01".tableClock == 1)
        #expect("62:03".tableClock == 3723)
        #expect("1:02:03.5".tableClock == 3723.5)
        #expect("100:00:00".tableClock == 360_000)
        #expect("5".tableClock == nil && "5:60".tableClock == nil && ":".tableClock == nil)
    }

    @Test(arguments: ["1 day, 1:02:03.5", "1 days 01:02:03.500000", "1d 01:02:03,5", "1.01:02:03.5", "1 Day 1:02:03.5"])
    func `days may precede a clock`(text: String) { #expect(text.tableClock == 90_123.5) }

    @Test(arguments: [
        "1 day", "1 day, ", "1.5", "day 1:02:03", "1 week 1:02:03", "1d", "1.", "1 day, 1", "123456 days 0:00:01",
    ])
    func `days without a clock are not a clock`(text: String) {
        #expect(text.tableClock == nil)
        #expect("0 days 00:00:01".tableClock == 1)
    }

    @Test(
        arguments: [
            ("11:30:00 PM", 84_600), ("12:00:01 am", 1), ("1:02 pm", 46_920), ("0:30 pm", nil), ("13:00:00 PM", nil),
            ("1 day, 1:00:00 PM", nil),
        ] as [(String, Double?)])
    func `a time of day may have am or pm`(text: String, expected: Double?) { #expect(text.tableClock == expected) }

    @Test(
        arguments: [
            ("1", 1), ("-1.5", -1.5), ("1,5", 1.5), ("1e3", 1000), ("2.5E-1", 0.25), (" 7 ", 7), ("\"8\"", 8),
            ("123456789012345678901234567890", 123_456_789_012_345_678_901_234_567_890.0), ("0.1", 0.1), ("", nil),
            ("1.2.3", nil), ("x", nil), ("-", nil), ("1e", nil), ("1e99999", nil), ("0x10", nil),
        ] as [(String, Double?)])
    func `numbers are read in their notations`(text: String, expected: Double?) {
        #expect(text.tableNumber == expected)
    }

    /// The first interval of a table like those of Concept2's logbook ends with its first row.
    @Test(arguments: ["2.4", "0:00:02.4"])
    func `a table with times from the start begins with it`(first: String) throws {
        let start = TableTexts.date("2026-01-02T08:00:00Z")
        func table(_ rows: [(String, Int, Int)]) throws -> Recording {
            let text = rows.map { "\($0.0),\($0.1),120,\($0.2)" }.joined(separator: "\n")
            return try TableTexts.read(
                "time,distance (m),heart rate,lap\n\(text)\n", TableOptions(start: start, zone: .gmt))
        }
        let clock = first.contains(":") ? "0:00:" : ""
        let rowing = try table([(first, 9, 1), ("\(clock)05", 20, 1), ("\(clock)10", 40, 2), ("\(clock)15", 60, 2)])
        #expect(rowing.start == start && rowing.end == start + 15)
        #expect(rowing.events(.lap).map(\.start) == [start, start + 10])
        #expect(rowing.events(.lap).map(\.end) == [start + 10, start + 15])
        #expect(rowing.metersCovered == 60)
        // The second part of a recording begins with its first row.
        let part = try table([("0:20:00", 9, 1), ("0:20:05", 20, 1)])
        #expect(part.start == start + 1200 && part.end == start + 1205)
    }
}
