import Analytics
import Testing

struct DetrendedFluctuationAnalysisTests {
    typealias DFA = DetrendedFluctuationAnalysis

    /// The value that NeuroKit2 computes without overlapping windows.
    @Test func `the reference series has the alpha1 of the other tool`() {
        #expect(isClose(DFA.alpha1(intervalsInMilliseconds: referenceBeats), 0.979570955, within: 5e-10))
    }

    @Test(arguments: [(4, 11.069101138), (16, 45.962878811)])
    func `the fluctuation of one window length is as published`(_ window: Int, _ fluctuation: Double) {
        let value = DFA.fluctuation(intervalsInMilliseconds: referenceBeats, window: window)
        #expect(isClose(value, fluctuation, within: 5e-10))
    }

    @Test func `too few or constant beats have no alpha1`() {
        #expect(DFA.alpha1(intervalsInMilliseconds: Array(referenceBeats.prefix(31))) == nil)
        #expect(DFA.alpha1(intervalsInMilliseconds: Array(referenceBeats.prefix(32))) != nil)
        #expect(DFA.alpha1(intervalsInMilliseconds: Array(repeating: 800, count: 200)) == nil)
        #expect(DFA.fluctuation(intervalsInMilliseconds: referenceBeats, window: 2) == nil)
        #expect(DFA.fluctuation(intervalsInMilliseconds: [800, 810, 790], window: 4) == nil)
    }

    @Test func `white noise has 0.5 and its cumulative sum 1.5`() throws {
        var state: UInt64 = 1
        let noise = (0..<5000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24) * 100
        }
        var sum = 0.0
        let walk = noise.map { value in
            sum += value - 50
            return sum
        }
        let white = try #require(DFA.alpha1(intervalsInMilliseconds: noise))
        let brown = try #require(DFA.alpha1(intervalsInMilliseconds: walk))
        // Short windows bias the fit slightly upwards.
        #expect((0.45...0.65).contains(white))
        #expect((1.4...1.7).contains(brown))
    }
}
