import Analytics
import Foundation

/// A heart rate over time: blocks, each column in the colour of its own zone, with the least and the greatest value
/// beside them and the time below.
struct HeartRateCurve: Sendable {
    /// Heart rates in beats per minute, one per column. Nil if there was none.
    var values: [Double?]
    /// The wearer's zones. Nil if they are unknown: the chart then has one colour.
    var zones: HeartRateZones?
    /// The time that the columns span, in seconds.
    var span: ClosedRange<Double>
    /// The starts of laps, in seconds.
    var lapStarts: [Double] = []
    var capability: TerminalCapability

    /// The columns used for labels on the right.
    static let labelColumns = 5
    /// The least range of the chart in bpm. A smaller one would make small changes look like a mountain range.
    static let leastRange = 10.0

    /// Draws the chart. From three rows on, the last has the time, and the one above it the laps, if there are any.
    func lines(rows: Int) -> [StyledLine] {
        guard let range = Sparkline.range(of: values, atLeast: Self.leastRange) else {
            return Array(repeating: StyledLine(), count: max(0, rows))
        }
        let hasAxis = rows >= 3
        let laps = rows >= 5 ? lapLine : nil
        let height = rows - (hasAxis ? 1 : 0) - (laps == nil ? 0 : 1)
        let blocks = Sparkline.rows(
            values, range: range, columns: values.count, rows: height, unicode: capability.unicode)
        let styles = values.map(style)
        var lines = blocks.enumerated().map { index, row in
            var line = Self.coloured(row, styles)
            guard hasAxis else { return line }
            if index == 0 { line += StyledLine(" " + MetricFormat.fixed(range.upperBound, 0), .dim) }
            if index == blocks.count - 1, index > 0 {
                line += StyledLine(" " + MetricFormat.fixed(range.lowerBound, 0), .dim)
            }
            return line
        }
        if let laps { lines.append(StyledLine(laps, .dim)) }
        if hasAxis {
            let axis = TimeRuler.text(
                from: span.lowerBound, to: span.upperBound, columns: values.count, unicode: capability.unicode)
            lines.append(StyledLine(axis, .dim))
        }
        return lines
    }

    private func style(_ value: Double?) -> TextStyle {
        guard let zones else { return .colour(.red) }
        // Below zone 1: dimmer than any zone.
        return value.flatMap { zones.zone(of: $0) }.map { .zone($0, of: zones.count) }
            ?? TextStyle(colour: .grey, dim: true)
    }

    private static func coloured(_ row: String, _ styles: [TextStyle]) -> StyledLine {
        var line = StyledLine()
        var piece = ""
        var pieceStyle = TextStyle.plain
        for (character, style) in zip(row, styles) {
            if character != " ", style != pieceStyle {
                line += StyledLine(piece, pieceStyle)
                (piece, pieceStyle) = ("", style)
            }
            piece.append(character)
        }
        return line + StyledLine(piece, pieceStyle)
    }

    /// The numbers of the laps after the first, each behind a tick at its column. Nil without laps.
    private var lapLine: String? {
        guard lapStarts.count > 1, span.upperBound > span.lowerBound else { return nil }
        var line = ""
        for (index, start) in lapStarts.enumerated() where span.contains(start) {
            let share = (start - span.lowerBound) / (span.upperBound - span.lowerBound)
            let column = Int(share * Double(values.count))
            let label = (capability.unicode ? "╷" : "|") + "\(index + 1)"
            // The word "lap" stands only at the first one.
            let text = index == 0 ? label + " lap" : label
            for text in [text, label] where column >= line.count && column + text.count <= values.count {
                line += String(repeating: " ", count: column - line.count) + text
                break
            }
        }
        return line
    }
}

/// The times under a curve: as many round ones as fit, each behind a tick at its column.
enum TimeRuler {
    private static let steps: [Double] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400, 172_800,
        604_800,
    ]

    /// Returns at most `columns` characters for the time from `from` to `to`, in seconds.
    static func text(from: Double, to: Double, columns: Int, unicode: Bool = true) -> String {
        guard from.isFinite, to.isFinite, to > from, to < 1e9, columns > 0 else { return "" }
        let widest = MetricFormat.shortTime(to).count + 1
        let room = (to - from) / Double(columns) * Double(widest + 2)
        guard let step = steps.first(where: { $0 >= room }) else { return "" }
        var line = ""
        var time = (from / step).rounded(.up) * step
        while time <= to {
            let column = Int((time - from) / (to - from) * Double(columns))
            let label = (unicode ? "╵" : "'") + MetricFormat.shortTime(time)
            if column >= line.count, column + label.count <= columns {
                line += String(repeating: " ", count: column - line.count) + label
            }
            time += step
        }
        return line
    }
}
