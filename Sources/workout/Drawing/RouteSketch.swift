import Foundation

/// The route of a workout as a sketch. North is up, and the scale is the same in all directions.
enum RouteSketch {
    /// In degrees.
    struct Position: Sendable, Equatable {
        var latitude: Double
        var longitude: Double
    }

    /// Draws at most `rows` lines of at most `columns` characters. A character has eight dots, or one without Unicode.
    /// `tracks` are drawn separately. `S` marks the start of the first and `E` the end of the last. Empty unless two
    /// places differ.
    static func lines(_ tracks: [[Position]], columns: Int, rows: Int, unicode: Bool = true) -> [String] {
        let tracks = tracks.map { $0.filter { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 } }.filter {
            !$0.isEmpty
        }
        guard columns > 0, rows > 0, let first = tracks.first?.first else { return [] }
        // A line across the date line is a short one.
        let shrink = max(0.01, cos(first.latitude * .pi / 180))
        let points = tracks.map {
            $0.map { position in
                var east = position.longitude - first.longitude
                if east > 180 { east -= 360 } else if east < -180 { east += 360 }
                return (east: east * shrink, north: position.latitude - first.latitude)
            }
        }
        let all = points.joined()
        guard let west = all.map(\.east).min(), let east = all.map(\.east).max(), let south = all.map(\.north).min(),
            let north = all.map(\.north).max(), east > west || north > south
        else { return [] }
        let dots = unicode ? (across: 2, down: 4) : (across: 1, down: 1)
        let width = Double(columns * dots.across - 1)
        let height = Double(rows * dots.down - 1)
        // A character is twice as high as wide. Without dots, a column covers half the distance of a row.
        let stretch = unicode ? 1.0 : 2.0
        let scale = min(
            east > west ? width / stretch / (east - west) : .infinity,
            north > south ? height / (north - south) : .infinity)
        var canvas = Canvas(
            columns: Int((east - west) * scale * stretch) / dots.across + 1,
            rows: Int((north - south) * scale) / dots.down + 1,
            unicode: unicode)
        let drawn = points.map {
            $0.map { (x: Int(($0.east - west) * scale * stretch), y: Int((north - $0.north) * scale)) }
        }
        for track in drawn {
            canvas.dot(track[0].x, track[0].y)
            for (a, b) in zip(track, track.dropFirst()) { canvas.line(a, b) }
        }
        if let end = drawn.last?.last { canvas.mark("E", end.x, end.y) }
        if let start = drawn.first?.first { canvas.mark("S", start.x, start.y) }
        return canvas.lines
    }

    private struct Canvas {
        let unicode: Bool
        private var cells: [[UInt8]]
        private var marks: [[Character?]]

        init(columns: Int, rows: Int, unicode: Bool) {
            self.unicode = unicode
            cells = Array(repeating: Array(repeating: 0, count: columns), count: rows)
            marks = Array(repeating: Array(repeating: nil, count: columns), count: rows)
        }

        /// The bits of Unicode's Braille patterns, column by column.
        private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

        mutating func dot(_ x: Int, _ y: Int) {
            if unicode { cells[y / 4][x / 2] |= Self.bits[x % 2][y % 4] } else { cells[y][x] = 1 }
        }

        mutating func line(_ a: (x: Int, y: Int), _ b: (x: Int, y: Int)) {
            let steps = max(abs(b.x - a.x), abs(b.y - a.y))
            guard steps > 0 else { return }
            for step in 1...steps {
                let share = Double(step) / Double(steps)
                dot(
                    a.x + Int((Double(b.x - a.x) * share).rounded()), a.y + Int((Double(b.y - a.y) * share).rounded()))
            }
        }

        mutating func mark(_ letter: Character, _ x: Int, _ y: Int) {
            if unicode { marks[y / 4][x / 2] = letter } else { marks[y][x] = letter }
        }

        var lines: [String] {
            zip(cells, marks).map { cells, marks in
                var line = ""
                for (cell, mark) in zip(cells, marks) {
                    if let mark {
                        line.append(mark)
                    } else if cell == 0 {
                        line.append(" ")
                    } else {
                        line.unicodeScalars.append(unicode ? Unicode.Scalar(0x2800 + UInt32(cell)) ?? "*" : "*")
                    }
                }
                while line.last == " " { line.removeLast() }
                return line
            }
        }
    }
}
