import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct PolarFlowFormatTests {
    private static let session = """
        {"exportVersion": "1.6", "name": "Run", "startTime": "2026-03-01T18:00:00.000", "deviceId": "ABC123",
         "exercises": [{"startTime": "2026-03-01T18:00:00.000", "stopTime": "2026-03-01T18:00:03.000",
          "timezoneOffset": 60, "sport": "RUNNING", "kiloCalories": 12, "distance": 9.0,
          "samples": {
           "heartRate": [{"dateTime": "2026-03-01T18:00:00.000", "value": 100}, {"dateTime": "2026-03-01T18:00:01.000"},
                         {"dateTime": "2026-03-01T18:00:02.000", "value": 102}],
           "speed": [{"dateTime": "2026-03-01T18:00:01.000", "value": 10.8}],
           "distance": [{"dateTime": "2026-03-01T18:00:01.000", "value": 3.0},
                        {"dateTime": "2026-03-01T18:00:03.000", "value": 9.0}],
           "recordedRoute": [{"dateTime": "2026-03-01T18:00:01.000", "longitude": 13.25, "latitude": 52.5, "altitude": 30}],
           "rr": [{"duration": "PT0.6S"}, {"duration": "PT0.61S"}]},
          "laps": [{"lapNumber": 0, "splitTime": "PT1.5S"}]}]}
        """

    /// A session of 40 s with a rest of 60 s after 20 s, and laps of 10 and 30 s.
    private static func sessionWithPause() -> String {
        func date(_ second: Int) -> String {
            String(format: "2026-03-01T18:%02d:%02d.000", second / 60, second % 60)
        }
        let seconds = Array(0...20) + Array(80...100)
        let rates = seconds.map { #"{"dateTime": "\#(date($0))", "value": 100}"# }
        let meters = seconds.map { #"{"dateTime": "\#(date($0))", "value": \#($0 < 50 ? 3 * $0 : 3 * $0 - 180)}"# }
        return """
            {"exportVersion": "1.6", "startTime": "\(date(0))", "exercises": [{"startTime": "\(date(0))", "stopTime": "\(date(100))",
             "timezoneOffset": 0, "sport": "RUNNING", "duration": "PT40S", "distance": 120,
             "samples": {"heartRate": [\(rates.joined(separator: ","))], "distance": [\(meters.joined(separator: ","))]},
             "laps": [{"splitTime": "PT10S"}, {"splitTime": "PT40S"}]}]}
            """
    }

    @Test func `a rest is a pause of a Polar Flow session, and splits do not count it`() throws {
        let recording = try TableTexts.read(Self.sessionWithPause())
        let start = try #require(recording.start)
        #expect(recording.facts.seconds == 100)
        #expect(recording.pauses.map { $0.start.timeIntervalSince(start) } == [20])
        #expect(recording.pausedInSeconds == 60)
        #expect(recording.events(.lap).map { $0.start.timeIntervalSince(start) } == [0, 10])
        #expect(recording.events(.lap).map { $0.end.timeIntervalSince(start) } == [10, 100])
        #expect(recording.metersCovered == 120)
    }

    @Test func `a rest is a pause also if the other exercise of the session has none`() throws {
        let ride = """
            {"startTime": "2026-03-01T18:01:40.000", "stopTime": "2026-03-01T18:01:50.000", "timezoneOffset": 0,
             "sport": "CYCLING", "duration": "PT10S",
             "samples": {"heartRate": [\((100...110).map { """
                {"dateTime": "2026-03-01T18:01:\($0 - 60).000", "value": 120}
                """ }.joined(separator: ","))]}}
            """
        let both = Self.sessionWithPause().replacingOccurrences(of: "]}]}", with: "]},\(ride)]}")
        let recording = try TableTexts.read(both)
        #expect(recording.facts.seconds == 110 && recording.pausedInSeconds == 60)
    }

    @Test func `a Polar Flow session has samples, laps and energy`() throws {
        let recording = try TableTexts.read(Self.session)
        #expect(recording.file.format == "polar-flow")
        #expect(recording.start == TableTexts.date("2026-03-01T17:00:00Z"))
        #expect(recording.facts.seconds == 3)
        #expect(recording.header?.activity == ActivityDescription(activity: "running", location: .outdoor))
        #expect(recording.values("heartRate") == [100, 102] && recording.timeZone == "GMT+0100")
        #expect(recording.file.heartRate.count == 2)
        #expect(recording.values("runningSpeed") == [3])
        #expect(recording.values("distanceWalkingRunning") == [3, 6])
        #expect(recording.values("activeEnergyBurned") == [12])
        #expect(recording.positions.map(\.altitudeInMeters) == [30])
        #expect(recording.file.rrIntervalsInMilliseconds == [600, 610])
        #expect(recording.events(.lap).map { $0.end.timeIntervalSince($0.start) } == [3])
        #expect(recording.isInOrder)
        #expect(recording.list == recording.list)
    }

    @Test func `exercises are activities with their own count, energy and pedal power`() throws {
        func exercise(_ sport: String, _ minute: Int, _ samples: String) -> String {
            """
            {"startTime": "2026-03-01T18:0\(minute):00.000", "stopTime": "2026-03-01T18:0\(minute):30.000",
             "timezoneOffset": 0, "sport": "\(sport)", "kiloCalories": 10, "distance": 100.0, "samples": {\(samples)}}
            """
        }
        let distance = """
            "distance": [{"dateTime": "2026-03-01T18:00:10.000", "value": 50.0},
                         {"dateTime": "2026-03-01T18:00:30.000", "value": 100.0}]
            """
        let power = ["left", "right"].map {
            "\"\($0)PedalCrankBasedPower\": [{\"dateTime\": \"2026-03-01T18:01:10.000\", \"currentPower\": 80}]"
        }.joined(separator: ",")
        let recording = try TableTexts.read(
            """
            {"exportVersion": "1.6", "startTime": "2026-03-01T18:00:00.000", "deviceId": "ABC123", "exercises": [
            \(exercise("CYCLING", 1, power)), \(exercise("RUNNING", 0, distance))]}
            """)
        #expect(HeldReadings(recording.entries).activities.dropFirst() == ["running", "cycling"])
        #expect(recording.values("distanceWalkingRunning").reduce(0, +) == 100)
        #expect(recording.values("distanceCycling").reduce(0, +) == 100)
        #expect(recording.values("activeEnergyBurned").reduce(0, +) == 20)
        #expect(recording.values("cyclingPower") == [160])
        #expect(recording.facts.seconds == 90)
        #expect(recording.device?.manufacturer == "Polar" && recording.device?.localIdentifier == "ABC123")
    }

    @Test func `a session truncated at any byte is rejected with a sentence`() {
        let bytes = Array(Self.session.utf8)
        for count in stride(from: 60, to: bytes.count - 2, by: 7) {
            let error = #expect(throws: RecordingError.self) { try TableTexts.read(Array(bytes.prefix(count))) }
            #expect(error?.description.contains("cannot read table") == true)
        }
    }

    @Test func `other files of a Polar takeout are not workouts`() throws {
        #expect(!PolarFlowFormat().recognizes(FileStart(Array("{\"username\": \"x\", \"sex\": \"MALE\"}".utf8))))
        let empty = try TableTexts.read("{\"exportVersion\": \"1.6\", \"startTime\": \"2026-03-01T18:00:00.000\"}")
        #expect(empty.facts.start == nil && empty.isEmptyOfEntries)
    }
}

extension Recording {
    fileprivate var isEmptyOfEntries: Bool { entries.isEmpty }
}
