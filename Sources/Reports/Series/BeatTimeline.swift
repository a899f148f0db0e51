import Analytics

/// The beats of a workout, for charts: as received, and cleaned in stretches of five minutes as in `BeatSegments`.
package struct BeatTimeline: Sendable {
    /// Intervals in milliseconds, as received.
    package private(set) var intervals = Trace()
    /// The intervals that ``Analytics/BeatFilter`` corrected, and implausible ones.
    package private(set) var artefacts: [Trace.Point] = []
    /// Each interval and the next one, in milliseconds, of corrected beats.
    package private(set) var pairs: [(Double, Double)] = []
    /// The sums of densities in ms²/Hz, and the number of stretches.
    private var spectrum: (sums: [Double], stretches: Int) = ([], 0)

    private var open: [Trace.Point] = []
    private var openMilliseconds = 0.0
    private var last: Double?
    private var sensor: String?
    /// How late a strap may send its beats.
    private static let slackInSeconds = 3.0

    package init() {}

    package var isEmpty: Bool { intervals.isEmpty }

    /// The mean density of the stretches in ms²/Hz, from 0 Hz on. Nil if no stretch was long and clean enough.
    package var density: [Double]? {
        spectrum.stretches > 0 ? spectrum.sums.map { $0 / Double(spectrum.stretches) } : nil
    }

    mutating func add(_ lengths: [Double], at seconds: Double, sensor id: String?) {
        let lengths = lengths.filter { $0 > 0 && $0.isFinite }
        guard !lengths.isEmpty, seconds.isFinite else { return }
        sensor = id
        let sum = lengths.reduce(0, +) / 1000
        if let last, abs(last + sum - seconds) > Self.slackInSeconds { interrupt() }
        var time = last ?? seconds - sum
        for length in lengths {
            time += length / 1000
            add(length, at: time)
        }
        last = time
    }

    private mutating func add(_ length: Double, at seconds: Double) {
        intervals.add(length, at: seconds)
        guard Alpha1Window.possibleIntervalsInMilliseconds.contains(length) else {
            artefacts.append(Trace.Point(seconds, length))
            return close()
        }
        if openMilliseconds + length > BeatSegments.lengthInSeconds * 1000 { close() }
        open.append(Trace.Point(seconds, length))
        openMilliseconds += length
    }

    mutating func interrupt() {
        intervals.interrupt()
        close()
        last = nil
    }

    mutating func sensorLeft(_ id: String) { if sensor == id { interrupt() } }

    private mutating func close() {
        defer {
            open.removeAll(keepingCapacity: true)
            openMilliseconds = 0
        }
        guard !open.isEmpty else { return }
        let filtered = BeatFilter.filter(open.map(\.value))
        artefacts += filtered.artefacts.map { open[$0.interval] }
        pairs += zip(filtered.intervals, filtered.intervals.dropFirst())
        guard Double(filtered.artefacts.count) <= Alpha1Window.mostArtefacts * Double(open.count),
            let found = HeartRateVariabilitySpectrum(nnIntervals: filtered.intervals)
        else { return }
        let density = found.density
        spectrum.sums = spectrum.stretches == 0 ? density : zip(spectrum.sums, density).map { $0 + $1 }
        spectrum.stretches += 1
    }
}
