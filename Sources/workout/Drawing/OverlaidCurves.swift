/// Two curves in one picture: each a dot per column, and a different dot if they meet.
struct OverlaidCurves: Sendable {
    /// One value per column. Nil if there is none.
    var first: [Double?]
    var second: [Double?]
    /// Returns the label of a value beside the picture.
    var text: @Sendable (Double) -> String
    var capability: TerminalCapability

    static let styles: (first: TextStyle, second: TextStyle) = (.colour(.cyan), .colour(.yellow))

    /// Returns the dots of the first curve, of the second, and of both.
    static func marks(unicode: Bool) -> (first: Character, second: Character, both: Character) {
        unicode ? ("●", "○", "◉") : ("*", "o", "8")
    }

    /// Returns that many rows with labels, the greatest value on top and the least at the bottom. Empty without values.
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
