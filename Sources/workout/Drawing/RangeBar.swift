/// A range on a scale: a line from the least to the greatest value, and a dot at the average.
enum RangeBar {
    /// `columns` characters for `scale`; values outside it are clamped.
    static func text(
        minimum: Double, average: Double, maximum: Double, scale: ClosedRange<Double>, columns: Int,
        unicode: Bool = true
    ) -> String {
        guard columns > 0 else { return "" }
        let span = scale.upperBound - scale.lowerBound
        func place(_ value: Double) -> Int? {
            guard value.isFinite else { return nil }
            let share = span > 0 ? (min(max(value, scale.lowerBound), scale.upperBound) - scale.lowerBound) / span : 0.5
            return min(columns - 1, Int(share * Double(columns)))
        }
        guard let first = place(minimum), let last = place(maximum), first <= last else {
            return String(repeating: " ", count: columns)
        }
        var bar = Array(repeating: Character(" "), count: columns)
        for column in first...last { bar[column] = unicode ? "─" : "-" }
        if let middle = place(average) { bar[middle] = unicode ? "●" : "o" }
        return String(bar)
    }
}
