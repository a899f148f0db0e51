import Testing

@testable import Reports

@Suite struct TicksTests {
    private static let steps: [(ClosedRange<Double>, Int, Double)] = [
        (0...10, 5, 2), (61...178, 4, 50), (0...0.37, 4, 0.1), (-3...4, 7, 1), (0...9_999, 4, 5000),
    ]

    @Test(arguments: steps)
    func `steps are one, two or five of a power of ten`(range: ClosedRange<Double>, count: Int, step: Double) {
        #expect(abs(Ticks.step(range, count: count) - step) < 1e-9 * step)
    }

    @Test(arguments: zip([600.0, 3600, 5400, 14_400, 86_400, 45], [60.0, 600, 600, 1800, 10_800, 5]))
    func `steps of time are those of a clock`(length: Double, step: Double) {
        #expect(Ticks.step(0...length, count: 10, steps: Ticks.timeSteps) == step)
    }

    @Test func `ticks are multiples of the step, including the ends`() {
        #expect(Ticks.values(60...180, step: 40) == [80, 120, 160])
        #expect(Ticks.values(0...1, step: 0.25) == [0, 0.25, 0.5, 0.75, 1])
        let tenths = Ticks.values(0.1...0.3, step: 0.1)
        #expect(tenths.count == 3)
    }

    @Test(arguments: zip([0...1e300, 0...1, 0...1, 0...1e9], [1, 0, Double.infinity, 1e-3]))
    func `an empty range has no ticks`(range: ClosedRange<Double>, step: Double) {
        #expect(Ticks.values(range, step: step).count <= 1)
    }

    @Test func `a scale around values ends at ticks, and a single value has space around it`() {
        #expect(LinearScale(around: 61...178, ticks: 4).domain == 50...200)
        let single = LinearScale(around: 120...120, ticks: 4).domain
        #expect(single.lowerBound < 120 && single.upperBound > 120)
        #expect(LinearScale(.nan, 1).domain == 0...1)
        #expect(LinearScale(5, 1).domain == 0...1)
    }
}
