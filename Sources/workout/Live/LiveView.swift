import Engine
import HealthKit
import Reports
import SessionLog

/// Lays a snapshot out for a terminal of any size. Pure: the same snapshot, size and capability give the same lines.
///
/// A frame is a column of sections, each with a rank. If rows are scarce, the sections of the highest ranks are left
/// out, and long ones are cut. If rows are left over, the chart grows first, then blank lines come between the
/// sections, then the chart grows on.
struct LiveView: Sendable {
    var size: TerminalSize
    var capability: TerminalCapability

    /// Returns exactly `size.rows` lines, none wider than `size.columns`.
    func lines(of snapshot: LiveSnapshot) -> [String] {
        guard size.columns > 0, size.rows > 0 else { return [] }
        return fit(sections(of: snapshot)).map {
            $0.clipped(to: size.columns, ellipsis: ellipsis).text(capability.colour)
        }
    }

    /// Lines that belong together.
    struct Section {
        /// The section's importance: that of rank 0 is left out last.
        var rank: Int
        var lines: [StyledLine]
        /// The fewest useful lines.
        var minimum = 1
        /// Creates the section again with more rows.
        var grown: ((Int) -> [StyledLine])?
        /// The most rows that it may grow to.
        var maximum = 0
        /// Whether a blank line comes above it if rows are left.
        var airy = true
    }

    private func fit(_ sections: [Section]) -> [StyledLine] {
        var rows = [Int](repeating: 0, count: sections.count)
        var left = size.rows
        for index in sections.indices.sorted(by: { sections[$0].rank < sections[$1].rank }) {
            let wanted = min(sections[index].lines.count, left)
            guard wanted >= max(1, sections[index].minimum) else { continue }
            rows[index] = wanted
            left -= wanted
        }
        let airy = sections.indices.filter { $0 > 0 && rows[$0] > 0 && sections[$0].airy }
        var grown: [Int: [StyledLine]] = [:]
        for index in sections.indices where rows[index] > 0 {
            guard let grow = sections[index].grown else { continue }
            let maximum = sections[index].maximum
            let first = min(maximum, preferredCurveRows, rows[index] + left)
            let target = max(first, min(maximum, rows[index] + left - airy.count))
            guard target > rows[index] else { continue }
            grown[index] = grow(target)
            left -= target - rows[index]
            rows[index] = target
        }
        var lines: [StyledLine] = []
        for index in sections.indices where rows[index] > 0 {
            if left > 0, airy.contains(index) {
                // Rows that no section needs come above the last one, the keys.
                let air = index == sections.count - 1 ? left : 1
                lines += Array(repeating: StyledLine(), count: air)
                left -= air
            }
            lines += (grown[index] ?? sections[index].lines).prefix(rows[index])
        }
        return lines + Array(repeating: StyledLine(), count: max(0, size.rows - lines.count))
    }

    private func sections(of snapshot: LiveSnapshot) -> [Section] {
        let question = snapshot.question.map {
            Section(rank: 1, lines: wrapped(Language.current.message($0), .colour(.yellow, bold: true)))
        }
        let keys = Section(rank: 2, lines: keys(snapshot))
        guard snapshot.waiting.isEmpty else { return waiting(snapshot) + notes(snapshot) + [keys] }
        let digits = digitSize
        let hero = hero(snapshot, digits: digits)
        var sections = [
            Section(rank: 1, lines: header(snapshot)),
            Section(rank: 0, lines: hero, minimum: hero.count),
        ]
        let values = values(snapshot)
        if !values.isEmpty { sections.append(Section(rank: 4, lines: grid(values))) }
        let dashboard = dashboard(snapshot)
        if let dashboard {
            sections.append(dashboard)
        } else if !snapshot.heartRates.isEmpty {
            sections.append(
                Section(
                    rank: 3, lines: curve(snapshot, rows: 1), grown: { curve(snapshot, rows: $0) },
                    maximum: size.columns >= 60 ? max(10, size.rows / 2) : 6))
        }
        if dashboard == nil, let alpha1 = snapshot.alpha1 {
            sections.append(Section(rank: 7, lines: lines(of: alpha1)))
        }
        if dashboard == nil, !snapshot.completedLapsInSeconds.isEmpty {
            sections.append(Section(rank: 8, lines: [laps(snapshot)]))
        }
        if let replay = snapshot.replay { sections.append(Section(rank: 5, lines: [progress(replay)], airy: false)) }
        if !snapshot.sensors.isEmpty {
            sections.append(Section(rank: 6, lines: packed(snapshot.sensors.map(sensor), gap: 4)))
        }
        if !snapshot.companions.isEmpty {
            sections.append(Section(rank: 6, lines: packed(snapshot.companions.map(companion), gap: 4), airy: false))
        }
        if let question { sections.append(question) }
        return sections + notes(snapshot) + [keys]
    }

    /// Lists problems and events, the latest last.
    private func notes(_ snapshot: LiveSnapshot) -> [Section] {
        let lines =
            snapshot.warnings.suffix(3).flatMap { wrapped(Language.current.message($0), first: "! ", .colour(.yellow)) }
            + snapshot.messages.suffix(4).flatMap { wrapped(Language.current.message($0), .dim) }
        return lines.isEmpty ? [] : [Section(rank: 9, lines: lines, airy: false)]
    }

    /// Shows that a listener has no session yet.
    private func waiting(_ snapshot: LiveSnapshot) -> [Section] {
        snapshot.waiting.enumerated().map { index, text in
            Section(
                rank: index == 0 ? 0 : 1, lines: wrapped(Language.current.message(text), index == 0 ? .bold : .plain))
        }
    }

    /// Wraps the text to the screen's width.
    func wrapped(_ text: String, first: String = "", _ style: TextStyle) -> [StyledLine] {
        StyledLine.wrapped(
            text, columns: size.columns - margin.count, first: margin + first,
            indent: margin + (first.isEmpty ? "" : "  "),
            style)
    }

    /// Puts pieces side by side if they fit.
    func packed(_ pieces: [StyledLine], gap: Int) -> [StyledLine] {
        StyledLine.packed(pieces, columns: size.columns - margin.count, gap: gap, indent: margin.count)
    }
}

extension LiveView {
    /// The rows from which on blank lines are worth more than a finer chart.
    var preferredCurveRows: Int { 5 }
    var ellipsis: String { capability.unicode ? "…" : "~" }
    /// The left margin, unless columns are scarce.
    var margin: String { size.columns >= 60 ? "  " : "" }
    var inner: Int { size.columns - 2 * margin.count }

    /// Nil if even the smallest digits do not leave room for the rest.
    var digitSize: BigDigits.Size? {
        switch (size.columns, size.rows) {
        case (110..., 34...): .large
        case (60..., 18...): .medium
        case (30..., 8...): capability.unicode ? .small : nil
        default: nil
        }
    }

    /// Returns the name, the state and the time, in two lines if one is too short.
    func header(_ snapshot: LiveSnapshot) -> [StyledLine] {
        let dot: StyledLine
        switch snapshot.phase {
        case .running: dot = StyledLine(capability.unicode ? "● " : "* ", .colour(.green))
        case .paused: dot = StyledLine(capability.unicode ? "‖ " : "= ", .colour(.yellow))
        case .notStarted, .prepared, .stopped, .ended: dot = StyledLine(capability.unicode ? "■ " : "# ", .dim)
        }
        let time = StyledLine(
            (snapshot.isOutOfReach ? "~" : "") + MetricFormat.clock(snapshot.durationInSeconds), .bold)
        let state =
            snapshot.isOutOfReach
            ? StyledLine((capability.unicode ? "○ " : "! ") + localized("out of reach"), .colour(.yellow, bold: true))
            : dot
                + StyledLine(
                    Language.current.text(snapshot.phaseName),
                    snapshot.phase == .paused ? .colour(.yellow, bold: true) : .plain)
        let clock = StyledLine(snapshot.timeOfDay ?? "", .dim)
        guard size.columns >= 34 else { return [.spread(state, time, columns: size.columns, ellipsis: ellipsis)] }
        let right = state + "   " + time
        let name = StyledLine(snapshot.activity, .bold)
        let left = showsClockAbove(snapshot) ? name + "   " + clock : name
        if left.width + 2 + right.width <= inner || size.rows < 12 {
            return [
                StyledLine(margin) + .spread(left, right, columns: inner, ellipsis: ellipsis) + StyledLine(margin)
            ]
        }
        let second = showsClockAbove(snapshot) ? clock : StyledLine()
        return wrapped(snapshot.activity, .bold)
            + [StyledLine(margin) + .spread(second, right, columns: inner, ellipsis: ellipsis)]
    }

    /// Returns whether the header shows the time of day. Otherwise it is one of the values.
    func showsClockAbove(_ snapshot: LiveSnapshot) -> Bool { size.columns >= 60 && snapshot.timeOfDay != nil }

    /// Lists the keys that have an effect now.
    func keys(_ snapshot: LiveSnapshot) -> [StyledLine] {
        var keys: [(key: String, name: String)] = []
        let isOver = snapshot.phase == .ended || snapshot.phase == .stopped
        if !snapshot.isOutOfReach, !snapshot.isReadOnly, snapshot.waiting.isEmpty {
            switch snapshot.phase {
            case .running: keys += [("p", localized("pause")), ("l", localized("lap"))]
            case .paused: keys += [("r", localized("resume"))]
            case .prepared: keys += snapshot.isMirrored ? [] : [("s", localized("start"))]
            case .notStarted, .stopped, .ended: break
            }
            if let plan = snapshot.plan, !plan.isOver, snapshot.phase == .running {
                keys.append(("+ -", localized("intensity")))
                if plan.count > 1 || plan.leftInSeconds == nil { keys.append(("n", localized("next step"))) }
                keys.append(("e", plan.isFree ? localized("follow the plan") : localized("set the trainer free")))
            }
            if snapshot.isMirrored, !isOver { keys.append(("e", localized("end"))) }
        }
        if snapshot.isMirrored || snapshot.phase == .prepared {
            keys.append(("q", localized("quit")))
        } else if snapshot.phase != .ended {
            keys.append(("q", localized("end")))
        }
        if snapshot.sessionCount > 1 { keys.append(("n", localized("next of %1", "\(snapshot.sessionCount)"))) }
        if snapshot.elapsedInSeconds > LiveSnapshot.CurveSpan.minutes * 60, snapshot.waiting.isEmpty {
            let other =
                snapshot.curveSpan == .whole
                ? localized("last %1 min", "\(Int(LiveSnapshot.CurveSpan.minutes))") : localized("whole session")
            keys.append(("t", other))
        }
        let full = size.columns >= 35
        var pieces = keys.map { key, name in
            StyledLine(key, .bold) + (full ? StyledLine(" " + name) : StyledLine())
        }
        if snapshot.phase == .paused, !snapshot.isOutOfReach, full {
            pieces.append(StyledLine(localized("no laps during a pause"), .dim))
        }
        return packed(pieces, gap: full ? 2 : 1)
    }

    func sensor(_ sensor: LiveSnapshot.Sensor) -> StyledLine {
        let mark = mark(sensor.presence)
        var detail = StyledLine(
            "  " + (sensor.kind == .ant ? "ANT+" : Language.current.text(sensor.kind.rawValue)), .dim)
        if sensor.presence != .present {
            detail += StyledLine("  " + Language.current.text(sensor.presence.rawValue), .colour(.yellow))
        }
        if let battery = sensor.batteryPercent {
            detail += StyledLine("  \(battery) %", battery <= 15 ? .colour(.red) : .dim)
        }
        let name = StyledLine(localizedDevice(sensor.name)).clipped(
            to: max(1, inner - mark.width - detail.width), ellipsis: ellipsis)
        return mark + name + detail
    }

    private func mark(_ presence: SensorStatus.Presence) -> StyledLine {
        switch presence {
        case .present: StyledLine(capability.unicode ? "● " : "* ", .colour(.green))
        case .away: StyledLine(capability.unicode ? "○ " : "o ", .colour(.yellow))
        case .gone: StyledLine(capability.unicode ? "× " : "x ", .colour(.red))
        }
    }

    func companion(_ companion: CompanionPresence) -> StyledLine {
        let mark = mark(companion.isConnected ? .present : .away)
        let detail =
            companion.isConnected
            ? StyledLine("  " + localized("follows"), .dim)
            : StyledLine(
                "  " + localized("out of reach") + (companion.reason.map { ": " + Language.current.message($0) } ?? ""),
                .colour(.yellow))
        return (mark + StyledLine(companion.name) + detail).clipped(to: inner, ellipsis: ellipsis)
    }

    func progress(_ replay: LiveSnapshot.ReplayProgress) -> StyledLine {
        let speed = MetricFormat.replaySpeed(replay.speed)
        let label = StyledLine(margin) + StyledLine(localized("replay") + " ", .dim)
        guard let fraction = replay.fraction, fraction.isFinite else { return label + StyledLine(speed) }
        let percent = MetricFormat.fixed(min(max(fraction, 0), 1) * 100, 0) + " %"
        let tail = StyledLine(" \(percent)  \(speed)")
        let columns = inner - (label.width - margin.count) - tail.width - 2
        guard columns >= 5 else { return label + tail }
        let ends = capability.unicode ? ("▕", "▏") : ("[", "]")
        return label + StyledLine(ends.0, .dim)
            + StyledLine(
                HorizontalBar.text(fraction, columns: columns, unicode: capability.unicode), .colour(.cyan))
            + StyledLine(ends.1, .dim) + tail
    }
}
