import Foundation
import HealthData
import Testing

@Suite struct CivilDayTests {
    @Test(arguments: ["1985-02-30", "85-02-01", "1985-2", "x", "1985-13-01", "1900-02-29", "1799-12-31"])
    func `a day that does not exist is nil`(text: String) {
        #expect(CivilDay(stated: text) == nil)
    }

    @Test(arguments: ["1985-02-28", "2000-02-29", "1800-01-01", "9999-12-31"])
    func `a day is formatted as it was stated`(text: String) {
        #expect(CivilDay(stated: text)?.description == text)
    }

    @Test func `whole years are counted from the day itself`() throws {
        let birth = try #require(CivilDay(stated: "1985-02-28"))
        func years(_ text: String) throws -> Double? { birth.years(to: try Date(text, strategy: .iso8601)) }
        #expect(try years("2025-02-27T23:59:59Z") == 39)
        #expect(try years("2025-02-28T00:00:00Z") == 40)
        #expect(try years("1985-02-27T12:00:00Z") == nil)
    }

    @Test(arguments: ["Europe/Berlin", "Pacific/Apia", "America/St_Johns", "UTC"])
    func `the day of a moment is that of its time zone, and survives components`(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        var calendar = Calendar.gregorian(zone)
        let midnight = try #require(calendar.date(from: DateComponents(year: 2024, month: 3, day: 10)))
        #expect(CivilDay(midnight, in: zone) == CivilDay(year: 2024, month: 3, day: 10))
        #expect(CivilDay(midnight - 1, in: zone) == CivilDay(year: 2024, month: 3, day: 9))
        calendar.timeZone = zone
        let day = CivilDay(year: 2024, month: 2, day: 29)
        #expect(CivilDay(day.components(in: calendar)) == day)
    }
}
