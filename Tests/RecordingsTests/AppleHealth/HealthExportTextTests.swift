import Analytics
import Foundation
import Testing

@testable import Recordings
@testable import SessionLog
@testable import XML

/// Dates, numbers and device texts in the form of exports.
struct HealthExportTextTests {
    private func parse(_ text: String) -> Date? {
        var dates = HealthExportDate()
        return Array(text.utf8).withUnsafeBufferPointer { dates.date($0) }
    }

    @Test(
        arguments: [
            ("2019-06-11 15:00:42 -0700", "2019-06-11T22:00:42Z"),
            ("2024-01-01 01:01:36 +0200", "2023-12-31T23:01:36Z"),
            ("2024-02-29 23:59:59 +0000", "2024-02-29T23:59:59Z"),
            ("2020-01-01 00:00:00 +0545", "2019-12-31T18:15:00Z"),
            ("2019-06-11T15:00:42Z", "2019-06-11T15:00:42Z"), ("2019-06-11 15:00:42 +01:00", "2019-06-11T14:00:42Z"),
            ("2019-06-11T15:00:42-0300", "2019-06-11T18:00:42Z"), ("1969-12-31 23:59:59 -0100", "1970-01-01T00:59:59Z"),
        ])
    func `a date respects its offset`(text: String, expected: String) throws {
        #expect(parse(text) == (try Date.ISO8601FormatStyle().parse(expected)))
    }

    @Test(
        arguments: [
            "", "2019-06-11", "2019-06-31 15:00:42 -0700", "2019-13-11 15:00:42 -0700", "2019-06-11 24:00:42 -0700",
            "2019-06-11 15:60:42 -0700", "2019-06-11 15:00:42 -2500", "2019-06-11 15:00:42 0700",
            "2019-06-1a 15:00:42 -0700",
            "2019-06-11 15:00:4x -0700", "2023-02-29 00:00:00 +0000", "1985-02-28", "yesterday at the latest, +0000",
        ])
    func `an invalid date is nil`(text: String) { #expect(parse(text) == nil) }

    @Test func `the day cache keeps days apart`() throws {
        var dates = HealthExportDate()
        var random = SeededGenerator(seed: 3)
        let format = Date.VerbatimFormatStyle(
            format:
                "\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) +0000",
            timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
        for _ in 0..<2000 {
            let date = Date(timeIntervalSince1970: Double(Int.random(in: 0...4_000_000_000, using: &random)))
            #expect(Array(date.formatted(format).utf8).withUnsafeBufferPointer { dates.date($0) } == date)
        }
    }

    @Test(
        arguments: [
            "0", "72", "-1", "+5", "0.4971749504535062", "48.74499999999999", "22.5312", "1e-05", "1.5E3", "0.1", ".5",
            "5.",
            "123456789012345678901234567890", "0.00000000000000000000000000001234", "9007199254740993", "1e400",
            "5e-324",
            "179769313486231570000000000000000", "2.2250738585072011e-308",
        ])
    func `a number is the one its digits spell`(text: String) {
        let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
        #expect(XMLNumber.value(of: text) == expected || text == "5." || text == ".5")
    }

    @Test(arguments: [
        "", "-", ".", "e5", "1e", "1e+", "1,5", "nan", "inf", "0x10", "1 ", " 1", "1.2.3", "1e5x", "--1", "1e999999",
    ])
    func `an invalid number is nil`(text: String) { #expect(XMLNumber.value(of: text) == nil) }

    @Test func `random numbers are parsed as exactly as by the standard library`() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            let value = Double.random(in: -1e6...1e6, using: &random) * [1e-9, 1, 1e12].randomElement(using: &random)!
            #expect(XMLNumber.value(of: value.description) == value)
        }
    }

    @Test func `a device has its text's properties`() {
        let device = DeviceDescription(
            healthExport:
                "<<HKDevice: 0x282a45810>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,7, "
                + "firmware:1, 2, software:10.2, localIdentifier:A:B, UDIDeviceIdentifier:(null), "
                + "creation date:2023-10-11 12:24:30 +0000>")
        #expect(
            device
                == DeviceDescription(
                    name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "Watch6,7",
                    firmwareVersion: "1, 2", softwareVersion: "10.2", localIdentifier: "A:B"))
    }

    @Test(arguments: [
        ("Polar H10", "Polar H10"), ("", nil), ("<<HKDevice: 0x1>>", nil), ("<<HKDevice: 0x1>, name:>", nil),
    ])
    func `a device text of another form is a name, and an empty one no device`(text: String, name: String?) {
        #expect(DeviceDescription(healthExport: text)?.name == name)
    }

    @Test(arguments: [
        ("56 degF", 56, "degF"), ("6400 %", 6400, "%"), ("1.5", 1.5, ""), ("9.5 kcal/hr·kg", 9.5, "kcal/hr·kg"),
    ])
    func `a metadata text may be a quantity`(text: String, value: Double, unit: String) {
        #expect(HealthQuantity(text) == HealthQuantity(value: value, unit: unit))
    }

    @Test(arguments: ["", "Europe/Berlin", "2.16.0", "degF 56"])
    func `other metadata texts are not quantities`(text: String) { #expect(HealthQuantity(text) == nil) }

    @Test func `the names of elements and attributes are those of Apple's document type`() {
        #expect(
            HealthExportTag.names.contains("HealthData")
                && HealthExportTag.names.contains("InstantaneousBeatsPerMinute"))
        #expect(HealthExportTag.names.count == Int(HealthExportTag.unknown.rawValue))
        #expect(HealthExportAttribute.names.contains("startDate"))
        let vocabulary = XMLVocabulary(HealthExportTag.names)
        for (number, name) in HealthExportTag.names.enumerated() {
            #expect(
                Array(name.utf8).withUnsafeBufferPointer { vocabulary.number(of: $0.baseAddress!, count: $0.count) }
                    == number)
        }
    }
}
