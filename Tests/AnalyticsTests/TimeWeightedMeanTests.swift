import Analytics
import Testing

struct TimeWeightedMeanTests {
    private let samples = [(seconds: 0.0, value: 100.0), (10, 120), (40, 150)]

    @Test func `a held value counts for as long as it is held`() {
        #expect(isClose(TimeWeightedMean.stepHold(samples, end: 60), 126.667, within: 5e-4))
    }

    @Test func `interpolation ends at the last value`() {
        #expect(isClose(TimeWeightedMean.trapezoid(samples), 128.75, within: 1e-12))
    }

    @Test func `a gap is left out`() {
        #expect(isClose(TimeWeightedMean.stepHold(samples, end: 1000, holdLimit: 10), 370.0 / 3, within: 1e-12))
        #expect(TimeWeightedMean.trapezoid(samples, gapLimit: 20) == 110)
    }

    @Test func `no time has no mean`() {
        #expect(TimeWeightedMean.stepHold([], end: 10) == nil)
        #expect(TimeWeightedMean.stepHold([(seconds: 5, value: 100)], end: 5) == nil)
        #expect(TimeWeightedMean.trapezoid([(seconds: 5, value: 100)]) == nil)
    }
}
