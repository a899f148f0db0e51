import Analytics
import Foundation
import Testing

struct HeartRateVariabilitySpectrumTests {
    /// Computed with scipy by the same recipe.
    @Test func `the reference series has the published band powers`() throws {
        let spectrum = try #require(HeartRateVariabilitySpectrum(nnIntervals: referenceBeats))
        #expect(isClose(spectrum.veryLowFrequencyPower, 2.939001, within: 5e-7))
        #expect(isClose(spectrum.lowFrequencyPower, 513.213052, within: 5e-7))
        #expect(isClose(spectrum.highFrequencyPower, 341.915165, within: 5e-7))
        #expect(isClose(spectrum.lowToHighRatio, 1.500995, within: 5e-7))
    }

    @Test func `breathing at a quarter hertz adds half its amplitude squared to the high band`() throws {
        var time = 0.0
        let beats = (0..<600).map { _ in
            let interval = 800 + 20 * sin(2 * .pi * 0.25 * time)
            time += interval / 1000
            return interval
        }
        let spectrum = try #require(HeartRateVariabilitySpectrum(nnIntervals: beats))
        #expect(isClose(spectrum.highFrequencyPower, 200, within: 12))
        #expect(spectrum.lowFrequencyPower < 2)
    }

    @Test(arguments: [[], [800], Array(repeating: 800, count: 75), [800, .infinity, 800]])
    func `less than a segment of beats has no spectrum`(_ beats: [Double]) {
        #expect(HeartRateVariabilitySpectrum(nnIntervals: beats) == nil)
    }
}
