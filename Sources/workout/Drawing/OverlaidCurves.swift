/// Two curves in one picture: each a dot a column, and another dot where they meet.
struct OverlaidCurves: Sendable {
    /// One value a column; nil where there is none.
    var first: [Double?]
    var second: [Double?]
    /// A value as it stands beside the picture.
    var text: @Sendable (Double) -> String
    var capability: TerminalCapability

    static let styles: (first: TextStyle, second: TextStyle) = (.colour(.cyan), .colour(.yellow))

    /// The dots of the first, of the second, and of both.
    static func marks(unicode: Bool) -> (first: Character, second: Character, both: Character) {
        unicode ? ("●", "○", "◉") : ("*", "o", "8")
    }

    /// So many rows, the greatest value on top and the least at the bottom, each with its text; empty without values.
    func lines(rows: Int) -> [StyledLine] {
        guard rows > 1, let range = Sparkline.range(of: first + second, atLeast: 1e-9) else { return [] }
        let marks = Self.marks(unicode: capability.unicode)
        func row(_ value: Double?) -> Int? {
            guard let value, value.isFinite else { return nil }
            let place = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
            return rows - 1 - Int((place * Double(rows - 1)).rounded())
        }
        let places = zip(first.map(row), second.map(row))
        return (0..<rows).map { index in
            var line = StyledLine()
            for (one, other) in places {
                switch (one == index, other == index) {
                case (true, true): line += StyledLine(String(marks.both))
                case (true, false): line += StyledLine(String(marks.first), Self.styles.first)
                case (false, true): line += StyledLine(String(marks.second), Self.styles.second)
                case (false, false): line += " "
                }
            }
            if index == 0 { line += StyledLine(" " + text(range.upperBound), .dim) }
            if index == rows - 1 { line += StyledLine(" " + text(range.lowerBound), .dim) }
            return line
        }
    }
}
