extension Trace {
    /// What a column of a picture has room for.
    package struct Column: Sendable, Equatable {
        package var mean: Double
        package var minimum: Double
        package var maximum: Double
        package var count: Int
    }

    /// A trace that looks the same in a picture of so many columns, however many points this one has.
    ///
    /// Of the points in a column the first, the least, the greatest and the last stay: the line through them covers the same
    /// pixels (Jugel, Jerzak, Hackenbroich & Markl, PVLDB 7:797–808, 2014). A gap that lies within a column is narrower
    /// than a pixel and goes.
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

    /// Column by column; nil where nothing was measured.
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
