import Foundation

/// Times under a curve: round ones, as many as have room, each behind a tick that stands at its column.
enum TimeRuler {
    private static let steps: [Double] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400, 172_800,
        604_800,
    ]

    /// At most `columns` characters for the time from `from` to `to`, in seconds.
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
