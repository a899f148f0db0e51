import Foundation
import HealthKit
import StoredWorkouts
import Testing

@testable import workout

@Suite struct SummaryJSONTests {
    @Test func `a summary is one line with its keys in order`() {
        let expected = """
            {"workout":{"id":"00000000-0000-0000-0000-000000000001","activity":"running",\
            "start":"2026-11-21T09:00:00.000Z","end":"2026-11-21T10:02:03.000Z",\
            "elapsed":3723.0004,"duration":3600,\
            "pauses":[{"start":"2026-11-21T09:16:40.000Z","end":"2026-11-21T09:18:43.000Z"}],"laps":2,\
            "lapFigures":[{"start":"2026-11-21T09:00:00.000Z","end":"2026-11-21T09:16:40.000Z","duration":1000,\
            "distance":3400,"averageHeartRate":138.4,"maximumHeartRate":150},\
            {"start":"2026-11-21T09:18:43.000Z","end":"2026-11-21T10:02:03.000Z","duration":2600,"distance":8842}],\
            "events":[{"type":"lap","start":"2026-11-21T09:00:00.000Z","end":"2026-11-21T09:16:40.000Z"}],\
            "statistics":{"HKQuantityTypeIdentifierDistanceWalkingRunning":\
            {"unit":"m","count":720,"sum":12242.3},\
            "HKQuantityTypeIdentifierHeartRate":\
            {"unit":"count/min","count":3600,"minimum":92,"average":141.666666667,"arithmeticMean":141.9,\
            "maximum":178,"mostRecent":150}},\
            "beats":{"count":8500,"sdnn":41.2,"rmssd":22.8},\
            "route":{"points":3600,"distance":12250.75},\
            "zones":[{"zone":1,"seconds":300},{"zone":2,"seconds":900},{"zone":3,"seconds":1800},\
            {"zone":4,"seconds":600},{"zone":5,"seconds":0}],\
            "sensors":[{"name":"Polar \\"H10\\"","kind":"replay"}]},\
            "file":{"format":"fit","records":3,"heartRate":{"count":3,"minimum":92,"mean":137,"maximum":178},\
            "rr":{"count":3,"sdnn":10,"rmssd":15.8113883008},"laps":2,"sessions":1,"elapsed":3723,"timer":3600,\
            "warnings":[{"byte":10755,"message":"the message has a local type that no definition came before, \
            so it was left out of the recording"}]}}
            """
        #expect(SummaryJSON.line(workout: .run, file: .fit) == expected)
    }

    @Test func `missing data of a recording is left out`() {
        #expect(
            SummaryJSON.line(workout: .empty) == """
                {"workout":{"id":"00000000-0000-0000-0000-000000000002","activity":"other",\
                "start":"1970-01-01T00:00:00.000Z","end":"1970-01-01T00:01:00.000Z","elapsed":60,"duration":60,\
                "pauses":[],"laps":0,"events":[],"statistics":{},"sensors":[]}}
                """)
        #expect(
            SummaryJSON.line(workout: nil, file: .empty)
                == #"{"file":{"format":"jsonl","records":0,"laps":0,"sessions":0,"warnings":[]}}"#)
    }

    @Test func `a JSON parser reads the line back`() throws {
        let line = SummaryJSON.line(workout: .run, file: .fit)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let workout = try #require(object["workout"] as? [String: Any])
        let sensors = try #require(workout["sensors"] as? [[String: String]])
        #expect(sensors == [["name": "Polar \"H10\"", "kind": "replay"]])
        #expect(!line.contains("\n"))
    }
}

@Suite struct JSONTextTests {
    @Test(arguments: [
        (0.1 + 0.2, "0.3"), (3_723, "3723"), (-0.0, "0"), (141.66666666666666, "141.666666667"), (1e20, "1e+20"),
        (0.000001, "1e-06"), (-2.5, "-2.5"), (1e15, "1e+15"),
    ])
    func `numbers have no noise`(number: Double, text: String) {
        #expect(JSONText.number(number).text == text)
    }

    @Test func `each number is formatted as by printf with twelve digits`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let scale = [1.0, 8, 10, 1024, 1000, 1e5, 1e9][Int.random(in: 0..<7, using: &random)]
            let value = Double(Int.random(in: -10_000_000...10_000_000, using: &random)) / scale
            // Integers have no exponent, even long ones.
            guard value != value.rounded() else { continue }
            #expect(JSONText.number(value).text == String(format: "%.12g", value))
        }
        for value in [0.001, 0.0009999, 999_999_999_999.5, 99_999_999_999.5, 1.000000001, 0.1 + 0.2, -0.5, 1e-300] {
            #expect(JSONText.number(value).text == String(format: "%.12g", value))
        }
    }

    @Test func `an invalid number is left out`() {
        #expect(
            JSONText.object([("a", .optional(.nan)), ("b", .optional(nil)), ("c", .optional(1))]).text == #"{"c":1}"#)
    }

    @Test func `strings are escaped`() {
        #expect(JSONText.string("a\"\\\n\u{1}é/").text == #""a\"\\\n\u0001é/""#)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
        (1_709_164_800.5, "2024-02-29T00:00:00.500Z"),
        (951_782_399.9996, "2000-02-29T00:00:00.000Z"), (4_107_542_399.9994, "2100-02-28T23:59:59.999Z"),
        (-62_135_596_800, "0001-01-01T00:00:00.000Z"), (253_402_300_799.999, "9999-12-31T23:59:59.999Z"),
    ])
    func `a date is UTC with milliseconds`(seconds: Double, text: String) {
        #expect(JSONText.date(Date(timeIntervalSince1970: seconds))?.text == "\"\(text)\"")
    }

    @Test(arguments: [1e300, -1e300, .nan, .infinity])
    func `an impossible date is left out`(seconds: Double) {
        #expect(JSONText.date(Date(timeIntervalSince1970: seconds)) == nil)
    }
}
