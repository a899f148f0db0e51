import Foundation
import HealthKit
import Recordings
import StoredWorkouts
import Testing

@testable import workout

/// Recordings whose times cannot be a workout, and the warnings of an import of many files.
@Suite(.needsCommand) struct ImportTimesTests {
    private func write(_ name: String, _ text: String, _ command: BuiltCommand) throws -> String {
        let file = command.home.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// Points of a track, each with its time.
    private static func gpx(_ times: [String]) -> String {
        let points = times.enumerated().map { #"<trkpt lat="46.\#($0)" lon="13"><time>\#($1)</time></trkpt>"# }
        return "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    @Test func `an unset clock and a workout without duration are rejected, and nothing is stored`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let old = try write("old.gpx", Self.gpx(["1901-12-13T20:45:52Z", "1901-12-13T20:55:52Z"]), command)
        let short = try write("short.gpx", Self.gpx(["2026-03-01T10:00:00Z", "2026-03-01T10:00:00.500Z"]), command)
        let refused = try await command.run("import", old)
        #expect(refused.status == 65 && refused.errors.contains("1901-12-13, so the clock of the device was not set"))
        let empty = try await command.run("import", short)
        #expect(empty.status == 65 && empty.errors.contains("less than a second"), "\(empty.all)")
        let good = try write("good.gpx", Self.gpx(["2026-03-01T10:00:00Z", "2026-03-01T10:10:00Z"]), command)
        let all = try await command.run("import", old, short, good)
        #expect(all.status == 65 && all.output.contains("3 recordings: 1 imported, 2 unreadable"), "\(all.all)")
        #expect(try await command.run("list", "--json").output.split(separator: "\n").count == 1)
    }

    @Test func `workouts that a format cannot hold are one line per reason`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        for day in 1...3 {
            let rows = (0..<60).map { "2026-03-0\(day)T10:00:\($0 < 10 ? "0" : "")\($0)Z,140" }
            _ = try await command.run(
                "import", write("\(day).csv", "time,hr\n" + rows.joined(separator: "\n"), command))
        }
        let outcome = try await command.run(
            "export", "--all", "--format", "gpx", "-o", command.home.appending(path: "gpx/").path)
        let errors = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
        #expect(outcome.status != 0 && errors.count == 1, "\(outcome.all)")
        #expect(errors.first?.hasPrefix("error: 3 workouts not written (") == true)
    }

    @Test func `warnings of many files are one line per kind`() {
        var kinds = WarningKinds()
        kinds.add(["2 points step back in time", "2 points step back in time", "no end"])
        kinds.add(["17 points step back in time"])
        #expect(kinds.sentences == ["2 files: 2 points step back in time (and the like)", "1 file: no end"])
    }

    @Test func `an export among several files names what the profile took from it`() throws {
        var summary = HealthImportSummary()
        summary.profile = ["sex", "date of birth"]
        let report = ImportReport(file: "export.zip", summary: summary, seconds: 1)
        #expect(report.shortLines(StoredRuns.utc).last == "  profile: sex, date of birth")
    }

    @Test func `a QR code needs a page that is served`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        // Nothing listens on the port of the discard protocol.
        let outcome = try await command.run("serve", "--qr", "--on", "127.0.0.2:9")
        #expect(outcome.status == 69 && outcome.output.isEmpty, "\(outcome.all)")
        #expect(outcome.errors.contains("nothing is served on 127.0.0.2:9"))
    }
}
