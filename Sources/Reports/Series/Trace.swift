/// Values over time, in order, with the gaps over which no line may lead.
package struct Trace: Sendable, Equatable {
    package struct Point: Sendable, Equatable {
        /// Since the start.
        package var seconds: Double
        package var value: Double

        package init(_ seconds: Double, _ value: Double) {
            self.seconds = seconds
            self.value = value
        }
    }

    package private(set) var points: [Point] = []
    /// The places of points that do not follow the one before; rising, and the first is 0.
    package private(set) var starts: [Int] = []
    private var isInterrupted = true

    package init() {}

    package var isEmpty: Bool { points.isEmpty }

    /// What is out of order, or no number, is left out.
    package mutating func add(_ value: Double, at seconds: Double) {
        guard value.isFinite, seconds.isFinite, seconds >= points.last?.seconds ?? -.infinity else { return }
        if isInterrupted { starts.append(points.count) }
        isInterrupted = false
        points.append(Point(seconds, value))
    }

    /// The next value does not follow the last one.
    package mutating func interrupt() { isInterrupted = true }

    /// Values without a gap between them.
    package var stretches: [ArraySlice<Point>] {
        starts.enumerated().map { index, start in
            points[start..<(index + 1 < starts.count ? starts[index + 1] : points.count)]
        }
    }

    /// The least and the greatest value; nil without any.
    package var bounds: ClosedRange<Double>? {
        guard let first = points.first else { return nil }
        var (least, greatest) = (first.value, first.value)
        for point in points {
            least = min(least, point.value)
            greatest = max(greatest, point.value)
        }
        return least...greatest
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
