import ArgumentParser
import Foundation
import HealthKit
import Testing

@testable import workout

@Suite struct DateArgumentTests {
    /// Saturday, 21 November 2026, 10:20:30 in Berlin.
    private let now = Date(timeIntervalSince1970: 1_795_252_830)
    private let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    private func span(_ text: String) throws -> String {
        let date = try DateArgument.parse(text, now: now, timeZone: berlin)
        let page = Page(timeZone: berlin)
        return date.start == date.end
            ? page.second(date.start) : "\(page.second(date.start)) - \(page.second(date.end))"
    }

    @Test(arguments: [
        ("now", "2026-11-21 10:20:30"), ("today", "2026-11-21 00:00:00 - 2026-11-22 00:00:00"),
        ("yesterday", "2026-11-20 00:00:00 - 2026-11-21 00:00:00"),
        ("7d", "2026-11-14 00:00:00 - 2026-11-15 00:00:00"), ("12h", "2026-11-20 22:20:30"),
        ("90m", "2026-11-21 08:50:30"), ("2w", "2026-11-07 00:00:00 - 2026-11-08 00:00:00"),
        ("6mo", "2026-05-21 00:00:00 - 2026-05-22 00:00:00"), ("1Y", "2025-11-21 00:00:00 - 2025-11-22 00:00:00"),
        ("2026-11-21", "2026-11-21 00:00:00 - 2026-11-22 00:00:00"),
        ("2026-11", "2026-11-01 00:00:00 - 2026-12-01 00:00:00"),
        ("2026", "2026-01-01 00:00:00 - 2027-01-01 00:00:00"), ("2026-11-21T09:30", "2026-11-21 09:30:00"),
        ("2026-11-21 09:30:15", "2026-11-21 09:30:15"), ("2026-11-21T09:30:15.5Z", "2026-11-21 10:30:15"),
        ("2026-11-21T09:30-03:30", "2026-11-21 14:00:00"), ("2026-11-21T09:30+0530", "2026-11-21 05:00:00"),
    ])
    func `a date is an instant or a whole day`(text: String, expected: String) throws {
        #expect(try span(text) == expected)
    }

    @Test func `the day of a clock change has another length`() throws {
        let day = try DateArgument.parse("2026-10-25", now: now, timeZone: berlin)
        #expect(day.end.timeIntervalSince(day.start) == 25 * 3_600)
    }

    @Test(arguments: [
        "", "tomorrowish", "2026-13-01", "2026-02-30", "2026-11-21T25:00", "2026-11-21T09:60", "21.11.2026", "7",
        "-7d", "7x", "2026-11-21T09:30+99:00", "999999d",
    ])
    func `an invalid date is rejected`(text: String) {
        #expect(throws: ValidationError.self) { try DateArgument.parse(text, now: now, timeZone: berlin) }
    }

    @Test(arguments: ["1h", "15m", "1d", "2w", "1mo", "1y", "d"])
    func `intervals cover the range without gaps`(text: String) throws {
        let interval = try #require(StatisticsInterval(argument: text))
        let start = try DateArgument.parse("2026-03-20T09:07", timeZone: berlin).start
        let end = try DateArgument.parse("2026-04-03T22:01", timeZone: berlin).start
        let bounds = try #require(interval.bounds(from: start, to: end, .gregorian(berlin)))
        #expect(bounds.first.map { $0 <= start } == true)
        #expect(bounds.last.map { $0 >= end } == true)
        #expect(bounds.dropLast().dropFirst().allSatisfy { $0 > start && $0 < end })
        #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `a day with a clock change is one interval of 23 hours`() throws {
        let start = try DateArgument.parse("2026-03-28", timeZone: berlin)
        let bounds = try #require(
            StatisticsInterval(1, .day).bounds(
                from: start.start, to: start.start.addingTimeInterval(3 * 86_400 - 3_600), .gregorian(berlin)))
        #expect(zip(bounds, bounds.dropFirst()).map { $1.timeIntervalSince($0) / 3_600 } == [24, 23, 24])
    }

    @Test(arguments: [
        ("6h", "2026-03-28", [0, 6, 12, 18, 0, 6, 12, 18, 0, 6, 12, 18]),
        ("12h", "2026-10-24", [0, 12, 0, 12, 0, 12]), ("24h", "2026-03-28", [0, 0, 0]),
    ])
    func `intervals of several hours begin at the same time each day, also at clock changes`(
        text: String, day: String, hours: [Int]
    ) throws {
        let start = try DateArgument.parse(day, timeZone: berlin).start
        let calendar = Calendar.gregorian(berlin)
        let end = try #require(calendar.date(byAdding: .day, value: 3, to: start))
        let bounds = try #require(StatisticsInterval(argument: text)?.bounds(from: start, to: end, calendar))
        #expect(bounds.dropLast().map { calendar.component(.hour, from: $0) } == hours)
        #expect(bounds.last == end)
    }

    @Test func `the repeated hour is two intervals, and the skipped one is none`() throws {
        for (day, count) in [("2026-10-25", 25), ("2026-03-29", 23)] {
            let start = try DateArgument.parse(day, timeZone: berlin).start
            let calendar = Calendar.gregorian(berlin)
            let end = try #require(calendar.date(byAdding: .day, value: 1, to: start))
            let bounds = try #require(StatisticsInterval(1, .hour).bounds(from: start, to: end, calendar))
            #expect(bounds.count == count + 1)
            #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $1.timeIntervalSince($0) == 3600 })
        }
    }

    @Test(arguments: ["", "0h", "1q", "-1d", "1.5h", "99999d", "h1"])
    func `an invalid interval is rejected`(text: String) {
        #expect(StatisticsInterval(argument: text) == nil)
    }

    @Test func `too many intervals are rejected, not counted`() throws {
        let start = Date(timeIntervalSince1970: 0)
        #expect(StatisticsInterval(1, .minute).bounds(from: start, to: now, .gregorian(.gmt)) == nil)
    }
}
