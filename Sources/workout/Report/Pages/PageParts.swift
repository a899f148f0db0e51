import Analytics
import HealthKit
import Reports

/// What the pages of ``Report`` are put together of: the command's own words and numbers as HTML.
enum PageParts {
    /// Headline numbers, side by side.
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

    /// The figures of a section: values first; then, reason by reason, what is missing.
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
            // All of a section for one reason is that reason alone.
            page.reason(
                labels.count == section.rows.count ? sentence : "\(labels.joined(separator: ", ")): \(sentence)")
        }
        return page
    }

    /// The best efforts of one workout, or of several side by side.
    static func efforts(_ reports: [(name: String?, report: AnalysisReport)]) -> Markup {
        var page = Markup()
        let columns = reports.flatMap { name, report in
            report.curves.filter { !$0.efforts.isEmpty }.map { (name: name, curve: $0) }
        }
        if !columns.isEmpty {
            var table = DataTable(
                columns: ["Duration"]
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

    /// The time in each zone, of the heart rate first, with its bar.
    static func zones(_ report: AnalysisReport) -> Markup {
        var page = heartRateZones(report)
        for motion in report.motionZones {
            let longest = motion.rows.map(\.seconds).max() ?? 0
            var table = DataTable(columns: ["Zone", "", "Time", "Share", ""], caption: motion.title)
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

    private static func heartRateZones(_ report: AnalysisReport) -> Markup {
        if let missing = report.reasonForNoZones {
            var page = Markup()
            page.reason(missing.sentence)
            return page
        }
        let zones = report.summary.zoneShares
        let longest = zones.map(\.seconds).max() ?? 0
        var table = DataTable(columns: ["Zone", "", "Time", "Share", ""])
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
        guard bounds.upperBound.isFinite else { return "from \(lower) bpm" }
        return "\(lower) – \(MetricFormat.short(bounds.upperBound)) bpm"
    }
}

extension AnalysisReport {
    /// How this activity tells speeds.
    var speedForm: SpeedForm { SpeedForm(summary.activity) }

    /// The headline numbers, each as `workout show` and `workout analyze` have it.
    var facts: [(label: String, text: String)] {
        var facts = [("Moving time", MetricFormat.time(summary.durationInSeconds))]
        if summary.elapsedInSeconds - summary.durationInSeconds >= 1 {
            facts.append(("Elapsed time", MetricFormat.time(summary.elapsedInSeconds)))
        }
        if let meters = distanceInMeters, meters > 0 {
            facts.append(("Distance", MetricFormat.distance(meters)))
            if summary.durationInSeconds > 0 {
                facts.append((speedForm.title, speedForm.text(of: meters, in: summary.durationInSeconds)))
            }
        }
        if let average = heartRate?.average { facts.append(("Avg heart rate", MetricFormat.heartRate(average))) }
        if let maximum = heartRate?.maximum { facts.append(("Max heart rate", MetricFormat.heartRate(maximum))) }
        if let energy = sum("HKQuantityTypeIdentifierActiveEnergyBurned") {
            facts.append(("Active energy", MetricFormat.energy(energy)))
        }
        for section in sections {
            for row in section.rows where ["averageInWatts", "banisterTrainingImpulse"].contains(row.name) {
                guard case .success(let value) = row.figure else { continue }
                facts.append((row.name == "averageInWatts" ? "Avg power" : "Training load", row.text(value)))
            }
        }
        if !summary.laps.isEmpty { facts.append(("Laps", "\(summary.laps.count)")) }
        return facts
    }

    private func sum(_ identifier: String) -> Double? { summary.statistics.first { $0.identifier == identifier }?.sum }

    /// Of the kinds of distance that a multisport workout has, all; none is told of metres that are not metres.
    var distanceInMeters: Double? {
        let sums = summary.statistics.compactMap { statistics -> Double? in
            guard statistics.identifier.hasPrefix("HKQuantityTypeIdentifierDistance") else { return nil }
            return statistics.sum.flatMap { statistics.unit == "m" ? $0 : statistics.unit == "km" ? $0 * 1000 : nil }
        }
        return sums.isEmpty ? nil : sums.reduce(0, +)
    }
}
