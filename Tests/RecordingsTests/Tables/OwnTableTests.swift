import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Tables that this package writes, read again.
struct OwnTableTests {
    private func read(_ bytes: [UInt8]) throws -> Recording {
        try #require(try RecordingFile.readAll(RecordingSource(path: "table", bytes: bytes)).first)
    }

    @Test(arguments: ["csv", "tsv"])
    func `readings without a standard column survive with their names and units`(format: String) throws {
        let entries = SmallRide.entries()
        let recording = try read(WrittenFile(entries, as: format).bytes)
        #expect(recording.values("respiratoryRate") == Array(repeating: 20.25, count: 50))
        #expect(HeldReadings(recording.entries).others["cyclingPower"] == HeldReadings(entries).others["cyclingPower"])
        #expect(recording.file.warnings.isEmpty, "\(recording.file.warnings)")
    }

    @Test func `cumulative values span the time between rows`() throws {
        let start = SmallRide.start
        func steps(_ value: Double, _ from: Double, _ to: Double) -> SessionEntry {
            SessionEntry(
                start + to,
                .quantity(
                    QuantityReading("stepCount", value, unit: "count", start: start + from, end: start + to)))
        }
        let entries = [
            SessionEntry(
                start, .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: "hiking")))),
            SessionEntry(start, .state(.running)), steps(10, 0, 10), steps(21, 10, 30),
            SessionEntry(start + 30, .state(.stopped)),
        ]
        let found = try read(WrittenFile(entries, as: "csv").bytes).readings("stepCount")
        #expect(found.map(\.value) == [10, 21])
        #expect(found.map { $0.start.timeIntervalSince(start) } == [0, 10])
        #expect(found.map { $0.end.timeIntervalSince(start) } == [10, 30])
    }

    @Test func `the activities of a workout survive, including the first`() throws {
        let start = SmallRide.start
        func part(_ activity: String, _ second: Double) -> SessionEntry {
            SessionEntry(
                start + second,
                .activityBegan(ActivityRecord(id: UUID(), activity: ActivityDescription(activity: activity))))
        }
        func rate(_ second: Double) -> SessionEntry {
            let date = start + second
            return SessionEntry(
                date, .quantity(QuantityReading("heartRate", 120, unit: "count/min", start: date, end: date)))
        }
        let header = SessionHeader(id: UUID(), activity: ActivityDescription())
        let entries = [
            SessionEntry(start, .header(header)), SessionEntry(start, .state(.running)), part("rowing", 0), rate(1),
            part("running", 10), rate(11), part("cycling", 20), rate(21), SessionEntry(start + 30, .state(.stopped)),
        ]
        let after = HeldReadings(try read(WrittenFile(entries, as: "csv").bytes).entries)
        #expect(after.activities == ["other", "rowing", "running", "cycling"])
    }

    @Test func `columns with such names in other tables are ignored`() throws {
        let recording = try TableTexts.read(
            "time,hr,stepCount (count)\n2026-03-01T10:00:00Z,100,5\n2026-03-01T10:00:01Z,101,6\n")
        #expect(recording.values("stepCount").isEmpty && recording.values("heartRate") == [100, 101])
    }

    @Test func `a name that ends with tsv means tabs`() throws {
        let format = try #require(RecordingFile.format(ofName: "Ride.TSV"))
        #expect(format.name == "tsv" && RecordingFile.format(ofName: "ride.csv")?.name == "csv")
        let text = try WrittenFile(SmallRide.entries(), as: "tsv").text
        let lines = text.split(separator: "\r\n")
        #expect(lines[0].hasPrefix("time\tseconds\tevent\theart_rate_bpm\t"))
        #expect(Set(lines.map { $0.count { $0 == "\t" } }).count == 1)
        #expect(!text.contains(","))
    }
}
