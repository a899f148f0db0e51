/// Alpha1 over a workout: the window is evaluated every ten seconds, and the thresholds are computed from the results.
///
/// Seconds follow the times of the beats, so it does not matter how many beats arrive at once.
public struct Alpha1Timeline: Sendable {
    public static let stepInSeconds = 10.0

    /// The latest alpha1.
    public private(set) var latest: Figure<Alpha1Reading> = .failure(.notMeasured(.beats))
    public private(set) var thresholds = Alpha1Thresholds()
    private var window = Alpha1Window()
    private var nextPoint = stepInSeconds
    private var alpha1s = RunningVariance()
    private var artefactShares = RunningVariance()
    private var lowestAlpha1 = Double.infinity
    private let keepsPoints: Bool
    /// All values in order of time. Empty unless they are kept.
    public private(set) var points: [Point] = []

    /// The result of a window, and the time of its end.
    public struct Point: Sendable, Equatable {
        /// Seconds on the caller's timeline.
        public var seconds: Double
        /// Nil if there is a break here: beats were missing, or too many were corrected.
        public var reading: Alpha1Reading?
    }

    /// - Parameter keepsPoints: Whether to keep ``points``, one every ten seconds.
    public init(keepsPoints: Bool = false) {
        self.keepsPoints = keepsPoints
    }

    /// Adds beats like ``Alpha1Window/add(_:at:)``.
    public mutating func add(_ intervalsInMilliseconds: [Double], at seconds: Double) {
        var left = intervalsInMilliseconds.reduce(0, +)
        for interval in intervalsInMilliseconds {
            left -= interval
            let before = window.stretchInSeconds
            window.add([interval], at: seconds - left / 1000)
            if window.stretchInSeconds < before || before == 0 {
                nextPoint = Self.stepInSeconds
                keep(nil, at: seconds - left / 1000)
            }
            guard window.stretchInSeconds >= nextPoint else { continue }
            nextPoint += Self.stepInSeconds
            evaluate(at: seconds - left / 1000)
        }
    }

    private mutating func evaluate(at seconds: Double) {
        let found = window.reading
        // An unfilled window is the least important reason, so it does not replace another result.
        if case .failure(.tooShort) = found, count > 0 || isSuppressed { return }
        latest = found
        keep(try? found.get(), at: seconds)
        guard case .success(let reading) = found else { return }
        alpha1s.add(reading.alpha1)
        artefactShares.add(reading.artefactShare)
        lowestAlpha1 = min(lowestAlpha1, reading.alpha1)
        thresholds.add(reading)
    }

    private mutating func keep(_ reading: Alpha1Reading?, at seconds: Double) {
        guard keepsPoints, reading != nil || points.last?.reading != nil else { return }
        points.append(Point(seconds: seconds, reading: reading))
    }

    public mutating func interrupt() { window.interrupt() }

    private var isSuppressed: Bool {
        if case .failure(.tooManyArtefacts) = latest { true } else { false }
    }

    /// The number of windows that gave a figure.
    public var count: Int { alpha1s.count }
    public var mean: Figure<Double> { figure(alpha1s.mean) }
    public var lowest: Figure<Double> { figure(lowestAlpha1) }
    /// The mean share of artefacts in windows that gave a figure, as a fraction of 1.
    public var meanArtefactShare: Figure<Double> { figure(artefactShares.mean) }

    /// Returns an estimate in beats per minute.
    public func heartRate(atAlpha1 alpha1: Double) -> Figure<Double> {
        figure(0).flatMap { _ in thresholds.heartRate(atAlpha1: alpha1) }
    }

    private func figure(_ value: Double) -> Figure<Double> { count > 0 ? .success(value) : latest.map { _ in value } }
}
