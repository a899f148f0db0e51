import Analytics
import Testing

struct BeatStatisticsTests {
    @Test func `the reference series is the input of the other tools`() {
        #expect(referenceBeats.prefix(12) == [805, 843, 838, 808, 818, 812, 828, 811, 747, 729, 784, 784])
        #expect(referenceBeats.suffix(3) == [766, 754, 745])
        #expect(referenceBeats.reduce(0, +) == 240139)
        #expect(referenceBeats.reduce(0) { $0 + $1 * $1 } == 192_502_931)
    }

    /// Values from NeuroKit2 and hrv-analysis.
    @Test func `the reference series has the figures of the other tools`() {
        let beats = BeatStatistics(referenceBeats)
        #expect(beats.count == 300)
        #expect(beats.differenceCount == 299)
        #expect(isClose(beats.mean, 800.463333, within: 5e-7))
        #expect(isClose(beats.sdnn, 30.627037, within: 5e-7))
        #expect(isClose(beats.rmssd, 28.665643, within: 5e-7))
        #expect(isClose(beats.sdsd, 28.712995, within: 5e-7))
        #expect(beats.nn50 == 22)
        #expect(isClose(beats.pnn50, 7.333333, within: 5e-7))
        #expect(isClose(beats.sd1, 20.303154, within: 5e-7))
        #expect(isClose(beats.sd2, 38.259805, within: 5e-7))
    }

    @Test func `too few beats have no figures`() {
        #expect(BeatStatistics().mean == nil)
        #expect(BeatStatistics().pnn50 == nil)
        #expect(BeatStatistics([800]).sdnn == nil)
        #expect(BeatStatistics([800]).rmssd == nil)
        #expect(BeatStatistics([800, 830]).rmssd == 30)
        #expect(BeatStatistics([800, 830]).sdsd == nil)
        #expect(BeatStatistics([800, 830]).sd2 == nil)
    }

    @Test func `a difference of exactly 50 ms does not count as above 50 ms`() {
        #expect(BeatStatistics([800, 850, 799]).nn50 == 1)
    }

    @Test func `no difference spans a gap`() {
        var beats = BeatStatistics([800, 810])
        beats.breakSequence()
        beats.add(400)
        beats.add(410)
        #expect(beats.count == 4)
        #expect(beats.differenceCount == 2)
        #expect(beats.rmssd == 10)
    }

    @Test(arguments: [0, -5, .nan, .infinity])
    func `an invalid interval is a gap`(_ value: Double) {
        var beats = BeatStatistics([800, 810])
        beats.add(value)
        beats.add(400)
        #expect(beats.count == 3)
        #expect(beats.differenceCount == 1)
    }

    @Test(arguments: [0, 1, 17, 150, 299, 300])
    func `merging two segments equals one segment with a gap`(_ cut: Int) {
        var merged = BeatStatistics(referenceBeats[..<cut])
        merged.merge(BeatStatistics(referenceBeats[cut...]))
        var whole = BeatStatistics(referenceBeats[..<cut])
        whole.breakSequence()
        for interval in referenceBeats[cut...] { whole.add(interval) }
        #expect(merged.count == whole.count)
        #expect(merged.differenceCount == whole.differenceCount)
        #expect(merged.nn50 == whole.nn50)
        #expect(isClose(merged.sdnn, whole.sdnn ?? .nan, within: 1e-9))
        #expect(isClose(merged.rmssd, whole.rmssd ?? .nan, within: 1e-9))
    }

    @Test func `a small spread around a large value survives millions of beats`() {
        var beats = BeatStatistics()
        for i in 0..<1_000_000 { beats.add(1e9 + Double(i % 2)) }
        #expect(isClose(beats.sdnn, 0.5, within: 1e-6))
        #expect(isClose(beats.rmssd, 1, within: 1e-9))
    }
}
