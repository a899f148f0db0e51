import Analytics
import Foundation
import HealthKit
import MadeSamples
import Testing

@Suite struct BucketGridTests {
    private static func calendar(_ zone: String) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        return calendar
    }

    private static func date(_ text: String) throws -> Date {
        try #require(ISO8601DateFormatter().date(from: text))
    }

    struct Day: CustomTestStringConvertible {
        var zone: String
        var midnight: String
        var hours: [Double]
        var testDescription: String { "\(zone) \(midnight)" }
    }

    @Test(arguments: [
        // The nights of the clock changes: 2024-03-31 and 2024-10-27 in Berlin, 2024-03-10 and 2024-11-03 in New
        // York.
        Day(zone: "Europe/Berlin", midnight: "2024-03-29T23:00:00Z", hours: [24, 23, 24]),
        Day(zone: "Europe/Berlin", midnight: "2024-10-25T22:00:00Z", hours: [24, 25, 24]),
        Day(zone: "America/New_York", midnight: "2024-03-09T05:00:00Z", hours: [24, 23, 24]),
        Day(zone: "America/New_York", midnight: "2024-11-02T04:00:00Z", hours: [24, 25, 24]),
    ])
    func `a day is as long as its clock makes it`(_ day: Day) throws {
        let start = try Self.date(day.midnight)
        let calendar = try Self.calendar(day.zone)
        let days = try #require(BucketGrid(anchor: start, components: DateComponents(calendar: calendar, day: 1)))
        let lengths = (0..<3).map { days.start($0 + 1).timeIntervalSince(days.start($0)) / 3600 }
        #expect(lengths == day.hours)

        let hours = try #require(BucketGrid(anchor: start, components: DateComponents(calendar: calendar, hour: 1)))
        let bounds = try hours.bounds(covering: days.start(1)...(days.start(2) - 1))
        #expect(Double(bounds.count - 1) == day.hours[1])
        #expect(bounds.first == days.start(1) && bounds.last == days.start(2))
    }

    @Test func `days keep their hour if the anchor is not midnight, even one that a clock change skips`() throws {
        let calendar = try Self.calendar("Europe/Berlin")
        // 02:30 does not exist on 2024-03-31.
        let grid = try #require(
            BucketGrid(
                anchor: try Self.date("2024-03-29T01:30:00Z"), components: DateComponents(calendar: calendar, day: 1)))
        let hours = (0..<4).map { calendar.dateComponents([.hour, .minute], from: grid.start($0)) }
        #expect(hours.map(\.hour) == [2, 2, 3, 2])
        #expect(hours.map(\.minute) == [30, 30, 30, 30])
    }

    @Test func `months from the 31st do not drift`() throws {
        let calendar = try Self.calendar("Europe/Berlin")
        let grid = try #require(
            BucketGrid(
                anchor: try Self.date("2024-01-30T23:00:00Z"), components: DateComponents(calendar: calendar, month: 1))
        )
        #expect((0..<5).map { calendar.component(.day, from: grid.start($0)) } == [31, 29, 31, 30, 31])
    }

    @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"])
    func `every date is in the bucket with its number, before and after the anchor`(_ zone: String) throws {
        var random = SeededGenerator(seed: 5)
        let calendar = try Self.calendar(zone)
        for components in [
            DateComponents(calendar: calendar, minute: 17), DateComponents(calendar: calendar, hour: 1),
            DateComponents(calendar: calendar, day: 1), DateComponents(calendar: calendar, day: 3, hour: 5),
            DateComponents(calendar: calendar, weekOfYear: 1), DateComponents(calendar: calendar, month: 1),
            DateComponents(calendar: calendar, year: 1),
        ] {
            let grid = try #require(
                BucketGrid(anchor: Date(timeIntervalSinceReferenceDate: 700_000_000), components: components))
            for _ in 0..<60 {
                let date = Date(timeIntervalSinceReferenceDate: Double.random(in: 0..<1_400_000_000, using: &random))
                let index = grid.index(of: date)
                #expect(grid.start(index) <= date && date < grid.start(index + 1))
                #expect(grid.index(of: grid.start(index)) == index)
            }
        }
    }

    @Test(arguments: [DateComponents(), DateComponents(day: 0), DateComponents(hour: -1), DateComponents(day: -1)])
    func `intervals must be positive`(_ components: DateComponents) {
        #expect(BucketGrid(anchor: Made.start, components: components) == nil)
    }

    @Test func `too many intervals are rejected`() throws {
        let grid = try #require(BucketGrid(anchor: Made.start, components: DateComponents(second: 1)))
        #expect(throws: HKError.self) { try grid.bounds(covering: .distantPast ... .distantFuture) }
    }
}
