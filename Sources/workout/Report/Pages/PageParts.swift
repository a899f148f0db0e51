import Analytics
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// The building blocks of ``Report``'s pages: words and numbers of the command as HTML.
enum PageParts {
    /// Returns headline numbers side by side.
    static func facts(_ facts: [(label: String, text: String)]) -> Markup {
        var page = Markup()
        guard !facts.isEmpty else { return page }
        page.element("dl", ["class": "facts"]) { page in
            for fact in facts {
                page.element("div") { page in
                    page.element("dt", text: fact.label)
                    page.element("dd", text: fact.text)
                }
            }
        }
        return page
    }

    /// Returns the tables that the terminal shows, each under its title.
    static func tables(_ tables: [(title: String, table: ColumnTable)]) -> Markup {
        var page = Markup()
        for (title, table) in tables {
            var own = DataTable(
                columns: table.columns.map { heading($0.title) }, caption: title)
            own.rows = table.rows.compactMap { row in
                guard case .values(let values) = row else { return nil }
                return values.map { .init(String($0.trimmingPrefix { $0 == " " })) }
            }
            page.append(own.markup)
        }
        return page
    }

    private static func heading(_ title: String) -> String {
        let words = title.trimmingPrefix { $0 == " " }
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// Returns the figures of a section: the values first, then the missing ones by reason.
    static func figures(_ section: AnalysisReport.Section) -> Markup {
        var table = DataTable(columns: [])
        var missing: [(sentence: String, labels: [String])] = []
        for row in section.rows {
            switch row.figure {
            case .success(let value):
                table.rows.append([.init(row.label), .init(row.text(value)), .init(row.remark ?? "", isRemark: true)])
            case .failure(let reason):
                if let index = missing.firstIndex(where: { $0.sentence == reason.sentence }) {
                    missing[index].labels.append(row.label)
                } else {
                    missing.append((reason.sentence, [row.label]))
                }
            }
        }
        var page = Markup()
        if !table.rows.isEmpty { page.append(table.markup) }
        for (sentence, labels) in missing {
            // If all figures of a section are missing for one reason, only the reason is shown.
            page.reason(
                labels.count == section.rows.count ? sentence : "\(labels.joined(separator: ", ")): \(sentence)")
        }
        return page
    }

    /// Returns the best efforts of one workout, or of several side by side.
    static func efforts(_ reports: [(name: String?, report: AnalysisReport)]) -> Markup {
        var page = Markup()
        let columns = reports.flatMap { name, report in
            report.curves.filter { !$0.efforts.isEmpty }.map { (name: name, curve: $0) }
        }
        if !columns.isEmpty {
            var table = DataTable(
                columns: [localized("Duration")]
                    + columns.map { [$0.curve.label, $0.name].compactMap { $0 }.joined(separator: ", ") })
            for seconds in Set(columns.flatMap { $0.curve.efforts.map(\.seconds) }).sorted() {
                table.rows.append(
                    [.init(MetricFormat.shortTime(Double(seconds)), order: Double(seconds))]
                        + columns.map { _, curve in
                            let effort = curve.efforts.first { $0.seconds == seconds }
                            return .init(effort.map { curve.text($0.mean) } ?? "", order: effort?.mean)
                        })
            }
            page.append(table.markup)
        }
        if reports.count == 1 {
            for curve in reports[0].report.curves where curve.efforts.isEmpty {
                page.reason("\(curve.label): \(MissingFigure.notMeasured(curve.measure).sentence)")
            }
        }
        return page
    }

    /// Returns the time in each zone with its bar, for the heart rate first.
    /// - Parameter name: The workout's name, if the page has zones of several.
    static func zones(_ report: AnalysisReport, of name: String? = nil) -> Markup {
        var page = heartRateZones(report, of: name)
        for motion in report.motionZones {
            let longest = motion.rows.map(\.seconds).max() ?? 0
            var table = DataTable(
                columns: [localized("Zone"), "", localized("Time"), localized("Share"), ""], caption: motion.title)
            table.name = name.map { "\(motion.title), \($0)" }
            for row in motion.rows {
                table.rows.append([
                    .init(row.zone == 0 ? "<1" : "\(row.zone)"), .init(row.range),
                    .init(MetricFormat.time(row.seconds)), .init(MetricFormat.fixed(row.share * 100, 0) + " %"),
                    .init(
                        bar: longest > 0 ? row.seconds / longest : 0,
                        row.zone == 0 ? "none" : PageStyle.zone(row.zone)),
                ])
            }
            page.append(table.markup)
        }
        return page
    }

    private static func heartRateZones(_ report: AnalysisReport, of name: String?) -> Markup {
        if let missing = report.reasonForNoZones {
            var page = Markup()
            page.reason(missing.sentence)
            return page
        }
        let zones = report.summary.zoneShares
        let longest = zones.map(\.seconds).max() ?? 0
        var table = DataTable(columns: [localized("Zone"), "", localized("Time"), localized("Share"), ""])
        table.name = name.map { localized("Zones") + ", \($0)" }
        for zone in zones {
            let share = zone.share.map { MetricFormat.fixed($0 * 100, 0) + " %" } ?? ""
            table.rows.append([
                .init(zone.zone == 0 ? "<1" : "\(zone.zone)"), .init(range(report, zone.zone)),
                .init(MetricFormat.time(zone.seconds)), .init(share),
                .init(
                    bar: longest > 0 ? zone.seconds / longest : 0,
                    zone.zone == 0 ? "none" : PageStyle.zone(zone.zone)),
            ])
        }
        return table.markup
    }

    private static func range(_ report: AnalysisReport, _ zone: Int) -> String {
        guard let bounds = report.bounds(ofZone: zone) else { return "" }
        let lower = MetricFormat.short(bounds.lowerBound)
        guard bounds.upperBound.isFinite else { return localized("from %1 bpm", lower) }
        return "\(lower) – \(MetricFormat.short(bounds.upperBound)) bpm"
    }
}

extension AnalysisReport {
    /// The form of speeds in this activity.
    var speedForm: SpeedForm { SpeedForm(summary) }

    /// A headline number and its format.
    struct Number {
        var label: String
        var value: Double
        var text: (Double) -> String

        init(_ label: String, _ value: Double, _ text: @escaping (Double) -> String) {
            self.label = label
            self.value = value
            self.text = text
        }
    }

    var facts: [(label: String, text: String)] { numbers.map { ($0.label, $0.text($0.value)) } }

    /// The headline numbers, as in `workout show` and `workout analyze`.
    var numbers: [Number] {
        var numbers = [Number(localized("Duration"), summary.durationInSeconds, MetricFormat.time)]
        if summary.elapsedInSeconds - summary.durationInSeconds >= 1 {
            numbers.append(Number(localized("Elapsed time"), summary.elapsedInSeconds, MetricFormat.time))
        }
        if let meters = distanceInMeters, meters > 0 {
            numbers.append(Number(localized("Distance"), meters, MetricFormat.distance))
            let seconds = summary.durationInSeconds
            switch speedForm {
            case _ where seconds <= 0: break
            case .speed: numbers.append(Number(localized("Speed"), meters / seconds, MetricFormat.speed))
            case .pace: numbers.append(Number(localized("Pace"), seconds / meters * 1000, MetricFormat.pace))
            case .swimPace: numbers.append(Number(localized("Pace"), seconds / meters, MetricFormat.swimPace))
            }
        }
        if let average = heartRate?.average {
            numbers.append(Number(localized("Avg heart rate"), average, MetricFormat.heartRate))
        }
        if let maximum = heartRate?.maximum {
            numbers.append(Number(localized("Max heart rate"), maximum, MetricFormat.heartRate))
        }
        if let energy = sum("HKQuantityTypeIdentifierActiveEnergyBurned") {
            numbers.append(Number(localized("Active energy"), energy, MetricFormat.energy))
        }
        for section in sections {
            for row in section.rows where ["averageInWatts", "banisterTrainingImpulse"].contains(row.name) {
                guard case .success(let value) = row.figure else { continue }
                numbers.append(
                    Number(
                        row.name == "averageInWatts" ? localized("Avg power") : localized("Training load"), value,
                        row.text))
            }
        }
        if !summary.laps.isEmpty {
            numbers.append(Number(localized("Laps"), Double(summary.laps.count)) { MetricFormat.short($0) })
        }
        return numbers
    }

    private func sum(_ identifier: String) -> Double? { summary.statistics.first { $0.identifier == identifier }?.sum }

    /// The sum of all kinds of distance in a multisport workout. Leaves out values whose unit is no length.
    var distanceInMeters: Double? {
        let sums = summary.statistics.compactMap { statistics -> Double? in
            guard statistics.identifier.hasPrefix("HKQuantityTypeIdentifierDistance") else { return nil }
            return statistics.sum.flatMap { statistics.unit == "m" ? $0 : statistics.unit == "km" ? $0 * 1000 : nil }
        }
        return sums.isEmpty ? nil : sums.reduce(0, +)
    }
}
