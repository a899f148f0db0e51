import Analytics
import Testing

struct HeartRateVariabilityTests {
    /// Values from NeuroKit2 and hrv-analysis.
    @Test func `the reference series has the figures of the other tools`() throws {
        let variability = try #require(HeartRateVariability(nnIntervals: referenceBeats))
        #expect(variability.statistics == BeatStatistics(referenceBeats))
        #expect(isClose(variability.meanHeartRate, 75.066305, within: 5e-7))
        #expect(variability.nn20 == 149)
        #expect(isClose(variability.pnn20, 49.666667, within: 5e-7))
        #expect(isClose(variability.triangularIndex, 8.8235, within: 5e-5))
        #expect(isClose(variability.dfaAlpha1, 0.979570955, within: 5e-10))
    }

    @Test(arguments: [[], [800], [800, 0], [800, .nan]])
    func `variability needs two whole intervals`(_ intervals: [Double]) {
        #expect(HeartRateVariability(nnIntervals: intervals) == nil)
    }
}
