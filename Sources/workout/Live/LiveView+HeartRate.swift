import Recordings
import Reports
import SessionLog

extension LiveView {
    /// Draws the heart rate as large as it fits, with its zone and the lap beside it.
    func hero(_ snapshot: LiveSnapshot, digits: BigDigits.Size?) -> [StyledLine] {
        let number = snapshot.heartRateInBeatsPerMinute.map { MetricFormat.fixed($0, 0) }
        let style = snapshot.zone.map { TextStyle.zone($0, of: snapshot.zoneCount) } ?? .plain
        // A heart rate has at most three digits. More would be an error in a file, and would need all the room.
        let shown = number.flatMap { $0.count <= 3 && $0.allSatisfy(\.isNumber) ? $0 : nil }
        guard let digits else {
            let rate = StyledLine(margin) + StyledLine((shown ?? "--") + " bpm", style.bolder)
            let room = size.columns - rate.width - 2
            guard room >= 6, let zone = zoneTitle(snapshot, short: room < 13) else { return [rate] }
            return [rate + "  " + zone]
        }
        let text = String(repeating: " ", count: 3 - min(3, (shown ?? "--").count)) + (shown ?? "--")
        let art = BigDigits.rows(shown ?? "--", size: digits, unicode: capability.unicode)
        let full = BigDigits.rows("888", size: digits, unicode: capability.unicode)
        let width = DisplayWidth.of(full.first ?? text)
        let gap = digits == .small ? 2 : 4
        let left = margin.count + width + 4 + gap
        let beside = panel(snapshot, columns: size.columns - left - margin.count, rows: art.count)
        return art.enumerated().map { index, row in
            let blank = StyledLine.spaces(width - DisplayWidth.of(row))
            let unit = index == art.count - 1 ? StyledLine(" bpm", .dim) : StyledLine.spaces(4)
            return StyledLine(margin) + blank + StyledLine(row, style.bolder) + unit + .spaces(gap) + beside[index]
        }
    }

    /// Returns exactly `rows` lines: the zone's name, its bar, average and maximum, and from five rows on the lap.
    private func panel(_ snapshot: LiveSnapshot, columns: Int, rows: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        if var zone = zoneTitle(snapshot, short: columns < 13) {
            if let target = target(snapshot, columns: columns - zone.width - 2) { zone += "  " + target }
            lines.append(zone)
            lines += zoneBar(snapshot, columns: columns, rows: rows)
        }
        let air = rows >= 10 ? [StyledLine()] : []
        if let rates = rates(snapshot, columns: columns), lines.count < rows { lines += air + [rates] }
        if let lap = lap(snapshot), lines.count < rows, rows >= 5 {
            let isApart = lines.count + 2 <= rows && !lines.isEmpty
            lines += (isApart ? [StyledLine()] : []) + [lap]
        }
        let above = max(0, rows - lines.count) / 2
        lines = Array(repeating: StyledLine(), count: above) + lines
        return Array((lines + Array(repeating: StyledLine(), count: rows)).prefix(rows))
    }

    /// Returns the target and the side on which the heart rate is. Returns nil without a target, or without room for
    /// it.
    func target(_ snapshot: LiveSnapshot, columns: Int) -> StyledLine? {
        guard let target = snapshot.target else { return nil }
        let (mark, style): (String, TextStyle) =
            switch target.side {
            case .above: (capability.unicode ? "▲ " : "^ ", .colour(.red, bold: true))
            case .below: (capability.unicode ? "▼ " : "v ", .colour(.blue, bold: true))
            case .inside: (capability.unicode ? "● " : "* ", .colour(.green, bold: true))
            case nil: ("", .dim)
            }
        return [localized("target") + " " + target.text, target.text].map { StyledLine(mark + $0, style) }.first {
            $0.width <= columns
        }
    }

    /// Returns the average and the maximum of the session so far, or only the average if both do not fit.
    private func rates(_ snapshot: LiveSnapshot, columns: Int) -> StyledLine? {
        guard let average = snapshot.averageHeartRate else { return nil }
        let line = StyledLine(localized("avg") + " ", .dim) + StyledLine(MetricFormat.fixed(average, 0), .bold)
        guard let maximum = snapshot.maximumHeartRate else { return line }
        let both =
            line + StyledLine("  " + localized("max") + " ", .dim) + StyledLine(MetricFormat.fixed(maximum, 0), .bold)
        return both.width <= columns ? both : line
    }

    private func zoneTitle(_ snapshot: LiveSnapshot, short: Bool) -> StyledLine? {
        guard snapshot.heartRateInBeatsPerMinute != nil else {
            return StyledLine(short ? localized("no HR") : localized("no heart rate"), .colour(.yellow))
        }
        guard snapshot.zoneCount > 0 else { return nil }
        guard let zone = snapshot.zone else {
            return StyledLine(short ? localized("zone %1", "0") : localized("below zone %1", "1"), .dim)
        }
        let title = StyledLine(localized("zone %1", "\(zone)"), TextStyle.zone(zone, of: snapshot.zoneCount).bolder)
        return short ? title : title + StyledLine(" " + localized("of") + " \(snapshot.zoneCount)", .dim)
    }

    /// Draws one piece per zone, filled up to the present one.
    private func zoneBar(_ snapshot: LiveSnapshot, columns: Int, rows: Int) -> [StyledLine] {
        let count = snapshot.zoneCount
        guard count > 0, columns >= count * 3 - 1 else { return [] }
        let piece = (columns + 1) / count - 1
        var bar = StyledLine()
        var labels = StyledLine()
        for zone in 1...count {
            let style = TextStyle.zone(zone, of: count)
            let reached = zone <= snapshot.zone ?? 0
            let cell = capability.unicode ? (reached ? "█" : "░") : (reached ? "#" : ".")
            bar += StyledLine(
                String(repeating: cell, count: piece), reached ? style : TextStyle(colour: style.colour, dim: true))
            let label = StyledLine("\(zone)", zone == snapshot.zone ? .bold : .dim)
            labels += (.spaces((piece - label.width) / 2) + label).padded(to: piece)
            if zone < count {
                bar += " "
                labels += " "
            }
        }
        return rows >= 10 ? [bar, bar, labels] : rows >= 5 ? [bar, labels] : [bar]
    }

    private func lap(_ snapshot: LiveSnapshot) -> StyledLine? {
        guard snapshot.phase != .notStarted, snapshot.phase != .prepared else { return nil }
        return StyledLine(localized("lap %1", "\(snapshot.lapNumber)") + "  ", .dim)
            + StyledLine(MetricFormat.shortClock(snapshot.lapElapsedInSeconds), .bold)
    }

    /// Draws the heart rate of the whole session, or of its last minutes.
    /// - Parameter columns: The width with labels. Nil means the full width.
    func curve(_ snapshot: LiveSnapshot, rows: Int, columns: Int? = nil) -> [StyledLine] {
        let columns = max(1, (columns ?? inner) - (rows >= 3 ? HeartRateCurve.labelColumns : 0))
        // At least a minute. Otherwise the first seconds would be stretched over the whole width.
        let end = max(60, snapshot.elapsedInSeconds.isFinite ? snapshot.elapsedInSeconds : 0)
        let start = snapshot.curveSpan == .whole ? 0 : max(0, end - LiveSnapshot.CurveSpan.minutes * 60)
        let curve = HeartRateCurve(
            values: snapshot.heartRates.means(columns, from: start, to: end), zones: snapshot.zones,
            span: start...end, capability: capability)
        return curve.lines(rows: rows).map { StyledLine(margin) + $0 }
    }
}

extension TextStyle {
    fileprivate var bolder: TextStyle {
        var style = self
        style.bold = true
        return style
    }
}
