import Analytics
import ArgumentParser
import Engine
import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

@Suite struct ReportCommandTests {
    private let runs = StoredRuns()

    private static func file(_ name: String) -> String {
        SampleRecordingsTests.folder.appendingPathComponent("\(name).jsonl").path
    }

    private func page(_ arguments: String...) async throws -> String {
        let report = try await Report.parse(arguments).report(runs.environment, StoredRuns.utc)
        return String(decoding: report.document.bytes, as: UTF8.self)
    }

    /// The texts of the headline numbers, by their labels.
    private static func facts(_ page: String) -> [String: String] {
        let found = page.matches(of: #/<dt>([^<]*)</dt><dd>([^<]*)</dd>/#).map { (String($0.1), String($0.2)) }
        return Dictionary(found) { first, _ in first }
    }

    @Test(arguments: SampleRecordingsTests.names)
    func `a workout's page has the numbers of show and analyze`(name: String) async throws {
        let id = try await runs.replay(name).id.uuidString
        let shown = try Show.parse([id]).summary(runs.database, wearer: nil)
        let analyzed = try await Analyze.parse([id]).report(of: id, runs.environment)
        let page = try await page(id)
        let facts = Self.facts(page)
        #expect(facts["Duration"] == MetricFormat.time(shown.durationInSeconds))
        let rate = try #require(shown.statistics.first { $0.identifier.hasSuffix("HeartRate") })
        #expect(facts["Avg heart rate"] == rate.average.map { MetricFormat.heartRate($0) })
        #expect(facts["Max heart rate"] == rate.maximum.map { MetricFormat.heartRate($0) })
        #expect(facts["Laps"] == (shown.laps.isEmpty ? nil : "\(shown.laps.count)"))
        for section in analyzed.sections {
            for row in section.rows {
                switch row.figure {
                case .success(let value):
                    #expect(page.contains("<td>\(row.text(value))</td>"), "\(section.name).\(row.name)")
                case .failure(let reason):
                    #expect(page.contains(Self.escaped(reason.sentence)), "\(section.name).\(row.name)")
                }
            }
        }
    }

    private static func escaped(_ text: String) -> String {
        var markup = Markup()
        markup.text(text)
        return markup.text
    }

    @Test(arguments: SampleRecordingsTests.names)
    func `a recording and its stored workout have the same pictures`(name: String) async throws {
        let id = try await runs.replay(name).id.uuidString
        let (stored, file) = (try await page(id), try await page(Self.file(name)))
        for style in ["line heart", "line speed", "line power", "line beats"] {
            func path(_ page: String) -> Substring? {
                page.firstRange(of: "<path class=\"\(style)\"").flatMap {
                    page[$0.upperBound...].prefix { $0 != ">" }
                }
            }
            #expect(path(stored) == path(file), "\(style) of \(name)")
        }
        #expect(stored.contains("line heart"))
    }

    @Test func `laps are a sortable table, zones and pauses are shown, and each picture has a table`() async throws {
        let page = try await page(Self.file("intervals"))
        #expect(page.contains("<table class=\"sortable\">"))
        for identity in ["course", "zones", "laps", "beats", "load", "efforts", "missing"] {
            #expect(page.contains("<section id=\"\(identity)\">"), "\(identity)")
        }
        let (plots, tables) = (
            page.components(separatedBy: "<svg class=\"plot").count - 1
                + page.components(separatedBy: "class=\"map\"").count - 1,
            page.components(separatedBy: " as a table</summary>").count - 1
        )
        #expect(plots > 2 && plots == tables)
        #expect(page.contains("<li><b>Recovery</b>: After 60 s: "), "a card of reasons alone is a line of the last one")
    }

    @Test func `a page loads nothing from the network, and names are text`() async throws {
        let name = "<script>alert(1)</script>\"'&"
        let source = HKSourceRevision(source: HKSource(name: name, bundleIdentifier: "evil"), version: name)
        let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
        let device = HKDevice(
            name: name, manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil, softwareVersion: nil,
            localIdentifier: nil, udiDeviceIdentifier: nil)
        let workout = HKWorkout(
            activityType: .running, start: start, end: start + 600, duration: 600, totalEnergyBurned: nil,
            totalDistance: nil, device: device, metadata: nil)
        try runs.database.save([workout], from: source)
        for page in [try await page(workout.uuid.uuidString), try await page("--all")] {
            #expect(page.components(separatedBy: "<script").count == 2)
            #expect(!page.replacing("http://www.w3.org/2000/svg", with: "").contains("://"))
        }
        #expect(try await page(workout.uuid.uuidString).contains("&lt;script&gt;alert(1)"))
    }

    @Test func `two workouts are compared number by number`() async throws {
        let page = try await page(Self.file("easy-run"), Self.file("intervals"))
        #expect(page.contains("line second") && page.contains("<td>Duration</td>"))
        let one = Self.facts(try await self.page(Self.file("easy-run")))
        let other = Self.facts(try await self.page(Self.file("intervals")))
        let (a, b) = (try #require(one["Duration"]), try #require(other["Duration"]))
        #expect(page.contains("<td>Duration</td><td>\(a)</td><td>\(b)</td><td>"))
        // Also by distance: charts on a scale of kilometres, and a table of kilometres with their differences.
        #expect(page.contains("data-meters=\"1000.0\"") && page.contains("Heart rate over distance"))
        let comparison = try await Diff.parse([Self.file("easy-run"), Self.file("intervals"), "--by", "distance"])
            .comparison(.distance, runs.environment)
        let last = try #require(comparison.rows.last)
        let total = WorkoutComparison.signed(last.total.rounded()) { MetricFormat.shortTime($0) }
        #expect(comparison.rows.count > 1 && page.contains("<td>\(total)</td>"), "\(total)")
    }

    @Test func `all workouts are counted and drawn, and their load is that of analyze`() async throws {
        var profile = StoredProfile()
        profile.sex = .female
        profile.restingHeartRate = 56
        profile.maximumHeartRate = 188
        try runs.database.store(profile)
        for name in ["easy-run", "intervals"] { try await runs.replay(name) }
        let page = try await page("--all")
        let facts = Self.facts(page)
        #expect(facts["Workouts"] == "2")
        let history = try TrainingHistory(
            in: runs.environment, from: nil, to: runs.environment.time.now(), .gmt)
        #expect(facts["Training load"] == MetricFormat.fixed(history.days.reduce(0) { $0 + ($1.load ?? 0) }, 0))
        for identity in ["calendar", "volume", "load", "records", "workouts"] {
            #expect(page.contains("<section id=\"\(identity)\">"), "\(identity)")
        }
    }

    @Test func `a period without workouts has a sentence`() async throws {
        #expect(try await page("--from", "2001-01-01", "--to", "2001-01-31").contains("<dd>0</dd>"))
        #expect(try await page("--all").contains("No workouts are stored"))
    }

    @Test(arguments: [
        ([], ""), (["A", "B", "C"], ""), (["A", "--week"], ""), (["--week", "--month"], ""),
        (["--all", "--from", "2026"], ""), (["A", "--to", "2026"], ""), (["-", "-"], ""),
    ])
    func `invalid arguments are rejected`(arguments: [String], _: String) {
        #expect(throws: (any Error).self) { try Report.parse(arguments) }
    }

    @Test func `a week begins on Monday, and a requested month is whole`() throws {
        let to = try DateArgument.parse("2026-10", timeZone: .gmt).end
        let month = ReportSpan.named(.month, from: nil, to: to, StoredRuns.utc)
        #expect(month.title == "October 2026" && month.fileName == "workouts-2026-10")
        #expect(try month.start == Date("2026-10-01T00:00Z") && month.end == Date("2026-11-01T00:00Z"))
        let week = ReportSpan.named(.week, from: nil, to: try Date("2026-11-22T12:00Z"), StoredRuns.utc)
        #expect(try week.start == Date("2026-11-16T00:00Z") && week.end == Date("2026-11-22T12:00Z"))
        let year = ReportSpan.named(.year, from: nil, to: try Date("2026-01-01T00:00Z"), StoredRuns.utc)
        #expect(year.title == "2025")
    }
}

/// The built command, and the pages that it writes.
@Suite(.needsCommand) struct ReportFileTests {
    private let command: BuiltCommand

    init() throws { command = try BuiltCommand() }

    private func path(_ name: String) -> String { command.home.appendingPathComponent(name).path }

    @Test func `a page is written once, and replaced only on request`() async throws {
        let recording = SampleRecordingsTests.folder.appendingPathComponent("easy-run.jsonl").path
        let first = try await command.run("report", recording, "-o", path("run.html"))
        #expect(first.status == 0 && first.output.hasPrefix("\(path("run.html"))  HTML, "))
        let second = try await command.run("report", recording, "-o", path("run.html"))
        #expect(second.status == 65 && second.errors.contains("add --force"))
        let third = try await command.run("report", recording, "-o", path("run.html"), "--force", "--json")
        let size = try FileManager.default.attributesOfItem(atPath: path("run.html"))[.size] as? Int
        #expect(third.status == 0 && third.output.contains("\"format\":\"html\",\"bytes\":\(size ?? 0)"))
        let folder = try await command.run("report", recording, "-o", path("pages") + "/")
        #expect(folder.status == 0 && folder.output.contains("-running.html  HTML"))
        let piped = try await command.run("report", recording, "-o", "-")
        #expect(piped.output.hasPrefix("<!DOCTYPE html>") && piped.errors.isEmpty)
        command.remove()
    }

    @Test(arguments: [(10, false), (11, true)])
    func `pauses are in a table, and more than ten are folded behind their sum`(count: Int, isFolded: Bool) throws {
        var summary = WorkoutSummary.run
        summary.pauses = (0..<count).map { index in
            let start = summary.start + Double(index) * 100
            return WorkoutSummary.Pause(start: start, end: start + 10)
        }
        summary.elapsedInSeconds = summary.durationInSeconds + 10 * Double(count)
        let report = AnalysisReport(summary: summary, analysis: WorkoutAnalysis(.init()))
        let page = WorkoutPage(report: report, course: WorkoutTimeline(), page: StoredRuns.utc)
        let text = String(decoding: page.document.bytes, as: UTF8.self)
        #expect(text.contains("<details class=\"fold\"><summary>11 pauses, 0:01:50 in total</summary>") == isFolded)
        #expect(text.components(separatedBy: "<td>0:00:10</td>").count == count + 1)
    }

    @Test func `a PDF is printed by an installed browser, and without one the command says so`() async throws {
        let recording = SampleRecordingsTests.folder.appendingPathComponent("easy-run.jsonl").path
        let none = try await command.run(
            "report", recording, "--pdf", "-o", path("run.pdf"), variables: ["PATH": path("nothing")])
        #expect(none.status == 69 && none.errors.contains("chromium") && none.errors.contains("without --pdf"))
        #expect(!FileManager.default.fileExists(atPath: path("run.pdf")))
        // A program instead of the browser, which prints the page as it is.
        let browser = command.home.appendingPathComponent("chromium")
        let script = """
            #!/bin/sh
            for word; do case "$word" in --print-to-pdf=*) to="${word#*=}";; file://*) from="${word#file://}";; esac; done
            { echo "%PDF-1.4"; cat "$from"; } > "$to"
            """
        try Data(script.utf8).write(to: browser)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: browser.path)
        let variables = ["PATH": "\(command.home.path):/usr/bin:/bin"]
        let printed = try await command.run("report", recording, "--pdf", "-o", path("run.pdf"), variables: variables)
        #expect(printed.status == 0 && printed.output.contains("run.pdf  PDF, "))
        #expect(try String(contentsOfFile: path("run.pdf"), encoding: .utf8).hasPrefix("%PDF-1.4\n<!DOCTYPE html>"))
        try Data("#!/bin/sh\nexit 3\n".utf8).write(to: browser)
        let failed = try await command.run(
            "report", recording, "--pdf", "-o", path("other.pdf"), variables: variables)
        #expect(failed.status == 69 && failed.errors.contains("status 3"))
        command.remove()
    }

    @Test(arguments: [
        ("run.pdf", "pdf"), ("RUN.PDF", "pdf"), ("a/run.png", "png"), ("run.eml", "eml"), ("run.html", "html"),
        ("-", "html"),
    ])
    func `the file name's extension decides the format`(name: String, format: String) throws {
        let report = try Report.parse(["8F3A", "-o", name])
        #expect(report.pdf == (format == "pdf") && report.png == (format == "png") && report.mail == (format == "eml"))
        #expect(try Report.parse(["8F3A", "-o", name, "--mail"]).mail)
    }

    @Test func `a picture has the page height that the browser reports`() async throws {
        let recording = SampleRecordingsTests.folder.appendingPathComponent("easy-run.jsonl").path
        let none = try await command.run(
            "report", recording, "--png", "-o", path("run.png"), variables: ["PATH": path("nothing")])
        #expect(none.status == 69 && none.errors.contains("chromium") && none.errors.contains("without --png"))
        let both = try await command.run("report", recording, "--png", "--pdf")
        #expect(both.status == 64)
        // A program instead of the browser: its layout of the page is 1357 high, and its picture has the requested
        // size.
        let browser = command.home.appendingPathComponent("chromium")
        let script = """
            #!/bin/sh
            for word; do case "$word" in
            --dump-dom) echo '<!DOCTYPE html><html lang="en" data-height="1357">'; exit;;
            --screenshot=*) to="${word#*=}";; --window-size=*) size="${word#*=}";; file://*) from="${word#file://}";; esac; done
            { echo "picture $size"; grep -o '<body class="picture">' "$from"; } > "$to"
            """
        try Data(script.utf8).write(to: browser)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: browser.path)
        let variables = ["PATH": "\(command.home.path):/usr/bin:/bin"]
        let made = try await command.run("report", recording, "--png", "-o", path("run.png"), variables: variables)
        #expect(made.status == 0 && made.output.contains("run.png  PNG, "), "\(made.all)")
        let picture = try String(contentsOfFile: path("run.png"), encoding: .utf8)
        #expect(picture == "picture 1200,1357\n<body class=\"picture\">\n")
        command.remove()
    }

    @Test(arguments: ["", "<html lang=\"en\">", "<html data-height=\"\">", "<html data-height=\"0\">"])
    func `a page that was not laid out has no height`(_ page: String) {
        #expect(PrintingBrowser.height(page) == nil)
        #expect(PrintingBrowser.height("<!DOCTYPE html>\n<html lang=\"en\" data-height=\"987654\"><head>") == 6000)
    }

    @Test func `a page whose folder cannot be created is an error`() async throws {
        let recording = SampleRecordingsTests.folder.appendingPathComponent("easy-run.jsonl").path
        let outcome = try await command.run("report", recording, "-o", "/dev/null/run.html")
        #expect(outcome.status == 74 && outcome.errors.contains("/dev/null"))
        command.remove()
    }
}
