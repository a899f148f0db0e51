import Analytics
import HealthKit
import Reports
import StoredWorkouts

/// The layout for a wide terminal: the chart on the left, and panels of zones, pace, laps and variability beside it.
extension LiveView {
    /// The least size for this layout.
    private static let leastSize = TerminalSize(columns: 160, rows: 24)
    private static let panelColumns = 42
    private static let gap = 3
    /// A chart of more rows would show no more.
    private static let mostChartRows = 24

    var hasPanels: Bool { size.columns >= Self.leastSize.columns && size.rows >= Self.leastSize.rows }

    /// Returns nil if the terminal is too small, and while there is nothing to show.
    func dashboard(_ snapshot: LiveSnapshot) -> Section? {
        guard hasPanels else { return nil }
        let panels = [zonePanel(snapshot), pacePanel(snapshot), lapPanel(snapshot), variabilityPanel(snapshot)]
            .compactMap { $0 }
        guard !panels.isEmpty || !snapshot.heartRates.isEmpty else { return nil }
        // Two columns of panels if the chart keeps more than they take.
        let columns = inner >= 4 * (Self.panelColumns + Self.gap) ? 2 : 1
        let stacks = stacked(panels, columns)
        let least = max(8, stacks.map(\.count).min() ?? 0)
        return Section(
            rank: 3, lines: rows(snapshot, stacks, least), minimum: 3, grown: { rows(snapshot, stacks, $0) },
            maximum: max(least, stacks.map(\.count).max() ?? 0, Self.mostChartRows))
    }

    /// Distributes panels over columns, each to the one with the most room left.
    private func stacked(_ panels: [[StyledLine]], _ columns: Int) -> [[StyledLine]] {
        var stacks = [[StyledLine]](repeating: [], count: min(columns, panels.count))
        for panel in panels {
            guard let place = stacks.indices.min(by: { stacks[$0].count < stacks[$1].count }) else { break }
            stacks[place] += (stacks[place].isEmpty ? [] : [StyledLine()]) + panel
        }
        return stacks
    }

    private func rows(_ snapshot: LiveSnapshot, _ stacks: [[StyledLine]], _ rows: Int) -> [StyledLine] {
        let width = inner - stacks.count * (Self.panelColumns + Self.gap)
        let chart = snapshot.heartRates.isEmpty ? [] : curve(snapshot, rows: rows, columns: width)
        return (0..<rows).map { row in
            let left = row < chart.count ? chart[row] : StyledLine(margin)
            return stacks.reduce(left.padded(to: margin.count + width, ellipsis: ellipsis)) { line, stack in
                line + .spaces(Self.gap)
                    + (row < stack.count ? stack[row] : StyledLine()).padded(
                        to: Self.panelColumns, ellipsis: ellipsis)
            }
        }
    }

    private func panel(_ title: String, _ lines: [StyledLine]) -> [StyledLine]? {
        lines.isEmpty ? nil : [StyledLine(title, .bold)] + lines
    }

    /// Returns a label, and its value at the right edge.
    private func row(_ label: String, _ value: String) -> StyledLine {
        .spread(StyledLine(label, .dim), StyledLine(value, .bold), columns: Self.panelColumns, ellipsis: ellipsis)
    }

    private func zonePanel(_ snapshot: LiveSnapshot) -> [StyledLine]? {
        let longest = snapshot.zoneShares.map(\.seconds).max() ?? 0
        return panel(
            localized("Time in zones"),
            snapshot.zoneShares.map { zone in
                let share = zone.share.map { MetricFormat.fixed($0 * 100, 0) + " %" } ?? ""
                let style: TextStyle = zone.zone == 0 ? .dim : .zone(zone.zone, of: snapshot.zoneCount)
                let bar = HorizontalBar.text(
                    longest > 0 ? zone.seconds / longest : 0, columns: 20, unicode: capability.unicode)
                let values = StyledLine(MetricFormat.clock(zone.seconds)) + StyledLine("  ")
                return StyledLine(zone.zone == 0 ? "<1 " : " \(zone.zone) ", zone.zone == snapshot.zone ? .bold : .dim)
                    + StyledLine(bar, style)
                    + .spread(
                        StyledLine(), values + StyledLine(share, .dim), columns: Self.panelColumns - 23,
                        ellipsis: ellipsis)
            })
    }

    private func pacePanel(_ snapshot: LiveSnapshot) -> [StyledLine]? {
        guard let form = snapshot.speedForm else { return nil }
        var lines: [StyledLine] = []
        if let now = snapshot.measured.first(where: { Language.current.text($0.label) == form.name }) {
            lines.append(row(localized("now"), now.value))
        }
        if let meters = snapshot.distanceInMeters, meters > 0, snapshot.durationInSeconds > 0 {
            lines.append(row(localized("average"), form.text(of: meters, in: snapshot.durationInSeconds)))
            lines.append(row(localized("distance"), MetricFormat.distance(meters)))
        }
        return panel(Language.current.text(form.title), lines)
    }

    /// Lists the latest laps, the present one last. It marks no fastest lap, since laps may be of any length.
    private func lapPanel(_ snapshot: LiveSnapshot) -> [StyledLine]? {
        guard snapshot.isBegun else { return nil }
        let laps = snapshot.completedLapsInSeconds.enumerated().suffix(8).map { index, seconds in
            row("\(index + 1)", MetricFormat.shortTime(seconds))
        }
        let present = row(
            localized("%1, now", "\(snapshot.lapNumber)"), MetricFormat.shortClock(snapshot.lapElapsedInSeconds))
        return panel(localized("Laps"), laps + [present])
    }

    private func variabilityPanel(_ snapshot: LiveSnapshot) -> [StyledLine]? {
        var lines: [StyledLine] = []
        if let rmssd = snapshot.rmssdInMilliseconds { lines.append(row("RMSSD", MetricFormat.milliseconds(rmssd))) }
        if let alpha1 = snapshot.alpha1 {
            lines += values(of: alpha1).map { row($0.label, $0.value) }
            if lines.isEmpty { lines.append(StyledLine(localized("alpha1 after two minutes of beats"), .dim)) }
        }
        return panel(localized("Heart-rate variability"), lines)
    }
}
