import Analytics
import Testing

@Suite struct Alpha1WindowTests {
    /// Beats one at a time as they end, as a strap sends them.
    private func feed(_ window: inout Alpha1Window, _ intervals: [Double], from start: Double = 0) -> Double {
        var seconds = start
        for interval in intervals {
            seconds += interval / 1000
            window.add([interval], at: seconds)
        }
        return seconds
    }

    @Test func `two minutes of clean beats have the alpha1 of those beats`() throws {
        var window = Alpha1Window()
        _ = feed(&window, referenceBeats)
        // The latest beats that make up two minutes.
        var kept: [Double] = []
        for interval in referenceBeats.reversed() {
            guard kept.reduce(0, +) + interval <= 120_000 else { break }
            kept.insert(interval, at: 0)
        }
        let reading = try window.reading.get()
        #expect(reading.artefactShare == 0)
        #expect(
            isClose(DetrendedFluctuationAnalysis.alpha1(intervalsInMilliseconds: kept), reading.alpha1, within: 1e-12))
        #expect(isClose(reading.heartRate, 60_000 / (kept.reduce(0, +) / Double(kept.count)), within: 1e-9))
    }

    @Test func `before two minutes there is no figure, and the remaining time is known`() {
        var window = Alpha1Window()
        #expect(window.reading == .failure(.notMeasured(.beats)))
        _ = feed(&window, Array(referenceBeats.prefix(100)))
        #expect(window.reading == .failure(.tooShort(neededSeconds: 120)))
    }

    @Test func `the window restarts after missing beats, a pause or an impossible interval`() {
        var window = Alpha1Window()
        let end = feed(&window, referenceBeats)
        var late = window
        _ = feed(&late, Array(referenceBeats.prefix(100)), from: end + 4)
        #expect(late.reading == .failure(.tooShort(neededSeconds: 120)))
        var soon = window
        _ = feed(&soon, Array(referenceBeats.prefix(100)), from: end + 2)
        #expect(throws: Never.self) { try soon.reading.get() }
        var paused = window
        paused.interrupt()
        #expect(paused.reading == .failure(.notMeasured(.beats)))
        window.add([65_535], at: end + 65)
        #expect(window.reading == .failure(.notMeasured(.beats)))
    }

    @Test func `with more than five percent artefacts there is only their share`() throws {
        var beats = referenceBeats
        for index in stride(from: 160, to: 300, by: 10) {
            beats[index] -= 250
            beats[index + 1] += 250
        }
        var window = Alpha1Window()
        _ = feed(&window, beats)
        guard case .failure(.tooManyArtefacts(let share)) = window.reading else {
            Issue.record("\(window.reading)")
            return
        }
        #expect(share > 0.05 && share < 0.15)
    }

    @Test func `the window keeps the last two minutes, however long it runs`() throws {
        var (long, short) = (Alpha1Window(), Alpha1Window())
        var end = 0.0
        for _ in 0..<20 { end = feed(&long, referenceBeats, from: end) }
        _ = feed(&short, referenceBeats)
        let (a, b) = (try long.reading.get(), try short.reading.get())
        #expect(isClose(a.alpha1, b.alpha1, within: 1e-9) && a.heartRate == b.heartRate)
    }
}
