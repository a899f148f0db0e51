import Analytics
import Foundation
import MadeEntries
import Testing

@testable import SessionLog

struct SessionLogDateTests {
    /// Known values: seconds since 1970 by `date -u -d … +%s`.
    @Test(
        arguments: [
            (0.0, "1970-01-01T00:00:00.000Z"),
            (978_307_200, "2001-01-01T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"),
            (4_107_455_999, "2100-02-27T23:59:59.000Z"),
            (1_709_164_800, "2024-02-29T00:00:00.000Z"),
            (-2_147_483_648, "1901-12-13T20:45:52.000Z"),
            (2_147_483_647, "2038-01-19T03:14:07.000Z"),
            (2_147_483_648, "2038-01-19T03:14:08.000Z"),
            (-2_203_891_200, "1900-03-01T00:00:00.000Z"),
            (-0.5, "1969-12-31T23:59:59.500Z"),
            (1_767_323_045.25, "2026-01-02T03:04:05.250Z"),
            (253_402_300_799, "9999-12-31T23:59:59.000Z"),
            (-62_167_219_200, "0000-01-01T00:00:00.000Z"),
        ] as [(Double, String)])
    func `a date has its known notation, both ways`(secondsSince1970: Double, spelling: String) {
        let seconds = secondsSince1970 - 978_307_200
        #expect(spelled(seconds) == "\"\(spelling)\"")
        #expect(parsed(spelling) == seconds)
    }

    @Test func `every day from 1895 to 2105 agrees with Foundation's calendar`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        let start = try #require(calendar.date(from: DateComponents(year: 1895, month: 1, day: 1)))
        for day in 0..<76_700 {
            let date = start.addingTimeInterval(Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let year = String(try #require(parts.year))
            let month = String(try #require(parts.month) + 100).dropFirst()
            let dayOfMonth = String(try #require(parts.day) + 100).dropFirst()
            let spelling = "\(year)-\(month)-\(dayOfMonth)T00:00:00.000Z"
            guard spelled(date.timeIntervalSinceReferenceDate) == "\"\(spelling)\"",
                parsed(spelling) == date.timeIntervalSinceReferenceDate
            else {
                Issue.record("\(spelling) comes out as \(spelled(date.timeIntervalSinceReferenceDate))")
                return
            }
        }
    }

    @Test func `any date is restored bit by bit`() {
        var random = RandomEntries(seed: 1)
        for _ in 0..<20_000 {
            let seconds = random.anyDate().timeIntervalSinceReferenceDate
            #expect(read(spelled(seconds))?.bitPattern == seconds.bitPattern, "\(seconds)")
        }
    }

    @Test func `milliseconds take three digits, and finer dates of this decade seven at most`() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<5_000 {
            let milliseconds = Int.random(in: 600_000_000_000...1_000_000_000_000, using: &random)
            #expect(spelled(Double(milliseconds) / 1000).utf8.count == 26)
            let fine = Double.random(in: 6e8...1e9, using: &random)
            #expect(spelled(fine).utf8.count <= 30, "\(fine)")
        }
    }

    @Test func `a date without an exact notation is written as a number`() {
        #expect(spelled(1e-300) == "1e-300")
        #expect(spelled(-0.0) == "-0")
        #expect(spelled(1e300) == "1e+300")
        #expect(spelled(Date.distantPast.timeIntervalSinceReferenceDate) == "\"0000-12-30T00:00:00.000Z\"")
        #expect(spelled(Date.distantFuture.timeIntervalSinceReferenceDate) == "\"4001-01-01T00:00:00.000Z\"")
    }

    @Test(
        arguments: [
            ("2001-01-01T01:00:00+01:00", 0.0), ("2000-12-31 19:00:00.5-05:00", 0.5), ("2001-01-01t00:00:00,25z", 0.25),
            ("2000-12-31T23:59:60Z", 0), ("2001-01-01T00:00:00.1234567891234Z", 0.123456789),
        ] as [(String, Double)])
    func `other notations of ISO 8601 are read`(spelling: String, seconds: Double) {
        #expect(parsed(spelling) == seconds)
    }

    @Test(arguments: [
        "", "2001", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01T00:00:00.Z", "2001-02-29T00:00:00Z",
        "2001-13-01T00:00:00Z", "2001-00-01T00:00:00Z", "2001-01-00T00:00:00Z", "2001-01-32T00:00:00Z",
        "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z", "2001-01-01T00:00:61Z", "2001-01-01T00:00:00+1:00",
        "2001-01-01T00:00:00ZZ", "20O1-01-01T00:00:00Z", "2001-01-01T00:00:00.5", "-001-01-01T00:00:00Z",
        "2001-01-01T00:00:00*01:00", "1900-02-29T00:00:00Z",
    ])
    func `an invalid date is nil`(spelling: String) {
        #expect(parsed(spelling) == nil)
    }

    private func spelled(_ seconds: Double) -> String {
        var bytes: [UInt8] = []
        SessionLogDate.append(seconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func parsed(_ text: String) -> Double? {
        Array(text.utf8).withUnsafeBufferPointer { SessionLogDate.parse($0) }
    }

    private func read(_ text: String) -> Double? {
        text.first == "\"" ? parsed(String(text.dropFirst().dropLast())) : Double(text)
    }
}
