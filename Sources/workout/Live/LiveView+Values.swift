import Analytics
import Recordings
import Reports

extension LiveView {
    /// Returns the values besides the heart rate, most important first.
    func values(_ snapshot: LiveSnapshot) -> [(label: String, value: String)] {
        var present = snapshot.measured.map { (label: Language.current.text($0.label), value: $0.value) }
        if !showsClockAbove(snapshot), let clock = snapshot.timeOfDay { present.append((localized("clock"), clock)) }
        if snapshot.isBegun, digitSize == nil || digitSize == .small {
            // If the digits are large, the lap is beside them.
            let lap = MetricFormat.shortClock(snapshot.lapElapsedInSeconds)
            present.insert((localized("lap %1", "\(snapshot.lapNumber)"), lap), at: min(1, present.count))
        }
        if digitSize == nil {
            let rates = [
                (localized("avg"), snapshot.averageHeartRate), (localized("max"), snapshot.maximumHeartRate),
            ]
            present += rates.compactMap { label, rate in rate.map { (label, MetricFormat.fixed($0, 0)) } }
        }
        return present
    }

    /// The values that need their label on a narrow screen too.
    private static var named: Set<String> { Set(["avg", "max", "elapsed", "clock"].map { localized($0) }) }

    /// Returns the figures that the beats give about the effort, which are estimates. Empty until there are some.
    func values(of alpha1: LiveSnapshot.Alpha1) -> [(label: String, value: String)] {
        var values: [(String, String)] = []
        switch alpha1.latest {
        case .success(let reading):
            values.append(("alpha1", MetricFormat.fixed(reading.alpha1, 2)))
            values.append((localized("artefacts"), MetricFormat.fixed(reading.artefactShare * 100, 1) + " %"))
        case .failure(.tooManyArtefacts(let share)):
            values.append(("alpha1", MetricFormat.nothing))
            values.append((localized("artefacts"), localized("%1 %, too many", MetricFormat.fixed(share * 100, 1))))
        case .failure: break
        }
        let thresholds = [
            (Alpha1Thresholds.first, alpha1.firstThreshold), (Alpha1Thresholds.second, alpha1.secondThreshold),
        ]
        for case (let level, let rate?) in thresholds {
            values.append((localized("at %1, estimated", MetricFormat.short(level)), MetricFormat.heartRate(rate)))
        }
        return values
    }

    /// Returns the same as lines, or the reason if there are none yet.
    func lines(of alpha1: LiveSnapshot.Alpha1) -> [StyledLine] {
        var pieces = values(of: alpha1).map { StyledLine($0.label + " ", .dim) + StyledLine($0.value, .bold) }
        switch alpha1.latest {
        case .success, .failure(.tooManyArtefacts): break
        case .failure: pieces.insert(StyledLine(localized("alpha1 after two minutes of beats"), .dim), at: 0)
        }
        return packed(pieces, gap: 3)
    }

    /// Arranges the values in as many columns as fit. On a narrow screen it leaves the labels out.
    func grid(_ values: [(label: String, value: String)]) -> [StyledLine] {
        let labelled = inner >= 38
        let cells = values.map { label, value in
            (labelled || label.hasPrefix(localized("lap")) || Self.named.contains(label)
                ? StyledLine(label + " ", .dim) : StyledLine())
                + StyledLine(value, .bold)
        }
        guard labelled else {
            // Close together: as many on each line as fit.
            var lines: [StyledLine] = []
            for cell in cells {
                if let last = lines.last, last.width + 2 + cell.width <= inner {
                    lines[lines.count - 1] = last + "  " + cell
                } else {
                    lines.append(cell)
                }
            }
            return lines
        }
        let width = (cells.map(\.width).max() ?? 0) + 3
        // Spread evenly over the width, and over as many lines as that takes.
        let most = max(1, (inner + 3) / width)
        let lines = (cells.count + most - 1) / most
        let columns = (cells.count + lines - 1) / lines
        let step = max(1, inner / columns)
        return stride(from: 0, to: cells.count, by: columns).map { start in
            cells[start..<min(start + columns, cells.count)].reduce(StyledLine(margin)) {
                $0 + $1.padded(to: max($1.width, step), ellipsis: ellipsis)
            }
        }
    }

    /// Returns the times of the laps before this one: as many of the last as fit.
    func laps(_ snapshot: LiveSnapshot) -> StyledLine {
        let label = StyledLine(margin) + StyledLine(localized("laps"), .dim)
        var line = StyledLine()
        for (index, seconds) in snapshot.completedLapsInSeconds.enumerated().reversed() {
            let lap = StyledLine("  \(index + 1) ", .dim) + StyledLine(MetricFormat.shortTime(seconds))
            guard label.width + line.width + lap.width <= size.columns - margin.count else { break }
            line = lap + line
        }
        return label + line
    }
}
