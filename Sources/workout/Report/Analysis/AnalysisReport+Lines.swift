import Analytics
import Foundation
import HealthKit
import Reports
import StoredWorkouts

extension AnalysisReport {
    /// Returns the report section by section. A figure that cannot be computed has a line with the reason.
    func lines(_ page: Page) -> [String] {
        var lines = header(page)
        lines += section(localized("Zones"), zones(page))
        for table in motionZones { lines += section(table.title, self.zones(table)) }
        for (_, reason) in reasonsForNoMotionZones {
            // A user who measures power may want zones of it. One who does not has no use for them.
            guard case .notKnown = reason else { continue }
            lines += section(
                reason == .notKnown(.powerZones) ? localized("Power zones") : localized("%1 zones", speedForm.title),
                [StyledLine("  \(reason.sentence)", .dim)])
        }
        for section in sections.prefix(4) { lines += self.section(section.title, rows(section)) }
        lines += section(localized("Best efforts"), efforts(page))
        for section in sections.dropFirst(4) { lines += self.section(section.title, rows(section)) }
        if saved != nil {
            lines += section(
                localized("Saved"),
                savedLines(page).map { row in
                    line(row.label, row.value.map { Self.left($0, 16) } ?? "") + StyledLine(row.remark, .dim)
                })
        }
        let remark = profileRemark.map { [StyledLine(), StyledLine($0, .dim)] } ?? []
        func texts(_ lines: [StyledLine]) -> [String] {
            lines.map { $0.clipped(to: page.columns, ellipsis: page.ellipsis).text(page.capability.colour) }
        }
        return texts(lines) + distance.lines(page) + texts(remark)
    }

    /// The remark if the recording lacks something that the profile may have.
    var profileRemark: String? {
        let needsProfile = sections.contains { section in
            section.rows.contains { if case .failure(.notKnown) = $0.figure { true } else { false } }
        }
        return isWithoutProfile && needsProfile
            ? localized("To use your own profile, add --wearer profile.") : nil
    }

    private func header(_ page: Page) -> [StyledLine] {
        let page = page.at(summary.timeZone)
        let when = "\(page.day(summary.start)), \(page.clock(summary.start)) \(page.zoneName(summary.start))"
        var facts = [localized("duration %1", MetricFormat.time(summary.durationInSeconds))]
        if let average = heartRate?.average { facts.append(localized("avg %1 bpm", MetricFormat.fixed(average, 1))) }
        if let maximum = heartRate?.maximum { facts.append(localized("max %1 bpm", MetricFormat.short(maximum))) }
        return [
            StyledLine(summary.title(page.timeZone), .bold) + StyledLine("  " + when),
            StyledLine(facts.joined(separator: "   ")),
        ]
    }

    private func section(_ title: String, _ lines: [StyledLine]) -> [StyledLine] {
        [StyledLine(), StyledLine(title, .bold)] + lines
    }

    private static let labelColumns = 15

    private func line(_ label: String, _ text: String, _ style: TextStyle = .plain) -> StyledLine {
        StyledLine("  \(label)", .dim).padded(to: Self.labelColumns + 2) + StyledLine(text, style)
    }

    private func zones(_ page: Page) -> [StyledLine] {
        if let reason = reasonForNoZones { return [StyledLine("  \(reason.sentence)", .dim)] }
        return summary.zoneShares.map { zone in
            let bounds = self.bounds(ofZone: zone.zone).map { bounds in
                let lower = MetricFormat.short(bounds.lowerBound)
                guard bounds.upperBound.isFinite else { return localized("from %1 bpm", lower) }
                return "\(lower) \(page.dash) \(MetricFormat.short(bounds.upperBound)) bpm"
            }
            let share = zone.share.map { MetricFormat.fixed($0 * 100, 0) + " %" } ?? ""
            let time = MetricFormat.time(zone.seconds)
            return line(zone.zone == 0 ? "<1" : "\(zone.zone)", "\(time)  \(Self.left(share, 5))  \(bounds ?? "")")
        }
    }

    private func zones(_ table: MotionZoneTable) -> [StyledLine] {
        table.rows.map { row in
            let share = MetricFormat.fixed(row.share * 100, 0) + " %"
            return line(
                row.zone == 0 ? "<1" : "\(row.zone)",
                "\(MetricFormat.time(row.seconds))  \(Self.left(share, 5))  \(row.range)")
        }
    }

    /// Returns the values first, then the missing figures by reason.
    private func rows(_ section: Section) -> [StyledLine] {
        var lines: [StyledLine] = []
        var missing: [(sentence: String, labels: [String])] = []
        for row in section.rows {
            switch row.figure {
            case .success(let value):
                let text = Self.left(row.text(value), 16)
                lines.append(line(row.label, text) + StyledLine(row.remark ?? "", .dim))
            case .failure(let reason):
                if let index = missing.firstIndex(where: { $0.sentence == reason.sentence }) {
                    missing[index].labels.append(row.label)
                } else {
                    missing.append((reason.sentence, [row.label]))
                }
            }
        }
        return lines
            + missing.map { reason, labels in
                // If all figures of a section are missing for one reason, only the reason is shown.
                labels.count == section.rows.count
                    ? StyledLine("  \(reason)", .dim)
                    : StyledLine("  \(labels.joined(separator: ", ")): \(reason)", .dim)
            }
    }

    private func efforts(_ page: Page) -> [StyledLine] {
        let curves = self.curves
        let shown = curves.filter { !$0.efforts.isEmpty }
        let reasons = curves.filter(\.efforts.isEmpty).map {
            StyledLine("  \($0.label): \(MissingFigure.notMeasured($0.measure).sentence)", .dim)
        }
        guard !shown.isEmpty else { return reasons }
        let durations = Set(shown.flatMap { $0.efforts.map(\.seconds) }).sorted()
        let head =
            StyledLine("", .dim).padded(to: Self.labelColumns + 2)
            + StyledLine(shown.map { Self.left($0.label, 12) }.joined(), .dim)
        return [head]
            + durations.map { seconds in
                let values = shown.map { curve in
                    Self.left(
                        curve.efforts.first { $0.seconds == seconds }.map { curve.text($0.mean) } ?? page.dash, 12)
                }
                return line(MetricFormat.shortTime(Double(seconds)), values.joined())
            } + reasons
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - DisplayWidth.of(text)))
    }
}
