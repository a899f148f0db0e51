import Analytics
import Testing

@Suite struct BeatSegmentsTests {
    private func feed(_ segments: inout BeatSegments, _ intervals: [Double], from start: Double = 0) -> Double {
        var seconds = start
        for interval in intervals {
            seconds += interval / 1000
            segments.add([interval], at: seconds)
        }
        return seconds
    }

    @Test func `one segment has the figures of its beats`() throws {
        var segments = BeatSegments()
        _ = feed(&segments, referenceBeats)
        segments.close()
        #expect(isClose(try segments.sdnn.get(), 30.627037, within: 5e-7))
        #expect(isClose(try segments.rmssd.get(), 28.665643, within: 5e-7))
        #expect(isClose(try segments.pnn50.get(), 7.333333, within: 5e-7))
        #expect(isClose(try segments.alpha1.get(), 0.979570955, within: 5e-10))
        #expect(isClose(try segments.lowToHighRatio.get(), 1.500995, within: 5e-7))
        #expect(try segments.artefactShare.get() == 0)
    }

    @Test func `repeated minutes change no mean, and jumps between segments do not count`() throws {
        var (one, many) = (BeatSegments(), BeatSegments())
        _ = feed(&one, referenceBeats)
        one.close()
        var end = 0.0
        for _ in 0..<5 {
            end = feed(&many, referenceBeats, from: end)
            many.interrupt()
            end += 100
        }
        #expect(isClose(try many.rmssd.get(), try one.rmssd.get(), within: 1e-9))
        #expect(isClose(try many.alpha1.get(), try one.alpha1.get(), within: 1e-9))
        #expect(isClose(try many.lowFrequencyPower.get(), try one.lowFrequencyPower.get(), within: 1e-9))
        #expect(many.statistics.count == 1500)
    }

    @Test func `consecutive impossible intervals count as one artefact`() throws {
        let intervals = referenceBeats.prefix(150) + [65_535, 150, 0] + referenceBeats.suffix(150)
        var (one, bundled) = (BeatSegments(), BeatSegments())
        _ = feed(&one, Array(intervals))
        var seconds = 0.0
        for start in stride(from: 0, to: intervals.count, by: 7) {
            let bundle = Array(intervals[start..<min(start + 7, intervals.count)])
            seconds += bundle.reduce(0, +) / 1000
            bundled.add(bundle, at: seconds)
        }
        one.close()
        bundled.close()
        #expect(one.intervals == 302 && bundled.intervals == 302)
        #expect(one.artefacts == bundled.artefacts)
        #expect(isClose(try one.rmssd.get(), try bundled.rmssd.get(), within: 1e-9))
    }

    @Test func `a missing figure has a reason`() {
        var segments = BeatSegments()
        #expect(segments.sdnn == .failure(.notMeasured(.beats)))
        #expect(segments.artefactShare == .failure(.notMeasured(.beats)))
        _ = feed(&segments, [800])
        segments.close()
        #expect(segments.rmssd == .failure(.tooFew(1, needed: 2)))
        #expect(segments.lowFrequencyPower == .failure(.tooShort(neededSeconds: 64)))
        var noise = BeatSegments()
        _ = feed(&noise, (0..<300).map { $0 % 4 == 0 ? 1200 : 700 })
        noise.add([65_535], at: 1e6)
        guard case .success(let share) = noise.artefactShare else { return }
        #expect(share > 0)
    }
}
