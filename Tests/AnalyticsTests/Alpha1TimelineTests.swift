import Analytics
import Testing

@Suite struct Alpha1TimelineTests {
    private func course(_ intervals: [Double]) -> Alpha1Timeline {
        var course = Alpha1Timeline()
        var seconds = 0.0
        for interval in intervals {
            seconds += interval / 1000
            course.add([interval], at: seconds)
        }
        return course
    }

    @Test func `a figure is computed every ten seconds once the window is full`() throws {
        // 300 beats of 0.8 s last 240 s; the window is full after 120 s.
        let found = course(referenceBeats)
        #expect(found.count == 13)
        let (mean, lowest) = (try found.mean.get(), try found.lowest.get())
        #expect(lowest < mean && lowest > 0.7 && mean < 1.3)
        #expect(try found.meanArtefactShare.get() == 0)
        #expect(found.heartRate(atAlpha1: 0.5) == .failure(.notReached(alpha1: 0.5)))
    }

    @Test func `the number of beats added at once does not matter`() throws {
        let single = course(referenceBeats)
        var bundled = Alpha1Timeline()
        var seconds = 0.0
        for start in stride(from: 0, to: referenceBeats.count, by: 7) {
            let bundle = Array(referenceBeats[start..<min(start + 7, referenceBeats.count)])
            seconds += bundle.reduce(0, +) / 1000
            bundled.add(bundle, at: seconds)
        }
        #expect(bundled.count == single.count)
        #expect(isClose(try bundled.mean.get(), try single.mean.get(), within: 1e-9))
    }

    @Test func `without any figure, the reason is that of the latest window`() {
        #expect(Alpha1Timeline().mean == .failure(.notMeasured(.beats)))
        #expect(course(Array(referenceBeats.prefix(60))).mean == .failure(.tooShort(neededSeconds: 120)))
        let noise = course((0..<400).map { referenceBeats[$0 % 300] + ($0 % 12 == 0 ? 350 : 0) })
        guard case .failure(.tooManyArtefacts(let share)) = noise.lowest else {
            Issue.record("\(noise.lowest)")
            return
        }
        #expect(share > 0.05)
        #expect(noise.heartRate(atAlpha1: 0.75) == .failure(.tooManyArtefacts(share: share)))
    }

    @Test func `figures are kept on request, with the gaps between them`() throws {
        #expect(course(referenceBeats).points.isEmpty)
        var kept = Alpha1Timeline(keepsPoints: true)
        var seconds = 100.0
        for interval in referenceBeats {
            seconds += interval / 1000
            kept.add([interval], at: seconds)
        }
        seconds += 60
        for interval in referenceBeats {
            seconds += interval / 1000
            kept.add([interval], at: seconds)
        }
        let readings = kept.points.compactMap(\.reading)
        #expect(readings.count == kept.count && kept.count == 26)
        let mean = readings.reduce(0) { $0 + $1.alpha1 } / Double(readings.count)
        #expect(isClose(mean, try kept.mean.get(), within: 1e-9))
        // 240 s of beats and a minute without any; two minutes later the window is full again.
        #expect(kept.points.indices.filter { kept.points[$0].reading == nil } == [13])
        #expect(isClose(kept.points[12].seconds, 340, within: 1) && isClose(kept.points[14].seconds, 520, within: 1))
        #expect(zip(kept.points, kept.points.dropFirst()).allSatisfy { $0.seconds < $1.seconds })
    }
}
