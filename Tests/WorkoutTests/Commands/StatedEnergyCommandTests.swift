import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// The energy that a file states is the workout's, whatever the profile, and wherever it is shown.
@Suite(.needsCommand) struct StatedEnergyCommandTests {
    private let command: BuiltCommand

    init() throws { command = try BuiltCommand() }

    /// Ten minutes with a pause of five, 100 kcal.
    private func file() throws -> String {
        func points(_ seconds: some Sequence<Int>) -> String {
            let points = seconds.map { second in
                """
                <Trackpoint><Time>2024-05-01T08:\(second / 60 < 10 ? "0" : "")\(second / 60):\
                \(second % 60 < 10 ? "0" : "")\(second % 60)Z</Time><HeartRateBpm><Value>\(120 + second % 7)</Value>\
                </HeartRateBpm></Trackpoint>
                """
            }
            return "<Track>\(points.joined())</Track>"
        }
        let path = command.home.appending(path: "pause.tcx").path
        try """
        <?xml version="1.0"?><TrainingCenterDatabase \
        xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Running">\
        <Id>2024-05-01T08:00:00Z</Id><Lap StartTime="2024-05-01T08:00:00Z"><TotalTimeSeconds>600</TotalTimeSeconds>\
        <Calories>100</Calories>\(points(0..<300))\(points(600...900))</Lap></Activity></Activities>\
        </TrainingCenterDatabase>
        """.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func energy(_ output: String) throws -> Double {
        let all = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        let workout = try #require(all["workout"] as? [String: Any])
        let statistics = try #require(workout["statistics"] as? [String: [String: Any]])
        #expect(statistics["HKQuantityTypeIdentifierBasalEnergyBurned"] == nil)
        return try #require(statistics["HKQuantityTypeIdentifierActiveEnergyBurned"]?["sum"] as? Double)
    }

    @Test func `replay, import, show, stats and files agree on the energy that a file states`() async throws {
        defer { command.remove() }
        _ = try await command.run(
            "profile", "--sex", "female", "--date-of-birth", "1990-04-01", "--mass", "62")
        let file = try file()
        for wearer in ["recording", "profile"] {
            let replayed = try await command.run("replay", file, "--speed", "max", "--json", "--wearer", wearer)
            #expect(abs(try energy(replayed.output) - 100) < 1e-6, "\(replayed.all)")
        }
        let imported = try await command.run("import", file, "--json")
        #expect(abs(try energy(imported.output) - 100) < 1e-6, "\(imported.all)")
        let id = String(try #require(imported.output.firstMatch(of: #/"id":"([0-9A-F-]+)"/#)).1)
        #expect(abs(try energy(await command.run("show", id, "--json").output) - 100) < 1e-6)
        let statistics = try await command.run(
            "stats", "activeEnergyBurned", "--from", "2024-05-01", "--to", "2024-05-02", "--json")
        #expect(statistics.output.firstMatch(of: #/"sum":(99\.9999\d*|100(\.0\d*)?)[,}]/#) != nil, "\(statistics.all)")
        for format in ["fit", "tcx", "csv", "tsv"] {
            let copy = command.home.appending(path: "copy.\(format)").path
            _ = try await command.run("export", id, "-o", copy)
            let again = try await command.run("replay", copy, "--speed", "max", "--json", "--wearer", "profile")
            #expect(abs(try energy(again.output) - 100) < 1e-3, "\(format) \(again.all)")
        }
    }

    @Test func `a log with a wearer and energy gets no additional estimate`() async throws {
        let start = Date(timeIntervalSince1970: 1_772_359_200)
        var entries = [
            SessionEntry(
                start, .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running")))),
            SessionEntry(start, .wearer(WearerProfile(sex: .male, ageInYears: 40, massInKilograms: 80))),
            SessionEntry(start, .state(.running)),
        ]
        for second in 0..<60 {
            let date = start + Double(second)
            entries.append(
                SessionEntry(
                    date, .quantity(QuantityReading("heartRate", 150, unit: "count/min", start: date, end: date))))
        }
        func sum(_ entries: [SessionEntry]) async throws -> Double? {
            let recording = Recording(
                entries: entries + [SessionEntry(start + 60, .state(.stopped))],
                file: RecordingSummary(format: "jsonl"))
            let run = try WorkoutRun(
                replaying: recording, speed: .infinity, keepsDates: true, environment: StoredRuns().environment)
            return try WorkoutSummary(await run.run()).statistics.first {
                $0.identifier == HKQuantityTypeIdentifier.activeEnergyBurned.rawValue
            }?.sum
        }
        #expect(try await sum(entries) ?? 0 > 5)
        let stated = QuantityReading("activeEnergyBurned", 3, unit: "kcal", start: start, end: start + 59)
        #expect(try await sum(entries + [SessionEntry(start + 59, .quantity(stated))]) == 3)
    }

    @Test func `replay and convert take the table options of import`() async throws {
        defer { command.remove() }
        let path = command.home.appending(path: "odd.txt").path
        try ((0..<60).map { "\($0);\(140 + $0 % 3)\n" }.joined()).write(toFile: path, atomically: true, encoding: .utf8)
        let options = "--columns 'elapsed=1,heart-rate=2' --start 2026-03-01T10:00Z --activity cycling"
        let replayed = try await command.shell("workout replay '\(path)' --speed max --json \(options)")
        #expect(replayed.status == 0, "\(replayed.all)")
        #expect(
            replayed.output.contains(#""activity":"cycling","start":"2026-03-01T10:00:00.000Z""#), "\(replayed.output)")
        let converted = try await command.shell("workout convert '\(path)' '\(path).tsv' \(options)")
        #expect(converted.status == 0, "\(converted.all)")
        let text = try String(contentsOfFile: path + ".tsv", encoding: .utf8)
        let lines = text.split(separator: "\r\n")
        #expect(lines[0] == "time\tseconds\tevent\theart_rate_bpm")
        #expect(lines[1] == "2026-03-01T10:00:00.000Z\t0\tstart cycling\t")
    }
}
