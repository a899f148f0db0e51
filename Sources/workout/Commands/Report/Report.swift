import ArgumentParser
import Engine
import Foundation
import HealthKit
import Recordings
import Reports
import StoredWorkouts

/// `workout report`: creates a page about a workout, two workouts or a period.
struct Report: AsyncParsableCommand, LanguageConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Create a self-contained HTML report of one workout, a comparison of two, or a period.",
        discussion: """
            WORKOUT is the ID of a stored workout or a recording in any supported format. The report of one workout has a \
            chart (heart rate over zones, pace or speed, power, cadence, elevation, laps and pauses), the route, heart-rate \
            variability, training load, recovery and best efforts, with the numbers of 'workout show' and 'workout analyze'. \
            Anything that can't be computed says why.

            Without WORKOUT, the report has calendar, volume, training load, fitness, fatigue, resting heart rate and records \
            for the week, month or year containing --to (default: today), for all time, or since --from.

            Without -o, the file is named after its content and written to the current folder.

            Examples:
              workout report 8F3A
              workout report ride.fit -o ride.html
              workout report 8F3A ride.fit
              workout report 8F3A --png
              workout report --month --to 2026-10
              workout report --from 6mo
              workout report --week --every monday --mail --recipient coach@example.org
            """)

    @Argument(
        help: """
            The ID of a stored workout, or a recording ('-' reads standard input); a second one to compare.
            """,
        completion: .file())
    var workouts: [String] = []

    @Flag(exclusivity: .exclusive)
    var span: ReportSpan?

    @OptionGroup var range: DateRangeArguments

    @Option(
        name: .shortAndLong,
        help: "Output file, folder, or '-' for standard output. A name in .pdf, .png or .eml chooses that format.",
        completion: .file())
    var output: String?

    @Flag(help: "Overwrite an existing file.")
    var force = false

    @Flag(help: "Write a PDF (needs Chromium, Chrome or Edge).")
    var pdf = false

    @Flag(
        help: "Write a PNG of the top of the report, 1200 pixels wide (needs Chromium, Chrome or Edge).")
    var png = false

    @Flag(help: "Write a message with the report as PDF attached, for your mail program (.eml).")
    var mail = false

    @Option(help: "Who gets the message of --mail: an e-mail address.")
    var recipient: String?

    @Option(
        help: ArgumentHelp(
            "Leave out the route within this many metres of its start and end, such as 500.", valueName: "meters"))
    var privacyZone: Double?

    @Option(
        help: ArgumentHelp(
            """
            Draw the route on a map: an MBTiles or PMTiles file, whose tiles become part of the page, or the address of a server with {z}, {x} and \
            {y}, which the browser asks for tiles whenever the page is opened. Default: coasts, borders and lakes, without a network.
            """, valueName: "file|url"), completion: .file(extensions: ["mbtiles", "pmtiles"]))
    var tiles: String?

    @Option(
        help:
            "Create the report of the past week, month or year every monday … sunday, or every month: writes a systemd timer."
    )
    var every: ReportSchedule.Day?

    @Option(help: "Which workout to use if the file holds several (1 is the first).")
    var session: Int?

    @Option(help: "Use the athlete of the recording ('recording') or your own profile ('profile').")
    var wearer = SensorSpecification.Wearer.recording

    @OptionGroup var tables: TableArguments

    @OptionGroup var reader: LanguageOptions

    @Option(help: "First day of the week, such as monday. Default: by the country of the locale.")
    var weekStart: Weekday?

    @Flag(help: "Print one JSON object that describes the file.")
    var json = false

    /// The report is for people, even if JSON describes the file.
    var isForPrograms: Bool { false }

    mutating func validate() throws {
        if !pdf, !png, !mail, let output {
            let name = output.lowercased()
            (pdf, png, mail) = (name.hasSuffix(".pdf"), name.hasSuffix(".png"), name.hasSuffix(".eml"))
        }
        if let session, session < 1 { throw ValidationError("--session must be 1 or more.") }
        if [pdf, png, mail].count(where: { $0 }) > 1 {
            throw ValidationError("choose one of --pdf, --png and --mail.")
        }
        if let recipient {
            if !mail { throw ValidationError("--recipient needs --mail.") }
            if !MailMessage.isAddress(recipient) {
                throw ValidationError(
                    "--recipient must be an e-mail address such as coach@example.org, not '\(recipient)'.")
            }
        }
        if let privacyZone, !(1...100_000).contains(privacyZone) {
            throw ValidationError("--privacy-zone must be 1 to 100000 m.")
        }
        if every != nil, span == nil || span == .all || !workouts.isEmpty {
            throw ValidationError("--every needs --week, --month or --year.")
        }
        if every != nil, output == "-" || json {
            throw ValidationError("--every cannot be used with '-o -' or --json.")
        }
        if tiles != nil, workouts.isEmpty { throw ValidationError("--tiles needs a workout: it shows its route.") }
        if let tiles, tiles.contains("://"), MapTiles(template: tiles) == nil {
            throw ValidationError(
                "--tiles must be a file or an address such as https://tiles.example.org/{z}/{x}/{y}.png, not '\(tiles)'."
            )
        }
        if workouts.count > 2 { throw ValidationError("name one workout, or two to compare.") }
        if !workouts.isEmpty, span != nil || range.start != nil || range.end != nil {
            throw ValidationError(
                "--week, --month, --year, --all, --from and --to select a period; remove them, or the workouts.")
        }
        if workouts.isEmpty, span == nil, range.start == nil {
            throw ValidationError("name a workout, or add --week, --month, --year, --all or --from.")
        }
        if span != nil, range.start != nil {
            throw ValidationError("choose --from, or one of --week, --month, --year and --all.")
        }
        if workouts.filter({ $0 == "-" }).count > 1 { throw ValidationError("'-' can be used only once.") }
    }

    func run() async throws {
        let environment = HealthEnvironment.current
        let variables = ProcessInfo.processInfo.environment
        let destination = PageDestination(output, replaces: force)
        let page = Page.standard(columnsInPipe: 100)
        let format: PrintingBrowser.Format? = pdf || mail ? .pdf : png ? .png : nil
        let browser = try format.map {
            try PrintingBrowser($0, option: mail ? "mail" : $0.rawValue, path: variables["PATH"] ?? "")
        }
        if let every, let span {
            let program = DeliveryApp.running(as: .default()).executable
            let arguments = ReportSchedule.command(
                Array(CommandLine.arguments.dropFirst()), hasEnd: range.end != nil, replaces: force,
                weekStart: span == .week && weekStart == nil ? every.weekday : nil)
            return try ReportSchedule(
                span: span, day: every, command: [program] + arguments,
                workingDirectory: FileManager.default.currentDirectoryPath, variables: variables
            ).write(in: DeliveryFolders(variables: variables))
        }
        if let weekStart {
            var language = Language.current
            language.firstWeekday = weekStart.number
            Language.use(language)
        }
        var report = try await self.report(environment, page)
        report.document.paper = .current
        var bytes = try browser?.file(of: report.document) ?? report.document.bytes
        if mail {
            bytes =
                MailMessage(
                    subject: report.document.title, recipient: recipient,
                    lines: (report.headline.map { [$0, ""] } ?? []) + report.facts.map { "\($0.label): \($0.text)" },
                    attachment: (
                        "\(PageDestination.safe(report.name).filter(\.isASCII)).pdf", "application/pdf", bytes
                    ),
                    date: environment.time.now()
                ).bytes
        }
        try destination.write(bytes, named: report.name, format: mail ? "eml" : format?.rawValue ?? "html").notify(
            json: json, sources: workouts)
    }

    struct Created {
        var document: ReportDocument
        /// The name of its file, without an extension.
        var name: String
        var headline: String?
        var facts: [(label: String, text: String)]
    }

    func report(_ environment: HealthEnvironment, _ page: Page) async throws -> Created {
        guard !workouts.isEmpty else {
            return try await CommandFailure.ownFault { try self.spanReport(environment, page) }
        }
        let options = AnalyzedWorkout.Options(session: session, wearer: wearer, tables: try tables.options())
        var read: [AnalyzedWorkout] = []
        for name in workouts { read.append(try await AnalyzedWorkout(name, options, environment)) }
        let all = read
        return try await CommandFailure.ownFault {
            var courses = try all.map { try $0.course() }
            if let privacyZone { for index in courses.indices { courses[index].hidePlaces(within: privacyZone) } }
            let layers = try layers(behind: courses)
            guard all.count > 1 else {
                let headline = try all[0].headline(in: environment, page)
                return Created(
                    document: WorkoutPage(
                        report: all[0].report, course: courses[0], page: page.at(all[0].report.summary.timeZone),
                        headline: headline, tiles: layers[0]
                    ).document,
                    name: all[0].fileName, headline: headline, facts: all[0].report.facts)
            }
            let comparison = ComparisonPage(
                first: (all[0].report, courses[0]), second: (all[1].report, courses[1]), page: page, tiles: layers)
            return Created(
                document: comparison.document, name: "\(all[0].fileName)-and-\(all[1].fileName)", facts: [])
        }
    }

    /// Returns the map tiles behind the shown part of each route.
    private func layers(behind courses: [WorkoutTimeline]) throws -> [MapLayer?] {
        guard let tiles else { return courses.map { _ in nil } }
        return try CommandFailure.badInput {
            let map =
                if let server = MapTiles(template: tiles) { server } else {
                    try MapTiles(file: URL(fileURLWithPath: tiles))
                }
            return try courses.map { course in
                let layer = try map.layer(behind: course.places)
                if layer == nil, course.places.count > 1 {
                    CommandOutput.error.print(
                        "warning: \(tiles) has no tiles for this route; the page shows an outline")
                }
                return layer
            }
        }
    }

    private func spanReport(_ environment: HealthEnvironment, _ page: Page) throws -> Created {
        let named = ReportSpan.named(span, from: range.start, to: range.end ?? environment.time.now(), page)
        let span = try SpanPage(named, in: environment, page)
        return Created(document: span.document, name: named.fileName, facts: span.facts)
    }
}

extension AnalyzedWorkout {
    func course() throws -> WorkoutTimeline {
        var course = WorkoutTimeline()
        try forEachEntry { course.take($0) }
        return course
    }

    /// A name like those of `workout export`: `2026-01-01T080000Z-running`.
    var fileName: String {
        Export.name(ofWorkoutFrom: report.summary.start, report.summary.activity)
    }
}
