/// Round values along an axis.
package enum Ticks {
    /// 1, 2, 5 and their multiples by powers of ten.
    package static let decimalSteps: [Double] = []
    /// Steps in seconds, up to a day.
    package static let timeSteps: [Double] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
    ]

    /// Returns the smallest step that divides a range into at most `count` intervals.
    /// - Parameter steps: Steps in rising order. Beyond the last one, and if it is empty, steps are decimal.
    package static func step(_ range: ClosedRange<Double>, count: Int, steps: [Double] = decimalSteps) -> Double {
        let rough = (range.upperBound - range.lowerBound) / Double(max(1, count))
        guard rough > 0, rough.isFinite else { return 1 }
        // A tiny difference is a rounding error.
        let least = rough * (1 - 1e-9)
        if let step = steps.first(where: { $0 >= least }), rough >= (steps.first ?? 0) / 2 { return step }
        let unit = power(of: rough)
        return [1, 2, 5, 10].map { $0 * unit }.first { $0 >= least } ?? 10 * unit
    }

    /// Returns the greatest power of ten that is not above a positive value.
    private static func power(of value: Double) -> Double {
        var unit = 1.0
        while unit > value { unit /= 10 }
        while unit * 10 <= value { unit *= 10 }
        return unit
    }

    /// Returns the multiples of a step within a range, including its ends, at most a thousand.
    package static func values(_ range: ClosedRange<Double>, step: Double) -> [Double] {
        guard step > 0, step.isFinite else { return [] }
        let (first, last) = (
            (range.lowerBound / step - 1e-6).rounded(.up), (range.upperBound / step + 1e-6).rounded(.down)
        )
        guard last >= first, last - first < 1000, abs(first) < 1e15 else { return [] }
        return (0...Int(last - first)).map { (first + Double($0)) * step }
    }

    package static func values(_ range: ClosedRange<Double>, count: Int, steps: [Double] = decimalSteps) -> [Double] {
        values(range, step: step(range, count: count, steps: steps))
    }
}
