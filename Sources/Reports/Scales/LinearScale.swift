/// Maps values to positions between two ends: 0 at the lower one, 1 at the upper one.
package struct LinearScale: Sendable, Equatable {
    package let domain: ClosedRange<Double>

    /// Creates a scale. Ends that are not finite or in the wrong order give 0 … 1. Equal ends get a domain around them.
    package init(_ lower: Double, _ upper: Double) {
        guard lower.isFinite, upper.isFinite, lower <= upper else {
            domain = 0...1
            return
        }
        let margin = lower == upper ? max(1, abs(lower) * 0.01) : 0
        domain = (lower - margin)...(upper + margin)
    }

    /// Creates a scale with a margin around the values and with ends at ticks.
    package init(around values: ClosedRange<Double>, ticks count: Int, steps: [Double] = Ticks.decimalSteps) {
        let tight = LinearScale(values.lowerBound, values.upperBound)
        let step = Ticks.step(tight.domain, count: count, steps: steps)
        self.init(
            (tight.domain.lowerBound / step).rounded(.down) * step, (tight.domain.upperBound / step).rounded(.up) * step
        )
    }

    package func fraction(_ value: Double) -> Double {
        (value - domain.lowerBound) / (domain.upperBound - domain.lowerBound)
    }
}
