/// Alpha1 over a workout: its window looked at every ten seconds, and the thresholds that come of it.
///
/// The seconds are those of the beats, so that it does not matter how many of them came at once.
public struct Alpha1Timeline: Sendable {
    public static let stepInSeconds = 10.0

    /// Where alpha1 stood last.
    public private(set) var latest: Figure<Alpha1Reading> = .failure(.notMeasured(.beats))
    public private(set) var thresholds = Alpha1Thresholds()
    private var window = Alpha1Window()
    private var nextPoint = stepInSeconds
    private var alpha1s = RunningVariance()
    private var artefactShares = RunningVariance()
    private var lowestAlpha1 = Double.infinity
    private let keepsPoints: Bool
    /// All that were taken, in order of time; none unless they are kept.
    public private(set) var points: [Point] = []

    /// What a window gave, and when it ended.
    public struct Point: Sendable, Equatable {
        /// On the caller's time line.
        public var seconds: Double
        /// Nil where what follows does not follow what was before: beats were missing, or too many were corrected.
        public var reading: Alpha1Reading?
    }

    /// - Parameter keepsPoints: Whether ``points`` are wanted: one each ten seconds.
    public init(keepsPoints: Bool = false) {
        self.keepsPoints = keepsPoints
    }

    /// As ``Alpha1Window/add(_:at:)``.
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
        // Of several reasons, that a window was never filled is the least.
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

    /// Of windows that gave a figure.
    public var count: Int { alpha1s.count }
    public var mean: Figure<Double> { figure(alpha1s.mean) }
    public var lowest: Figure<Double> { figure(lowestAlpha1) }
    /// A fraction of 1, of the windows that gave a figure.
    public var meanArtefactShare: Figure<Double> { figure(artefactShares.mean) }

    /// In beats a minute, an estimate.
    public func heartRate(atAlpha1 alpha1: Double) -> Figure<Double> {
        figure(0).flatMap { _ in thresholds.heartRate(atAlpha1: alpha1) }
    }

    private func figure(_ value: Double) -> Figure<Double> { count > 0 ? .success(value) : latest.map { _ in value } }
}
