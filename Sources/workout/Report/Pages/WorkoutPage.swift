import Analytics
import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts

/// The page about one workout.
struct WorkoutPage {
    var report: AnalysisReport
    var course: WorkoutTimeline
    /// The layout, in the time zone of the workout's place, if that is known.
    var page: Page
    /// The most notable fact, in a sentence.
    var headline: String?
    /// The map tiles behind the route, if the user named a map.
    var tiles: MapLayer?

    var document: ReportDocument {
        let summary = report.summary
        let title = summary.title(page.timeZone)
        var document = ReportDocument(title: "\(title), \(page.day(summary.start))")
        document.hasColumnsOnPaper = true
        document.body.element("header") { markup in
            markup.element("h1", text: title)
            markup.element("p", ["class": "soft"], text: when)
            if let notes = summary.labels?.notes { markup.element("p", text: notes) }
            if let headline { markup.element("p", ["class": "headline"], text: headline) }
            markup.append(PageParts.facts(report.facts))
        }
        let tracks = WorkoutTracks(report: report, course: course, tiles: tiles)
        document.section(localized("Charts"), "course", tracks.markup)
        document.section(localized("Zones"), "zones", PageParts.zones(report))
        document.section(localized("Route"), "route", tracks.route ?? Markup())
        for (name, title, identity) in Self.sections {
            guard let section = report.sections.first(where: { $0.name == name }) else { continue }
            document.section(title, identity, PageParts.figures(section))
        }
        document.group("tables") { document in
            document.section(localized("Legs"), "parts", parts)
            document.section(localized("Splits"), "splits", splits)
            document.section(localized("Laps"), "laps", laps)
            document.section(localized("Pauses"), "pauses", pauses)
            document.section(localized("Measured"), "measured", statistics)
        }
        document.section(
            localized("Heart-rate variability"), "beats",
            BeatPictures(report: report, course: course, axis: tracks.axis).markup)
        var efforts = PageParts.efforts([(nil, report)])
        efforts.append(PageParts.tables(report.distance.efforts))
        document.section(localized("Best efforts"), "efforts", efforts)
        document.footer = footer
        if let origin = tiles?.origin { document.pictureOrigins.insert(origin) }
        return document
    }

    private static var sections: [(String, String, StaticString)] {
        [
            ("load", localized("Training load"), "load"), ("recovery", localized("Recovery"), "recovery"),
            ("power", localized("Power"), "power"),
        ]
    }

    private var when: String {
        let summary = report.summary
        let activity = summary.labels.map { _ in ActivityTitle.of(summary.activity) + ", " } ?? ""
        let start = activity + "\(page.day(summary.start)), \(page.clock(summary.start))"
        let isOneDay = page.day(summary.start) == page.day(summary.end)
        let end = isOneDay ? page.clock(summary.end) : "\(page.day(summary.end)), \(page.clock(summary.end))"
        return "\(start) – \(end) \(page.zoneName(summary.start))"
    }

    private var parts: Markup {
        let activities = report.summary.activities
        guard !activities.isEmpty else { return Markup() }
        var table = DataTable(columns: [
            localized("Leg"), localized("Start"), localized("Time"), localized("Avg heart rate"),
        ])
        table.rows = activities.map { part in
            [
                .init(ActivityTitle.of(part.activity)), .init(page.clock(part.start)),
                .init(MetricFormat.time(part.durationInSeconds)),
                .init(part.averageHeartRate.map { MetricFormat.heartRate($0) } ?? ""),
            ]
        }
        return table.markup
    }

    private var laps: Markup {
        let laps = report.summary.laps
        guard !laps.isEmpty else { return Markup() }
        let hasDistance = laps.contains { $0.distanceInMeters != nil }
        let hasRate = laps.contains { $0.averageHeartRate != nil }
        // Among laps with a distance, one without is a rest, such as between the sets of a swim.
        let isMoving = laps.contains { $0.distanceInMeters ?? 0 > 0 }
        func isRest(_ lap: WorkoutSummary.Lap) -> Bool { isMoving && lap.distanceInMeters == 0 }
        let times = LapTimeFormat(laps)
        let forms = laps.map { SpeedForm(report.summary.activity(at: $0.start)) }
        let isMixed = forms.contains { $0 != forms[0] }
        var table = DataTable(
            columns: [localized("Lap"), localized("Start"), localized("Time")]
                + (hasDistance ? [localized("Distance"), isMixed ? localized("Pace or speed") : forms[0].title] : [])
                + (hasRate ? [localized("Avg bpm"), localized("Max bpm")] : []), isSortable: true)
        for (index, lap) in laps.enumerated() {
            var row: [DataTable.Cell] = [
                .init(isRest(lap) ? localized("%1 rest", "\(index + 1)") : "\(index + 1)", order: Double(index)),
                .init(page.clock(lap.start), order: lap.start.timeIntervalSinceReferenceDate),
                .init(times.text(lap), order: lap.durationInSeconds),
            ]
            if hasDistance {
                let meters = lap.distanceInMeters.flatMap { $0 > 0 && lap.durationInSeconds > 0 ? $0 : nil }
                row.append(
                    .init(lap.distanceInMeters.map(MetricFormat.distance) ?? "", order: lap.distanceInMeters))
                row.append(
                    .init(
                        meters.map { forms[index].text(of: $0, in: lap.durationInSeconds) } ?? "",
                        order: meters.map { ($0 / lap.durationInSeconds) * (isMixed || forms[0] == .speed ? 1 : -1) }))
            }
            if hasRate {
                for rate in [lap.averageHeartRate, lap.maximumHeartRate] {
                    row.append(.init(rate.map { MetricFormat.fixed($0, 0) } ?? "", order: rate))
                }
            }
            table.rows.append(row)
        }
        guard laps.count > Self.mostLapsOpen else { return table.markup }
        var markup = Markup()
        let rests = laps.count(where: isRest)
        markup.element("details", ["class": "fold"]) { markup in
            markup.element(
                "summary",
                text: localizedCount(laps.count, "lap")
                    + (rests > 0 ? ", " + localized("%1 among them", localizedCount(rests, "rest")) : "")
            )
            markup.append(table.markup)
        }
        return markup
    }

    /// The splits with their ascent and the moving time.
    private var splits: Markup {
        let facts = report.distance.facts.map { ($0.label.prefix(1).uppercased() + $0.label.dropFirst(), $0.text) }
        var markup = PageParts.facts(facts)
        for (title, table) in report.distance.splits(page) {
            guard table.rows.count > Self.mostLapsOpen else {
                markup.append(PageParts.tables([(title, table)]))
                continue
            }
            markup.element("details", ["class": "fold"]) { markup in
                markup.element("summary", text: "\(title): \(table.rows.count)")
                markup.append(PageParts.tables([(title, table)]))
            }
        }
        return markup
    }

    private var pauses: Markup {
        let pauses = report.summary.pauses
        guard !pauses.isEmpty else { return Markup() }
        var table = DataTable(columns: [localized("Start"), localized("End"), localized("Time")])
        table.rows = pauses.map {
            [
                .init(page.clock($0.start)), .init(page.clock($0.end)),
                .init(MetricFormat.time($0.end.timeIntervalSince($0.start))),
            ]
        }
        guard pauses.count > Self.mostPausesOpen else { return table.markup }
        let seconds = report.summary.elapsedInSeconds - report.summary.durationInSeconds
        var markup = Markup()
        markup.element("details", ["class": "fold"]) { markup in
            markup.element(
                "summary",
                text: localized("%1, %2 in total", localizedCount(pauses.count, "pause"), MetricFormat.time(seconds)))
            markup.append(table.markup)
        }
        return markup
    }

    /// A longer list is folded and shows only its number.
    private static let mostPausesOpen = 10
    private static let mostLapsOpen = 20

    /// All statistics of `workout show`, type by type.
    private var statistics: Markup {
        var table = DataTable(columns: [
            localized("Measurement"), localized("Total"), localized("Min"), localized("Avg"), localized("Max"),
            localized("Readings"),
        ])
        let identifiers = report.summary.statistics.map(\.identifier)
        for statistics in report.summary.statistics {
            let form = SpeedForm(identifier: statistics.identifier, in: report.summary.activity)
            func text(_ value: Double?) -> String {
                guard let value else { return "" }
                if let form, statistics.unit == "m/s" { return form.text(value) }
                return QuantityLabel.value(value, unit: statistics.unit, of: statistics.identifier)
            }
            table.rows.append([
                .init(form?.title ?? QuantityLabel.of(statistics.identifier, among: identifiers)),
                .init(text(statistics.sum)),
                .init(text(statistics.minimum)),
                .init(text(report.summary.meanSpeed(statistics.identifier) ?? statistics.average)),
                .init(text(statistics.maximum)),
                .init(statistics.count.map { Language.current.number("\($0)") } ?? ""),
            ])
        }
        return table.rows.isEmpty ? Markup() : table.markup
    }

    private var footer: Markup {
        let summary = report.summary
        var lines: [String] = []
        if !summary.sensors.isEmpty {
            lines.append(
                localized("Sensors") + ": \(summary.sensors.map { localizedDevice($0.name) }.joined(separator: ", "))")
        }
        if let labels = summary.labels {
            if !labels.tags.isEmpty { lines.append(localized("Tags") + ": \(labels.tags.joined(separator: ", "))") }
            if let gear = labels.gear { lines.append(localized("Gear") + ": \(gear)") }
            if let effort = labels.effort { lines.append(localized("Effort") + ": \(MetricFormat.effort(effort))") }
        }
        if let source = summary.source {
            lines.append(localized("Saved by") + ": \(source). ID: \(summary.id.uuidString)")
        }
        if let remark = report.profileRemark { lines.append(remark) }
        lines.append(localized("Created with OpenHealthKit. Not medical advice."))
        var page = Markup()
        for line in lines { page.element("p", text: line) }
        return page
    }
}
