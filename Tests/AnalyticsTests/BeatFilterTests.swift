import Analytics
import Testing

struct BeatFilterTests {
    private let clean = Array(referenceBeats.prefix(200))

    @Test func `a clean series is unchanged`() {
        let result = BeatFilter.filter(clean)
        #expect(result.artefacts.isEmpty)
        #expect(result.intervals == clean)
    }

    @Test func `a missed beat is restored`() {
        var beats = clean
        beats.replaceSubrange(100...101, with: [1641])
        let result = BeatFilter.filter(beats)
        #expect(result.artefacts == [BeatArtefact(interval: 100, kind: .missed)])
        #expect(result.intervals[99...102] == [clean[99], 820.5, 820.5, clean[102]])
        #expect(result.intervals.reduce(0, +) == beats.reduce(0, +))
    }

    @Test func `an extra beat is removed, and not also counted as long or short`() {
        var beats = clean
        beats.replaceSubrange(100...100, with: [300, 484])
        let result = BeatFilter.filter(beats)
        #expect(result.artefacts == [BeatArtefact(interval: 100, kind: .extra)])
        #expect(result.intervals == clean)
    }

    @Test func `an ectopic beat is moved to the middle once`() {
        var beats = clean
        beats[100] -= 250
        beats[101] += 250
        let result = BeatFilter.filter(beats)
        #expect(result.artefacts == [BeatArtefact(interval: 100, kind: .ectopic)])
        #expect(result.intervals[99...102] == [clean[99], 820.5, 820.5, clean[102]])
        #expect(result.intervals.reduce(0, +) == beats.reduce(0, +))
    }

    @Test func `a late beat is ectopic too`() {
        var beats = clean
        beats[100] += 250
        beats[101] -= 250
        #expect(BeatFilter.filter(beats).artefacts == [BeatArtefact(interval: 100, kind: .ectopic)])
    }

    @Test(arguments: Array(stride(from: 3, through: 190, by: 11)))
    func `artefacts are found anywhere, and the total time is kept`(_ place: Int) {
        var missed = clean
        missed.replaceSubrange(place...(place + 1), with: [clean[place] + clean[place + 1]])
        var ectopic = clean
        ectopic[place] -= 250
        ectopic[place + 1] += 250
        var extra = clean
        extra.replaceSubrange(place...place, with: [clean[place] - 300, 300])
        for (beats, kind) in [(missed, BeatArtefact.Kind.missed), (ectopic, .ectopic), (extra, .extra)] {
            let result = BeatFilter.filter(beats)
            #expect(result.artefacts == [BeatArtefact(interval: place, kind: kind)])
            #expect(isClose(result.intervals.reduce(0, +), beats.reduce(0, +), within: 1e-6))
        }
    }

    @Test func `zero-length beats and gaps of seconds do not trap`() {
        #expect(BeatFilter.filter([0, 0, 0, 0, 0, 0]).intervals.count == 6)
        var beats = clean
        beats[100] = 8000
        let result = BeatFilter.filter(beats)
        #expect(result.artefacts == [BeatArtefact(interval: 100, kind: .long)])
        #expect(isClose(result.intervals.reduce(0, +), beats.reduce(0, +), within: 1e-6))
    }

    @Test func `the resolution of a strap is not an artefact`() {
        let beats = (0..<300).map { Double(400 + $0 % 3) * 1000 / 1024 }
        #expect(BeatFilter.filter(beats).artefacts.isEmpty)
    }

    @Test func `one artefact among constant beats is found`() {
        var beats = [Double](repeating: 400, count: 200)
        beats[50] = 800
        #expect(BeatFilter.filter(beats).artefacts == [BeatArtefact(interval: 50, kind: .missed)])
    }

    @Test(arguments: [[], [800], [800, 400, 1200], [.nan, 800, 800, 800, 800]])
    func `beats that cannot be judged are unchanged`(_ beats: [Double]) {
        let result = BeatFilter.filter(beats)
        #expect(result.artefacts.isEmpty)
        #expect(result.intervals.count == beats.count)
    }
}
