/// A curve in block elements, in steps of an eighth of a row.
enum Sparkline {
    /// Returns `rows` lines of `columns` characters, top first. The newest value is at the right edge. Nil leaves a
    /// gap.
    ///
    /// `range` maps to the lowest eighth of the bottom row and the full top row. Values outside it are clamped.
    static func rows(
        _ values: [Double?], range: ClosedRange<Double>, columns: Int, rows: Int, unicode: Bool = true
    ) -> [String] {
        guard columns > 0, rows > 0 else { return [] }
        let shades: [Character] = unicode ? Array(" ▁▂▃▄▅▆▇█") : Array(" .:-=+*#@")
        let full = shades.count - 1
        let top = rows * full
        let span = range.upperBound - range.lowerBound
        let levels = values.suffix(columns).map { value -> Int in
            guard let value, value.isFinite else { return 0 }
            guard span > 0 else { return max(1, top / 2) }
            let place = (min(max(value, range.lowerBound), range.upperBound) - range.lowerBound) / span
            return 1 + Int((place * Double(top - 1)).rounded())
        }
        let blank = String(repeating: " ", count: columns - levels.count)
        return (0..<rows).map { row in
            let below = (rows - 1 - row) * full
            return blank + String(levels.map { shades[min(max($0 - below, 0), full)] })
        }
    }

    /// Returns the least and the greatest value, at least `span` apart, so that a steady value does not look like a
    /// mountain range. Returns nil without values.
    static func range(of values: [Double?], atLeast span: Double) -> ClosedRange<Double>? {
        let finite = values.compactMap { $0 }.filter { $0.isFinite && abs($0) < 1e9 }
        guard let least = finite.min(), let greatest = finite.max() else { return nil }
        let missing = max(0, span - (greatest - least)) / 2
        return (least - missing)...(greatest + missing)
    }
}
