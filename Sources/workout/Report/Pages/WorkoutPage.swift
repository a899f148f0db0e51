import Analytics
import Foundation
import HealthKit
import Recordings
import Reports

/// The page of one workout.
struct WorkoutPage {
    var report: AnalysisReport
    var course: WorkoutTimeline
    /// Where the reader's clock is.
    var page: Page
    /// Behind the route, if the user named a map.
    var tiles: MapLayer?

    var document: ReportDocument {
        let summary = report.summary
        let title = summary.title(page.timeZone)
        var document = ReportDocument(title: "\(title), \(page.day(summary.start))")
        document.body.element("header") { markup in
            markup.element("h1", text: title)
            markup.element("p", ["class": "soft"], text: when)
            if let notes = summary.labels?.notes { markup.element("p", text: notes) }
            markup.append(PageParts.facts(report.facts))
        }
        let tracks = WorkoutTracks(report: report, course: course, tiles: tiles)
        document.section("Charts", "course", tracks.markup)
        document.section("Zones", "zones", PageParts.zones(report))
        document.section("Legs", "parts", parts)
        document.section("Laps", "laps", laps)
        document.section("Splits", "splits", splits)
        document.section("Pauses", "pauses", pauses)
        document.section("Route", "route", tracks.route ?? Markup())
        document.section(
            "Heart-rate variability", "beats", BeatPictures(report: report, course: course, axis: tracks.axis).markup)
        for (name, title, identity) in Self.sections {
            guard let section = report.sections.first(where: { $0.name == name }) else { continue }
            document.section(title, identity, PageParts.figures(section))
        }
        var efforts = PageParts.efforts([(nil, report)])
        efforts.append(PageParts.tables(report.distance.efforts))
        document.section("Best efforts", "efforts", efforts)
        document.section("Measured", "measured", statistics)
        document.footer = footer
        if let origin = tiles?.origin { document.pictureOrigins.insert(origin) }
        return document
    }

    private static let sections: [(String, String, StaticString)] = [
        ("load", "Training load", "load"), ("recovery", "Recovery", "recovery"), ("power", "Power", "power"),
    ]

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
        var table = DataTable(columns: ["Leg", "Start", "Time", "Avg heart rate"])
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
        // Among laps that lead somewhere, one without a distance is a rest, such as those between the sets of a swim.
        let isMoving = laps.contains { $0.distanceInMeters ?? 0 > 0 }
        func isRest(_ lap: WorkoutSummary.Lap) -> Bool { isMoving && lap.distanceInMeters == 0 }
        let forms = laps.map { SpeedForm(report.summary.activity(at: $0.start)) }
        let isMixed = forms.contains { $0 != forms[0] }
        var table = DataTable(
            columns: ["Lap", "Start", "Time"]
                + (hasDistance ? ["Distance", isMixed ? "Pace or speed" : forms[0].title] : [])
                + (hasRate ? ["Avg bpm", "Max bpm"] : []), isSortable: true)
        for (index, lap) in laps.enumerated() {
            var row: [DataTable.Cell] = [
                .init(isRest(lap) ? "\(index + 1) rest" : "\(index + 1)", order: Double(index)),
                .init(page.clock(lap.start), order: lap.start.timeIntervalSinceReferenceDate),
                .init(MetricFormat.time(lap.durationInSeconds), order: lap.durationInSeconds),
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
        markup.element("details") { markup in
            markup.element(
                "summary",
                text: Page.counted(laps.count, "lap") + (rests > 0 ? ", \(Page.counted(rests, "rest")) among them" : "")
            )
            markup.append(table.markup)
        }
        return markup
    }

    /// With what they climb, and the moving time.
    private var splits: Markup {
        let facts = report.distance.facts.map { ($0.label.prefix(1).uppercased() + $0.label.dropFirst(), $0.text) }
        var markup = PageParts.facts(facts)
        markup.append(PageParts.tables(report.distance.splits(page)))
        return markup
    }

    private var pauses: Markup {
        let pauses = report.summary.pauses
        guard !pauses.isEmpty else { return Markup() }
        var table = DataTable(columns: ["Start", "End", "Time"])
        table.rows = pauses.map {
            [
                .init(page.clock($0.start)), .init(page.clock($0.end)),
                .init(MetricFormat.time($0.end.timeIntervalSince($0.start))),
            ]
        }
        guard pauses.count > Self.mostPausesOpen else { return table.markup }
        let seconds = report.summary.elapsedInSeconds - report.summary.durationInSeconds
        var markup = Markup()
        markup.element("details") { markup in
            markup.element("summary", text: "\(pauses.count) pauses, \(MetricFormat.time(seconds)) in total")
            markup.append(table.markup)
        }
        return markup
    }

    /// A longer list is folded under its number.
    private static let mostPausesOpen = 10
    private static let mostLapsOpen = 20

    /// All that `workout show` has, type by type.
    private var statistics: Markup {
        var table = DataTable(columns: ["Measurement", "Total", "Min", "Avg", "Max", "Readings"])
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
                .init(text(statistics.average)), .init(text(statistics.maximum)),
                .init(statistics.count.map { "\($0)" } ?? ""),
            ])
        }
        return table.rows.isEmpty ? Markup() : table.markup
    }

    private var footer: Markup {
        let summary = report.summary
        var lines: [String] = []
        if !summary.sensors.isEmpty {
            lines.append("Sensors: \(summary.sensors.map(\.name).joined(separator: ", "))")
        }
        if let labels = summary.labels {
            if !labels.tags.isEmpty { lines.append("Tags: \(labels.tags.joined(separator: ", "))") }
            if let gear = labels.gear { lines.append("Gear: \(gear)") }
            if let effort = labels.effort { lines.append("Effort: \(MetricFormat.effort(effort))") }
        }
        if let source = summary.source { lines.append("Source: \(source). ID: \(summary.id.uuidString)") }
        if let remark = report.profileRemark { lines.append(remark) }
        lines.append("Created with OpenHealthKit. Not medical advice.")
        var page = Markup()
        for line in lines { page.element("p", text: line) }
        return page
    }
}
