import Analytics
import Foundation
import HealthKit
import Reports
import StoredWorkouts

/// The page about two workouts: their charts over one another, and their numbers side by side.
struct ComparisonPage {
    typealias Side = (report: AnalysisReport, course: WorkoutTimeline)

    var first: Side
    var second: Side
    /// The layout, with the reader's time zone.
    var page: Page
    /// The map tiles behind each route, if the user named a map.
    var tiles: [MapLayer?] = [nil, nil]

    private var sides: [Side] { [first, second] }

    private var names: [String] { WorkoutComparison.names(sides.map(\.report.summary), page) }

    var document: ReportDocument {
        let names = names
        let title = localized(
            "%1, %2 and %3", ActivityTitle.of(first.report.summary.activity), names[0], names[1])
        var document = ReportDocument(title: title)
        document.body.element("header") { markup in
            markup.element("h1", text: title)
            for (name, side) in zip(names, sides) {
                let summary = side.report.summary
                markup.element(
                    "p", ["class": "soft"],
                    text: "\(name): \(ActivityTitle.of(summary.activity)), \(page.day(summary.start)), "
                        + "\(page.clock(summary.start)) \(page.zoneName(summary.start))")
            }
        }
        document.section(localized("Numbers"), "numbers", numbers(names))
        document.section(localized("Charts"), "course", courses(names))
        document.section(localized("Side by side"), "stretches", stretches(names))
        document.section(localized("Zones"), "zones", sideBySide(names) { PageParts.zones($1.report, of: $0) })
        document.section(localized("Laps"), "laps", laps(names))
        document.section(localized("Route"), "route", routes(names))
        document.section(
            localized("Best efforts"), "efforts", PageParts.efforts(zip(names, sides).map { ($0, $1.report) }))
        document.section(localized("Figures"), "figures", figures(names))
        document.footer.element("p", text: localized("Created with OpenHealthKit. Not medical advice."))
        document.pictureOrigins = Set(tiles.compactMap { $0?.origin })
        return document
    }

    // MARK: Numbers

    /// Lists the headline numbers of both, and the difference. A number that only one of them has leaves a gap beside
    /// it.
    private func numbers(_ names: [String]) -> Markup {
        let numbers = sides.map(\.report.numbers)
        var table = DataTable(columns: [""] + names + [localized("Difference")])
        var labels = numbers[0].map(\.label)
        for number in numbers[1] where !labels.contains(number.label) { labels.append(number.label) }
        for label in labels {
            let both = numbers.map { own in own.first { $0.label == label } }
            let difference = both[0].flatMap { one in
                both[1].map { other in WorkoutComparison.signed(other.value - one.value, one.text) }
            }
            table.rows.append(
                [.init(label)] + both.map { .init($0.map { $0.text($0.value) } ?? "–") } + [.init(difference ?? "–")])
        }
        return table.markup
    }

    /// Compares both per kilometre and per minute.
    private func stretches(_ names: [String]) -> Markup {
        PageParts.tables(
            WorkoutComparison.Axis.allCases.compactMap { axis in
                let comparison = WorkoutComparison(first: first.report, second: second.report, axis: axis)
                guard !comparison.rows.isEmpty else { return nil }
                return (
                    axis == .distance
                        ? localized("By distance: first is %1, second is %2", names[0], names[1])
                        : localized("By time: first is %1, second is %2", names[0], names[1]),
                    comparison.table(page)
                )
            })
    }

    /// Lists the figures of `workout analyze` for both, and the differences.
    private func figures(_ names: [String]) -> Markup {
        var table = DataTable(columns: [localized("Figure")] + names + [localized("Difference")])
        var missing: [String] = []
        for (a, b) in zip(first.report.sections, second.report.sections) {
            for (x, y) in zip(a.rows, b.rows) {
                let label = "\(a.title): \(x.label)"
                switch (x.figure, y.figure) {
                case (.success(let one), .success(let other)):
                    let sign = other < one ? "−" : "+"
                    table.rows.append([
                        .init(label), .init(x.text(one)), .init(y.text(other)),
                        .init(sign + MetricFormat.short(abs(other - one))),
                    ])
                case (.success(let one), .failure(let reason)):
                    table.rows.append([.init(label), .init(x.text(one)), .init("–"), .init("")])
                    missing.append("\(label), \(names[1]): \(reason.sentence)")
                case (.failure(let reason), .success(let other)):
                    table.rows.append([.init(label), .init("–"), .init(y.text(other)), .init("")])
                    missing.append("\(label), \(names[0]): \(reason.sentence)")
                case (.failure, .failure): break
                }
            }
        }
        var markup = table.rows.isEmpty ? Markup() : table.markup
        for sentence in missing { markup.reason(sentence) }
        return markup
    }

    // MARK: Pictures

    private func courses(_ names: [String]) -> Markup {
        var markup = Markup()
        markup.append(Legend([(names[0], "line heart"), (names[1], "line second")], .line).markup)
        var tracks = WorkoutTracks(report: first.report, course: first.course, other: second.course)
        let distances = sides.map(\.report.distance.analysis.distance)
        guard distances.allSatisfy({ $0.totalInMeters > 0 }) else {
            markup.append(tracks.markup)
            return markup
        }
        markup.element("h3", text: localized("By time"))
        markup.append(tracks.markup)
        tracks.distances = (distances[0], distances[1])
        markup.element("h3", text: localized("By distance"))
        markup.append(tracks.markup)
        return markup
    }

    private func routes(_ names: [String]) -> Markup {
        let routes = zip(names, zip(sides, tiles)).map { name, side in
            (name, WorkoutTracks(report: side.0.report, course: side.0.course, tiles: side.1).plainRoute)
        }
        guard routes.contains(where: { $0.1 != nil }) else { return Markup() }
        var markup = Markup()
        markup.element("div", ["class": "columns-2"]) { page in
            for (name, route) in routes {
                guard let route else { continue }
                page.element("div") { page in
                    page.element("h3", text: name)
                    page.append(route)
                }
            }
        }
        return markup
    }

    private func sideBySide(_ names: [String], _ content: (String, Side) -> Markup) -> Markup {
        var markup = Markup()
        markup.element("div", ["class": "columns-2"]) { page in
            for (name, side) in zip(names, sides) {
                page.element("div") { page in
                    page.element("h3", text: name)
                    page.append(content(name, side))
                }
            }
        }
        return markup
    }

    /// Compares the laps.
    private func laps(_ names: [String]) -> Markup {
        let laps = sides.map(\.report.summary.laps)
        guard laps.contains(where: { !$0.isEmpty }) else { return Markup() }
        let formats = laps.map { LapTimeFormat($0) }
        var table = DataTable(
            columns: [localized("Lap")]
                + names.flatMap { name in
                    ["Time", "Distance", "Avg heart rate"].map { "\(localized($0)), \(name)" }
                })
        for index in 0..<(laps.map(\.count).max() ?? 0) {
            table.rows.append(
                [.init("\(index + 1)")]
                    + zip(laps, formats).flatMap { own, times -> [DataTable.Cell] in
                        guard own.indices.contains(index) else { return [.init(""), .init(""), .init("")] }
                        let lap = own[index]
                        return [
                            .init(times.text(lap)),
                            .init(lap.distanceInMeters.map(MetricFormat.distance) ?? ""),
                            .init(lap.averageHeartRate.map { MetricFormat.heartRate($0) } ?? ""),
                        ]
                    })
        }
        return table.markup
    }
}
