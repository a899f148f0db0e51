import Analytics
import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Sessions and series like those in adidas Running's exports, older and newer ones.
struct AdidasFormatTests {
    private static let id = "fdd2f131-ef65-4e6c-b27e-50b8ecf465d4"
    /// 2018-09-01 09:28:34 UTC.
    private static let start = 1_535_794_114_000

    private static let old = """
        {"start_time":\(start),"end_time":\(start + 660_000),"start_time_timezone_offset":7200000,"distance":1520,
        "duration":600000,"average_speed":9.1,"calories":120,"pause_duration":60000,"temperature":19.0,"notes":"Hot",
        "pulse_avg":140,"manual":false,"indoor":false,"id":"\(id)","sport_type_id":"1"}
        """
    private static let new = """
        {"id":"\(id)","user_id":"1","sport_type_id":"1","duration":600000,"pause":60000,"calories":120,"notes":"Hot",
        "start_time_timezone_offset":7200000,"start_time":\(start),"end_time":\(start + 660_000),
        "features":[{"type":"weather","attributes":{"temperature":19}},
        {"type":"track_metrics","attributes":{"distance":1520,"elevation_gain":7}}]}
        """

    /// One row every 3 s, with a pause of a minute after 300 s.
    private static func rows(_ isNew: Bool, _ values: (Int) -> String) -> String {
        let rows = stride(from: 0, through: 660, by: 3).filter { !(301..<360).contains($0) }.map { second in
            let time = start + second * 1000
            let local = Date(timeIntervalSince1970: Double(time) / 1000 + 7200).ISO8601Format()
            let text = local.replacing("T", with: " ").replacing("Z", with: " +0200")
            return "{\"version\":1,\"timestamp\":\(isNew ? "\(time)" : "\"\(text)\""),\(values(second))}"
        }
        return "[\(rows.joined(separator: ",\n"))]"
    }

    private static func files(isNew: Bool) -> [(name: String, text: String)] {
        let places = rows(isNew) {
            #""longitude":3.07,"latitude":\#(50.6 + Double($0) * 2e-5),"altitude":36.5,"speed":9.0,"duration":\#($0 * 1000),"distance":\#($0 * 2)"#
        }
        let rates = rows(isNew) { #""heart_rate":\#(130 + $0 % 20),"duration":\#($0 * 1000),"distance":\#($0 * 2)"# }
        return [
            ("x/Sport-sessions/GPS-data/2018-09-01-UTC_\(id).json", places),
            ("x/Sport-sessions/Heart-rate-data/\(id).json", rates),
        ]
    }

    private func read(_ session: String, _ files: [(name: String, text: String)]) throws(RecordingError) -> Recording {
        let sources = files.map { ($0.name, RecordingSource(path: $0.name, bytes: Array($0.text.utf8))) }
        let formats = RecordingFile.formats(TableOptions(zone: .gmt), files: TakeoutFiles(sources))
        let source = RecordingSource(path: "session.json", bytes: Array(session.utf8))
        return try RecordingFile.readAll(source, formats: formats)[0]
    }

    @Test(arguments: [false, true])
    func `a session has its figures, heart rates, positions and pause`(isNew: Bool) throws {
        let run = try read(isNew ? Self.new : Self.old, Self.files(isNew: isNew))
        #expect(run.file.format == "adidas" && run.isInOrder)
        #expect(run.header?.activity == ActivityDescription(activity: "running", location: .outdoor))
        #expect(run.start == TableTexts.date("2018-09-01T09:28:34Z") && run.facts.seconds == 660)
        #expect(run.pauses.map(\.duration) == [60])
        #expect(run.values("heartRate").count == 202 && run.positions.count == 202)
        #expect(run.values("distanceWalkingRunning").reduce(0, +) == 1320)
        #expect(run.values("runningSpeed").allSatisfy { $0 == 2.5 })
        #expect(run.values("activeEnergyBurned").reduce(0, +).rounded() == 120)
        #expect(run.labels.notes == "Hot" && run.device?.name == "adidas Running" && run.timeZone == "GMT+0200")
    }

    @Test func `a session without series has its figures`() throws {
        for session in [Self.old, Self.new] {
            let run = try read(session, [])
            #expect(run.values("distanceWalkingRunning").reduce(0, +) == 1520 && run.facts.seconds == 660)
            #expect(run.header?.activity.location == .unknown && run.values("heartRate").isEmpty)
        }
        let full = try read(Self.old, Self.files(isNew: false)).file.ownID
        let bare = try read(Self.old, []).file.ownID
        #expect(full != nil && bare != full)
        let new = try read(Self.new, Self.files(isNew: true)).file.ownID
        #expect(new == full)
    }

    @Test func `without positions the distance is that of the heart rates`() throws {
        let run = try read(Self.new, [Self.files(isNew: true)[1]])
        #expect(run.values("distanceWalkingRunning").reduce(0, +) == 1320 && run.values("heartRate").count == 202)
    }

    @Test func `damaged series are reported, and damaged sessions are errors`() throws {
        let files = Self.files(isNew: true)
        let cut = try read(Self.new, [(files[0].name, String(files[0].text.dropLast())), files[1]])
        #expect(cut.file.warnings.map(\.message).contains { $0.contains("GPS-data cannot be read") })
        #expect(cut.positions.isEmpty && cut.values("heartRate").count == 202)
        #expect(throws: RecordingError.self) { try read(Self.old.replacing("\"start_time\":", with: "\"x\":"), []) }
        #expect(throws: RecordingError.self) {
            try read(Self.old.replacing("\"duration\":600000", with: "\"duration\":1e300"), [])
        }
        let bytes = Array(Self.old.utf8)
        var random = SeededGenerator(seed: 3)
        for count in bytes.indices {
            var changed = bytes
            changed[count] = UInt8.random(in: 0...255, using: &random)
            for part in [Array(bytes[..<count]), changed] {
                let source = RecordingSource(path: "session.json", bytes: part)
                guard let read = try? RecordingFile.readAll(source, formats: [AdidasFormat()]) else { continue }
                for recording in read { #expect(recording.isInOrder) }
            }
        }
    }

    @Test(arguments: ["1e17", "1e300", "-1e300", "null", "\"x\""])
    func `a start that is no date is an error`(start: String) {
        let text = Self.old.replacing("\"start_time\":\(Self.start)", with: "\"start_time\":\(start)")
        #expect(throws: RecordingError.self) {
            try read(text.replacing("\"end_time\":\(Self.start + 660_000)", with: "\"end_time\":\(start)"), [])
        }
    }

    @Test(arguments: [("4", "cycling"), ("7", "hiking"), ("19", "walking"), ("5", "other"), ("9999", "other")])
    func `numbers are sports`(number: String, activity: String) throws {
        let text = Self.old.replacing("\"sport_type_id\":\"1\"", with: "\"sport_type_id\":\"\(number)\"")
        #expect(try read(text, []).header?.activity.activity == activity)
        // As a number, large or small.
        let bare = text.replacing("\"\(number)\"", with: number)
        #expect(try read(bare, []).header?.activity.activity == activity)
        #expect(try read(text.replacing("\"\(number)\"", with: "1e300"), []).header?.activity.activity == "other")
    }
}
