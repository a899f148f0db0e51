import Recordings

extension LiveView {
    /// What is measured besides the heart rate, most wanted first.
    func values(_ snapshot: LiveSnapshot) -> [(label: String, value: String)] {
        let all: [(String, String?)] = [
            ("distance", snapshot.distanceInMeters.map(MetricFormat.distance)),
            ("pace", snapshot.paceInSecondsPerKilometer.map(MetricFormat.pace)),
            ("speed", snapshot.speedInMetersPerSecond.map(MetricFormat.speed)),
            ("power", snapshot.powerInWatts.map(MetricFormat.power)),
            ("cadence", snapshot.cadencePerMinute.map(MetricFormat.cadence)),
            ("energy", snapshot.energyInKilocalories.map(MetricFormat.energy)),
            ("RMSSD", snapshot.rmssdInMilliseconds.map(MetricFormat.milliseconds)),
        ]
        var present = all.compactMap { label, value in value.map { (label, $0) } }
        if digitSize == nil, snapshot.phase != .notStarted, snapshot.phase != .prepared {
            // The lap stands beside the digits, where there are any.
            let lap = MetricFormat.shortTime(snapshot.lapElapsedInSeconds)
            present.insert(("lap \(snapshot.lapNumber)", lap), at: min(1, present.count))
        }
        return present
    }

    /// The values in as many columns as fit; without their labels where not even two would.
    func grid(_ values: [(label: String, value: String)]) -> [StyledLine] {
        let labelled = inner >= 38
        let cells = values.map { label, value in
            (labelled || label.hasPrefix("lap") ? StyledLine(label + " ", .dim) : StyledLine())
                + StyledLine(value, .bold)
        }
        guard labelled else {
            // Close together: as many on each line as there is room for.
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
        let columns = min(max(1, (inner + 3) / width), 4)
        let step = columns == 1 ? inner : max(width, min(inner / columns, 26))
        return stride(from: 0, to: cells.count, by: columns).map { start in
            cells[start..<min(start + columns, cells.count)].reduce(StyledLine(margin)) {
                $0 + $1.padded(to: step, ellipsis: ellipsis)
            }
        }
    }

    /// The times of the laps before this one, as many of the last ones as fit.
    func laps(_ snapshot: LiveSnapshot) -> StyledLine {
        let label = StyledLine(margin) + StyledLine("laps", .dim)
        var line = StyledLine()
        for (index, seconds) in snapshot.completedLapsInSeconds.enumerated().reversed() {
            let lap = StyledLine("  \(index + 1) ", .dim) + StyledLine(MetricFormat.shortTime(seconds))
            guard label.width + line.width + lap.width <= size.columns - margin.count else { break }
            line = lap + line
        }
        return label + line
    }
}
