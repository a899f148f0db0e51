import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct TrackFileWritingTests {
    private func count(_ text: String, in file: WrittenFile) -> Int {
        file.text.components(separatedBy: text).count - 1
    }

    @Test func `a TCX file has laps with their figures, and tracks that end at pauses`() throws {
        let file = try WrittenFile(SmallRide.entries(), as: "tcx")
        #expect(count("<Lap ", in: file) == 4)
        // The pause from 20 to 30 s is in the second lap, and ends where the third begins.
        #expect(count("<Track>", in: file) == 4)
        #expect(count("<Trackpoint>", in: file) == 50)
        #expect(file.text.contains("<Activity Sport=\"Biking\">"))
        #expect(file.text.contains("<TotalTimeSeconds>15</TotalTimeSeconds><DistanceMeters>123.75</DistanceMeters>"))
        #expect(file.text.contains("<TotalTimeSeconds>5</TotalTimeSeconds><DistanceMeters>41.25</DistanceMeters>"))
        #expect(file.text.contains("<ns3:Speed>8.25</ns3:Speed><ns3:Watts>240</ns3:Watts>"))
        #expect(file.text.contains("<DistanceMeters>412.5</DistanceMeters><HeartRateBpm><Value>160</Value>"))
    }

    @Test func `data that TCX does not support is named once with its count`() throws {
        let file = try WrittenFile(SmallRide.entries(), as: "tcx")
        #expect(
            file.leftOut == [
                "100 RR intervals", "50 readings of respiratory rate", "50 fractional cadences", "the sensor Polar H10",
            ])
    }

    @Test func `unsupported metadata is named, and the rest of many keys is summed up`() throws {
        func leftOut(_ keys: [String]) throws -> [String] {
            var entries = SmallRide.entries()
            let values = Dictionary(uniqueKeysWithValues: keys.map { ($0, MetadataValue.bool(true)) })
            let date = entries[entries.count - 2].date
            entries.insert(SessionEntry(date, .metadata(values)), at: entries.count - 1)
            return try WrittenFile(entries, as: "gpx").leftOut.filter { $0.contains("metadata") }
        }
        #expect(try leftOut(["B", "A"]) == ["the metadata A", "the metadata B"])
        #expect(try leftOut((1...9).map { "key\($0)" }).suffix(2) == ["the metadata key5", "more metadata"])
    }

    @Test(arguments: [
        (MetadataValue.bool(false), "tcx", [String]()), (.number(0), "fit", []),
        (.bool(true), "tcx", ["that it was indoors"]), (.bool(true), "fit", []),
    ])
    func `that a workout was outdoors is not lost, and that it was indoors is named in words`(
        isIndoor: MetadataValue, format: String, lost: [String]
    ) throws {
        var entries = SmallRide.entries()
        let metadata: [String: MetadataValue] = ["HKIndoorWorkout": isIndoor, "RecordingWarnings": .number(2)]
        let date = entries[entries.count - 2].date
        entries.insert(SessionEntry(date, .metadata(metadata)), at: entries.count - 1)
        let leftOut = try WrittenFile(entries, as: format).leftOut
        #expect(leftOut.filter { $0.contains("door") || $0.contains("metadata") } == lost)
    }

    @Test func `readings after the last lap are in a lap of their own`() throws {
        let entries = SmallRide.entries().filter {
            if case .event(let event) = $0.content { event.end < SmallRide.start + 40 } else { true }
        }
        let file = try WrittenFile(entries, as: "tcx")
        #expect(count("<Lap ", in: file) == 3)
        #expect(count("<Trackpoint>", in: file) == 50)
    }

    @Test(arguments: ["fit", "tcx", "csv"])
    func `time between legs is named, and stays a part of the workout`(format: String) throws {
        func leg(_ activity: String, _ second: Double) -> [SessionEntry] {
            let date = SmallRide.start + second
            let record = ActivityRecord(id: UUID(), activity: ActivityDescription(activity: activity))
            let reading = QuantityReading("heartRate", 120, unit: "count/min", start: date + 10, end: date + 10)
            return [
                SessionEntry(date, .activityBegan(record)), SessionEntry(date + 10, .quantity(reading)),
                SessionEntry(date + 60, .event(EventRecord(.lap, start: date, end: date + 60))),
            ]
        }
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "swimBikeRun"))
        let ended = SessionEntry(SmallRide.start + 60, .activityEnded)
        let entries =
            [SessionEntry(SmallRide.start, .header(header)), SessionEntry(SmallRide.start, .state(.running))]
            + leg("swimming", 0) + [ended] + leg("cycling", 100)
            + [SessionEntry(SmallRide.start + 160, .state(.stopped))]
        let file = try WrittenFile(entries, as: format)
        #expect(file.leftOut.contains("that there is time between legs"))
        let again = try RecordingFile.readAll(RecordingSource(path: "race.\(format)", bytes: file.bytes))
        let held = HeldReadings(try #require(again.first).entries)
        #expect(held.pauses.isEmpty && held.laps.count == 2)
        #expect(held.start == SmallRide.start && held.end == SmallRide.start + 160)
    }

    @Test func `the energies of TCX laps add up to that of the workout`() throws {
        let entries = [SmallRide.start, SmallRide.start + 60].map { date in
            date == SmallRide.start ? SessionEntry(date, .state(.running)) : SessionEntry(date, .state(.stopped))
        }
        let laps = (0..<5).flatMap { lap in
            let (start, end) = (SmallRide.start + Double(lap) * 12, SmallRide.start + Double(lap + 1) * 12)
            return [
                SessionEntry(
                    end, .quantity(QuantityReading("activeEnergyBurned", 0.6, unit: "kcal", start: start, end: end))),
                SessionEntry(end, .event(EventRecord(.lap, start: start, end: end))),
            ]
        }
        let text = try WrittenFile([entries[0]] + laps + [entries[1]], as: "tcx").text
        let whole = text.matches(of: /<Calories>([0-9]+)</).compactMap { Int($0.1) }
        #expect(whole.count == 5 && whole.reduce(0, +) == 3)
    }

    @Test func `a workout with only heart rates can be a TCX file`() throws {
        let entries = SmallRide.entries().filter {
            switch $0.content {
            case .quantity(let reading): reading.type == "heartRate"
            case .position, .event: false
            default: true
            }
        }
        let file = try WrittenFile(entries, as: "tcx")
        #expect(count("<HeartRateBpm>", in: file) == 50)
        #expect(count("<Position>", in: file) == 0)
    }

    @Test func `a GPX file has a segment between pauses, and the heart rate in its points`() throws {
        let file = try WrittenFile(SmallRide.entries(), as: "gpx")
        #expect(count("<trkseg>", in: file) == 2)
        #expect(count("<trkpt ", in: file) == 50)
        #expect(count("<gpxtpx:hr>", in: file) == 50)
        #expect(file.text.contains("<ele>412</ele><time>2026-01-01T08:01:00.000Z</time>"))
        #expect(file.leftOut.contains("4 laps"))
        #expect(file.leftOut.contains("100 RR intervals"))
    }

    @Test func `a heart rate between two positions is written with the next one`() throws {
        let entries = SmallRide.entries().map { entry in
            guard case .position = entry.content else { return entry }
            return SessionEntry(entry.date + 0.5, entry.content)
        }
        let file = try WrittenFile(entries, as: "gpx")
        #expect(count("<gpxtpx:hr>", in: file) == 50)
    }

    @Test func `a workout without positions is rejected by GPX, with a remedy`() {
        let entries = SmallRide.entries().filter { if case .position = $0.content { false } else { true } }
        #expect(throws: RecordingWriteError.self) { _ = try WrittenFile(entries, as: "gpx") }
    }

    @Test func `a table has a column for each measure, and each cell is one number`() throws {
        let lines = try WrittenFile(SmallRide.entries(), as: "csv").text.components(separatedBy: "\r\n")
        #expect(
            lines[0]
                == "time,seconds,event,heart_rate_bpm,distance_m,speed_m_s,cadence_rpm,power_w,rr_ms,latitude,longitude,"
                + "altitude_m,horizontal_accuracy_m,vertical_accuracy_m,course_deg,respiratoryRate (count/min)")
        #expect(lines[1].hasPrefix("2026-01-01T08:00:00.000Z,0,start cycling,"))
        #expect(lines[2].hasPrefix("2026-01-01T08:00:00.000Z,0,workout "))
        #expect(lines[3].hasPrefix("2026-01-01T08:00:00.000Z,0,device Garmin Edge 530,,"))
        #expect(lines[4].hasPrefix("2026-01-01T08:00:01.000Z,1,,101,8.25,8.25,85.5,181,601,47.50"))
        #expect(lines[4].hasSuffix(",,,,20.25"))
        let second = lines[5].split(separator: ",", omittingEmptySubsequences: false)
        #expect(second[0] == "2026-01-01T08:00:01.000Z" && second[1] == "1" && second[8] == "499")
        #expect(second.count { !$0.isEmpty } == 3)
        // 50 moments of two intervals, a start, the workout, its device, a pause, a resume, four laps, an end, the
        // header and the empty end.
        #expect(lines.count == 100 + 10 + 2)
    }

    @Test func `cumulative sums have one unit, whatever they were measured in`() throws {
        let date = SmallRide.start
        let entries = [
            SessionEntry(date, .state(.running)),
            SessionEntry(
                date, .quantity(QuantityReading("distanceCycling", 1, unit: "km", start: date, end: date + 1))),
            SessionEntry(
                date, .quantity(QuantityReading("distanceCycling", 1, unit: "mi", start: date, end: date + 2))),
            SessionEntry(date + 3, .state(.stopped)),
        ]
        let file = try WrittenFile(entries, as: "tcx")
        #expect(file.text.contains("<DistanceMeters>2609.344</DistanceMeters>"))
    }
}
