/// A bar filled from the left, in steps of an eighth of a column.
enum HorizontalBar {
    /// Returns `columns` characters. `fraction` is clamped to 0 … 1, and one above 0 shows at least a sliver.
    static func text(_ fraction: Double, columns: Int, unicode: Bool = true) -> String {
        guard columns > 0 else { return "" }
        let fraction = fraction.isFinite ? min(max(fraction, 0), 1) : 0
        guard unicode else {
            let filled = fraction > 0 ? max(1, Int((fraction * Double(columns)).rounded())) : 0
            return String(repeating: "#", count: filled) + String(repeating: " ", count: columns - filled)
        }
        let eighths = fraction > 0 ? max(1, Int((fraction * Double(columns * 8)).rounded())) : 0
        let partial: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        var bar = String(repeating: "█", count: eighths / 8)
        if eighths % 8 > 0 { bar.append(partial[eighths % 8 - 1]) }
        return bar + String(repeating: " ", count: columns - eighths / 8 - (eighths % 8 > 0 ? 1 : 0))
    }
}
