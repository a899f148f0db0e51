/// Values over time, in order, with gaps across which no line is drawn.
package struct Trace: Sendable, Equatable {
    package struct Point: Sendable, Equatable {
        /// Seconds since the start.
        package var seconds: Double
        package var value: Double

        package init(_ seconds: Double, _ value: Double) {
            self.seconds = seconds
            self.value = value
        }
    }

    package private(set) var points: [Point] = []
    /// The indices of points that do not continue the one before, in rising order. The first is 0.
    package private(set) var starts: [Int] = []
    private var isInterrupted = true

    package init() {}

    package var isEmpty: Bool { points.isEmpty }

    /// Adds a value. Ignores values that are out of order or not finite.
    package mutating func add(_ value: Double, at seconds: Double) {
        guard value.isFinite, seconds.isFinite, seconds >= points.last?.seconds ?? -.infinity else { return }
        if isInterrupted { starts.append(points.count) }
        isInterrupted = false
        points.append(Point(seconds, value))
    }

    /// Starts a gap before the next value.
    package mutating func interrupt() { isInterrupted = true }

    /// The runs of values without a gap.
    package var stretches: [ArraySlice<Point>] {
        starts.enumerated().map { index, start in
            points[start..<(index + 1 < starts.count ? starts[index + 1] : points.count)]
        }
    }

    /// The least and the greatest value. Nil without values.
    package var bounds: ClosedRange<Double>? {
        guard let first = points.first else { return nil }
        var (least, greatest) = (first.value, first.value)
        for point in points {
            least = min(least, point.value)
            greatest = max(greatest, point.value)
        }
        return least...greatest
    }

    /// Returns the same values at other positions, such as the metres covered by then. Positions never decrease.
    package func placed(_ place: (Double) -> Double) -> Trace {
        var other = Trace()
        var nextStart = starts[...]
        for (index, point) in points.enumerated() {
            if nextStart.first == index {
                other.interrupt()
                nextStart.removeFirst()
            }
            other.add(point.value, at: place(point.seconds))
        }
        return other
    }

    package func map(_ transform: (Double) -> Double) -> Trace {
        var other = Trace()
        var nextStart = starts[...]
        for (index, point) in points.enumerated() {
            if nextStart.first == index {
                other.interrupt()
                nextStart.removeFirst()
            }
            let value = transform(point.value)
            if value.isFinite { other.add(value, at: point.seconds) } else { other.interrupt() }
        }
        return other
    }
}

extension Trace {
    /// The values within one column of a chart.
    package struct Column: Sendable, Equatable {
        package var mean: Double
        package var minimum: Double
        package var maximum: Double
        package var count: Int
    }

    /// Returns a trace that looks the same in a chart of that many columns, with fewer points.
    ///
    /// Of the points in a column it keeps the first, the least, the greatest and the last: the line through them covers
    /// the same pixels (Jugel, Jerzak, Hackenbroich & Markl, PVLDB 7:797–808, 2014). A gap within a column is narrower
    /// than a pixel and is dropped.
    package func reduced(to columns: Int, over seconds: ClosedRange<Double>) -> Trace {
        let columns = max(1, columns)
        guard points.count > columns * 4 else { return self }
        var reduced = Trace()
        var nextStart = starts[...]
        var index = 0
        while index < points.count {
            let column = Self.column(points[index].seconds, columns, seconds)
            if nextStart.first == index { reduced.interrupt() }
            var end = index
            var (least, greatest) = (index, index)
            while end < points.count, Self.column(points[end].seconds, columns, seconds) == column {
                if points[end].value < points[least].value { least = end }
                if points[end].value > points[greatest].value { greatest = end }
                end += 1
            }
            nextStart = nextStart.drop { $0 < end }
            for kept in Set([index, least, greatest, end - 1]).sorted() {
                reduced.add(points[kept].value, at: points[kept].seconds)
            }
            index = end
        }
        return reduced
    }

    /// Returns the values of each column. Nil if nothing was measured in it.
    package func columns(_ count: Int, over seconds: ClosedRange<Double>) -> [Column?] {
        var columns = [Column?](repeating: nil, count: max(1, count))
        for point in points {
            let index = Self.column(point.seconds, columns.count, seconds)
            guard var column = columns[index] else {
                columns[index] = Column(mean: point.value, minimum: point.value, maximum: point.value, count: 1)
                continue
            }
            column.count += 1
            column.mean += (point.value - column.mean) / Double(column.count)
            column.minimum = min(column.minimum, point.value)
            column.maximum = max(column.maximum, point.value)
            columns[index] = column
        }
        return columns
    }

    private static func column(_ seconds: Double, _ columns: Int, _ range: ClosedRange<Double>) -> Int {
        let fraction = LinearScale(range.lowerBound, range.upperBound).fraction(seconds)
        return Int(min(max(fraction * Double(columns), 0), Double(columns - 1)))
    }
}
