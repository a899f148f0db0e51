import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// Stored workouts are written to files, and stored again from these.
struct StoredWorkoutEntriesTests {
    let runs = StoredRuns()

    private func entries(_ name: String) async throws -> (WorkoutSummary, StoredWorkoutEntries) {
        let summary = try await runs.replay(name)
        let workout = try StoredWorkouts(runs.database).workout(summary.id.uuidString)
        return (summary, try StoredWorkoutEntries(workout, in: runs.database))
    }

    @Test(arguments: SampleRecordingsTests.names)
    func `the entries of a stored workout make the same workout again`(name: String) async throws {
        let (stored, entries) = try await entries(name)
        let again = StoredRuns()
        let recording = Recording(entries: Array(entries), file: RecordingSummary(format: "jsonl"))
        let run = try WorkoutRun(
            replaying: recording, speed: .infinity, keepsDates: true, id: stored.id, saves: true,
            environment: again.environment)
        let copy = try WorkoutSummary(await run.run())
        #expect(entries.failure == nil)
        #expect(copy.durationInSeconds == stored.durationInSeconds)
        #expect(copy.pauses == stored.pauses)
        #expect(copy.laps.map(\.end) == stored.laps.map(\.end))
        #expect(copy.activities.map(\.activity) == stored.activities.map(\.activity))
        #expect(copy.beats?.count == stored.beats?.count && stored.beats != nil)
        #expect(copy.route?.points == stored.route?.points)
        #expect(copy.statistics.map(\.identifier) == stored.statistics.map(\.identifier))
        for (a, b) in zip(copy.statistics, stored.statistics) {
            #expect(a.count == b.count && a.minimum == b.minimum && a.maximum == b.maximum)
            #expect(abs((a.sum ?? 0) - (b.sum ?? 0)) < 1e-6)
        }
    }

    @Test func `entries are in order of time, however many windows they were read in`() async throws {
        let (_, entries) = try await entries("intervals")
        let dates = entries.map(\.date)
        #expect(zip(dates, dates.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(dates.count > 4000)
    }

    @Test func `sums without samples become readings, and averages without samples are named`() throws {
        let start = try Date("2026-01-01T08:00Z")
        let (basal, rate) = (HKQuantityType(.basalEnergyBurned), HKQuantityType(.heartRate))
        var energy = RunningStatistics(.arithmetic)
        energy.add(80, start: start, end: start + 1800)
        var rates = RunningStatistics(.temporal)
        rates.add(140, start: start, end: start + 1800)
        let statistics = [
            basal: HKStatistics(
                quantityType: basal, startDate: start, endDate: start + 1800, options: .cumulativeSum,
                unit: .kilocalorie(), total: energy),
            rate: HKStatistics(
                quantityType: rate, startDate: start, endDate: start + 1800, options: .discreteAverage,
                unit: .count().unitDivided(by: .minute()), total: rates),
        ]
        let workout = try HKWorkout.validated(
            ObjectIdentity(), configuration: HKWorkoutConfiguration(), start: start, end: start + 1800,
            duration: 1800, events: [], activities: [], statistics: statistics)
        let runs = StoredRuns()
        try runs.database.save([workout], from: .current)
        let entries = try StoredWorkoutEntries(
            try StoredWorkouts(runs.database).workout(workout.uuid.uuidString), in: runs.database)
        let readings = entries.compactMap { if case .quantity(let reading) = $0.content { reading } else { nil } }
        #expect(readings.map(\.type) == ["basalEnergyBurned"] && readings.map(\.value) == [80])
        #expect(entries.averagesWithoutReadings == ["the average heart rate, which has no readings"])
    }

    @Test func `every type adds up in files as in HealthKit`() {
        for type in TypeCatalogue.quantityTypes {
            #expect(QuantityReading.addsUp(type.swiftName) == (type.aggregationStyle == .cumulative), "\(type)")
            #expect(AveragingRule(ofType: type.swiftName) == type.averagingRule, "\(type)")
        }
    }
}

@Suite(.needsCommand) struct ExportCommandTests {
    private let command: BuiltCommand
    private static let intervals = SampleRecordingsTests.folder.appendingPathComponent("intervals.jsonl").path
    private static let easy = SampleRecordingsTests.folder.appendingPathComponent("easy-run.jsonl").path

    init() throws { command = try BuiltCommand() }

    private func path(_ name: String) -> String { command.home.appendingPathComponent(name).path }

    private func files(in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(folder)).filter { !$0.hasPrefix("output-") }.sorted()
    }

    @Test func `a stored workout as FIT is the same workout when imported elsewhere`() async throws {
        defer { command.remove() }
        _ = try await command.run("import", Self.intervals)
        let id = try #require(try await command.run("list", "--json").output.firstMatch(of: #/"id":"([0-9A-F-]+)"/#)).1
        let outcome = try await command.run("export", String(id), "-o", path("intervals.fit"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix(path("intervals.fit") + "  FIT, "))
        let other = try BuiltCommand()
        defer { other.remove() }
        _ = try await other.run("import", path("intervals.fit"))
        let (before, after) = (
            try await Figures(command.run("show", String(id), "--json").output),
            try await Figures(other.run("show", Figures.id(other), "--json").output)
        )
        #expect(after == before)
        #expect(before.heartRates == 1140 && before.pauses == 4 && before.laps == 10)
    }

    /// The part of `show --json` that FIT keeps.
    private struct Figures: Equatable {
        var heartRates: Int?
        var least: Double?
        var greatest: Double?
        var beats: Int?
        var duration: Double?
        var pauses: Int?
        var laps: Int?

        init(_ line: String) throws {
            let all = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let workout = try #require(all["workout"] as? [String: Any])
            let statistics = workout["statistics"] as? [String: [String: Any]]
            let rates = statistics?["HKQuantityTypeIdentifierHeartRate"]
            heartRates = rates?["count"] as? Int
            least = rates?["minimum"] as? Double
            greatest = rates?["maximum"] as? Double
            beats = (workout["beats"] as? [String: Any])?["count"] as? Int
            duration = workout["duration"] as? Double
            pauses = (workout["pauses"] as? [Any])?.count
            laps = workout["laps"] as? Int
        }

        static func id(_ command: BuiltCommand) async throws -> String {
            String(
                try #require(try await command.run("list", "--json").output.firstMatch(of: #/"id":"([0-9A-F-]+)"/#)).1)
        }
    }

    @Test func `one warning lists what a format cannot store, for one file and for two`() async throws {
        defer { command.remove() }
        let outcome = try await command.run("convert", Self.easy, path("easy.gpx"))
        #expect(outcome.status == 0)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("warning: not stored in GPX: "))
        #expect(lines[0].contains("RR intervals") && lines[0].contains("laps"))
        let two = try await command.run("convert", Self.easy, Self.easy, path("tracks/"), "--format", "gpx")
        #expect(two.status == 0 && two.errors.split(separator: "\n") == [lines[0]], "\(two.all)")
        let json = try await command.run("convert", Self.easy, path("again.gpx"), "--json")
        #expect(json.errors == "")
        #expect(json.output.contains(#""leftOut":[""#))
    }

    @Test func `a remark that does not end the command is a notice, not an error`() async throws {
        defer { command.remove() }
        let log = try Data(contentsOf: URL(fileURLWithPath: Self.easy))
        try (log + log).write(to: URL(fileURLWithPath: path("two.jsonl")))
        let outcome = try await command.run("convert", path("two.jsonl"), path("one.csv"))
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.errors.contains("notice: ") && outcome.errors.contains("--session 2"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("error: "), "\(outcome.errors)")
    }

    @Test func `an existing file is not overwritten without permission`() async throws {
        defer { command.remove() }
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path("a.tcx")))
        let refused = try await command.run("convert", Self.easy, path("a.tcx"))
        #expect(refused.status == 65)
        #expect(refused.errors.contains("it already exists; choose another name or add --force"))
        #expect(try String(contentsOfFile: path("a.tcx"), encoding: .utf8) == "mine")
        #expect(try await command.run("convert", Self.easy, path("a.tcx"), "--force").status == 0)
        #expect(try String(contentsOfFile: path("a.tcx"), encoding: .utf8).hasPrefix("<?xml"))
        #expect(try files() == ["a.tcx"])
    }

    /// The thread sanitizer maps a file that is larger than the limit here.
    private static let isSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil

    @Test(.disabled(if: isSanitized, "the thread sanitizer does not bear a limit on files"))
    func `a full disk leaves no partial file, and the earlier one`() async throws {
        defer { command.remove() }
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path("a.csv")))
        let full = try await command.shell(
            "trap '' XFSZ; ulimit -f 8; exec workout convert '\(Self.easy)' '\(path("a.csv"))' --force")
        #expect(full.status == 74)
        #expect(full.errors.contains("cannot write to"))
        #expect(try String(contentsOfFile: path("a.csv"), encoding: .utf8) == "mine")
        #expect(try files() == ["a.csv"])
        let device = try await command.run("convert", Self.easy, "/dev/full", "--format", "csv")
        #expect(device.status == 74)
    }

    @Test func `recordings can be piped, also FIT`() async throws {
        defer { command.remove() }
        let outcome = try await command.shell(
            "workout simulate --duration 120 -o - | workout convert - - --format fit | workout replay - --speed max --json"
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(#""format":"fit""#) && outcome.output.contains(#""elapsed":120"#))
    }

    @Test func `all workouts are exported, including simultaneous ones, and a failure does not stop the others`()
        async throws
    {
        defer { command.remove() }
        for name in SampleRecordingsTests.names {
            _ = try await command.run(
                "import", SampleRecordingsTests.folder.appendingPathComponent("\(name).jsonl").path)
        }
        _ = try await command.shell("workout simulate --duration 60 --start 2026-02-01 --save --speed max")
        let all = try await command.run("export", "--all", "-o", path("all"))
        #expect(all.status == 0, "\(all.errors)")
        #expect(try files(in: "all").count == SampleRecordingsTests.names.count + 1)
        #expect(try files(in: "all").allSatisfy { $0.hasPrefix("2026-0") && $0.hasSuffix(".fit") })
        let again = try await command.run("export", "--all", "-o", path("all"))
        #expect(again.status == 65)
        #expect(again.errors.split(separator: "\n").count == SampleRecordingsTests.names.count + 1)
    }

    @Test func `a closed pipe is not an error`() async throws {
        defer { command.remove() }
        let outcome = try await command.shell("workout convert '\(Self.easy)' - --format csv | head -1")
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(outcome.output.hasPrefix("time,seconds,event,heart_rate_bpm"))
    }

    @Test func `several recordings go into a folder, also by a quoted pattern`() async throws {
        defer { command.remove() }
        let pattern = SampleRecordingsTests.folder.path + "/*.jsonl"
        let outcome = try await command.run("convert", pattern, path("out"), "--format", "tcx")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try files(in: "out") == SampleRecordingsTests.names.map { "\($0).tcx" }.sorted())
        let refused = try await command.run("convert", Self.easy, Self.intervals, "-")
        #expect(refused.status == 64)
    }

    @Test func `wrong names come with suggestions`() async throws {
        defer { command.remove() }
        let ending = try await command.run("convert", Self.easy, path("run.doc"))
        #expect(ending.status == 64)
        #expect(ending.errors.contains("'run.doc' has no known extension: use .fit, "))
        let format = try await command.run("convert", Self.easy, path("run"), "--format", "kml")
        #expect(format.status == 64)
        #expect(format.errors.contains("cannot write the format 'kml'; choose one of fit, "))
        let missing = try await command.run("convert", "/nowhere/*.fit", path("out"))
        #expect(missing.status == 65)
        let folder = try await command.run("convert", Self.easy, Self.intervals, path("runs.tcx"))
        #expect(folder.status == 64 && folder.errors.contains("is one file"), "\(folder.errors)")
        #expect(missing.errors.contains("no file matches /nowhere/*.fit"))
    }
}
