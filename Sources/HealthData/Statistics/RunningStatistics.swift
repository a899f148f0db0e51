/// How values of a type are averaged: `HKQuantityAggregationStyle`, reduced to what the arithmetic needs.
package enum AveragingRule: String, Sendable, Equatable, Codable {
    /// Mean of the values (discrete arithmetic types; cumulative types, whose sum is what counts).
    case arithmetic
    /// Each value weighs as long as it holds: time integral divided by time.
    case temporal
    /// Leq of IEC 61672-1: 10·log10(Σ tᵢ·10^(Lᵢ/10) / Σ tᵢ).
    case continuousLevel
}

/// Count, sum, extremes, latest value and time integral of a stream of values; one value of it is O(1) to extend and
/// two of them merge into what one pass over both streams would have given, so it serves the live builder, every
/// `HKStatistics`, each bucket of a collection and stored summaries alike.
///
/// **Time integral.** A value holds from its start to its end and on until the next one begins (step-hold). It is not
/// held over a break (a pause, a sensor that was away), nor when the next value is more than ``gapLimitInSeconds`` after
/// its end: such time has no value and weighs nothing. Apple documents "a temporally weighted integration function"
/// without a formula; step-hold is this library's choice.
///
/// Values are expected in order of time; one that starts before its predecessor ends counts, but nothing is held up to it.
/// All values are in one unit, which the owner knows.
package struct RunningStatistics: Sendable, Equatable, Codable {
    /// No value is held longer than this without a successor.
    package static let gapLimitInSeconds = 30.0

    package let rule: AveragingRule
    package private(set) var count = 0
    package private(set) var sum = 0.0
    package private(set) var minimum = Double.infinity
    package private(set) var maximum = -Double.infinity
    /// The value with the latest end, then the latest start.
    package private(set) var mostRecent: TimedValue?
    /// Seconds during which samples were measured: the sum of their own durations.
    package private(set) var coveredSeconds = 0.0
    /// ∫ value dt over the time that has a value; for ``AveragingRule/continuousLevel`` ∫ 10^(L/10) dt.
    package private(set) var integral = 0.0
    /// Seconds over which ``integral`` was taken.
    package private(set) var weightedSeconds = 0.0
    /// When the earliest value begins.
    package private(set) var firstStart: Date?

    /// The last value added, while nothing has broken its hold.
    private var held: TimedValue?
    /// When the first added value begins, for a merge with what came before.
    private var leadStart: Date?
    /// Whether a break lies before the first value (or, without any, that there was one).
    private var leadBroken = false

    package init(_ rule: AveragingRule) {
        self.rule = rule
    }

    /// The figures of values without a break between them, as somebody kept them. `last` is the value that was added
    /// last, and holds on.
    package init(
        _ rule: AveragingRule, count: Int, sum: Double, minimum: Double, maximum: Double, mostRecent: TimedValue,
        coveredSeconds: Double, integral: Double, weightedSeconds: Double, firstStart: Date, last: TimedValue
    ) {
        self.rule = rule
        self.count = count
        self.sum = sum
        self.minimum = minimum
        self.maximum = maximum
        self.mostRecent = mostRecent
        self.coveredSeconds = coveredSeconds
        self.integral = integral
        self.weightedSeconds = weightedSeconds
        self.firstStart = firstStart
        leadStart = firstStart
        held = rule == .arithmetic ? nil : last
    }

    package var arithmeticMean: Double? { count == 0 ? nil : sum / Double(count) }

    /// The average of the type's aggregation style; nil without values.
    package var average: Double? {
        guard count > 0 else { return nil }
        switch rule {
        case .arithmetic:
            return arithmeticMean
        case .temporal:
            return weightedSeconds > 0 ? integral / weightedSeconds : arithmeticMean
        case .continuousLevel:
            // Values without any duration weigh alike.
            return weightedSeconds > 0 ? 10 * log10(integral / weightedSeconds) : arithmeticMean
        }
    }

    package mutating func add(_ value: Double, start: Date, end: Date) {
        if let held, rule != .arithmetic { hold(held, until: start) }
        if count == 0 { leadStart = start }
        count += 1
        sum += value
        minimum = min(minimum, value)
        maximum = max(maximum, value)
        firstStart = firstStart.map { min($0, start) } ?? start
        let latest = TimedValue(value: value, start: start, end: end)
        if mostRecent.map(latest.isNotEarlier(than:)) ?? true { mostRecent = latest }
        let seconds = end.timeIntervalSince(start)
        coveredSeconds += seconds
        if rule != .arithmetic {
            integrate(value, seconds: seconds)
            held = latest
        }
    }

    /// Nothing is held past `date`: a pause began, or the sensor went away.
    package mutating func breakHold(at date: Date) {
        if let held { hold(held, until: date) }
        held = nil
        if count == 0 { leadBroken = true }
    }

    /// Appends what `later` has seen after this.
    package mutating func merge(_ later: RunningStatistics) {
        guard later.count > 0 else {
            if later.leadBroken { held = nil }
            if count == 0 { leadBroken = leadBroken || later.leadBroken }
            return
        }
        guard count > 0 else {
            let broken = leadBroken || later.leadBroken
            self = later
            leadBroken = broken
            return
        }
        if let held, let leadStart = later.leadStart, !later.leadBroken { hold(held, until: leadStart) }
        count += later.count
        sum += later.sum
        minimum = min(minimum, later.minimum)
        maximum = max(maximum, later.maximum)
        coveredSeconds += later.coveredSeconds
        integral += later.integral
        weightedSeconds += later.weightedSeconds
        if let other = later.firstStart { firstStart = firstStart.map { min($0, other) } ?? other }
        if let other = later.mostRecent, mostRecent.map(other.isNotEarlier(than:)) ?? true { mostRecent = other }
        held = later.held
    }

    private mutating func hold(_ last: TimedValue, until date: Date) {
        let gap = date.timeIntervalSince(last.end)
        if gap > 0, gap <= Self.gapLimitInSeconds { integrate(last.value, seconds: gap) }
    }

    private mutating func integrate(_ value: Double, seconds: Double) {
        guard seconds > 0 else { return }
        weightedSeconds += seconds
        integral += seconds * (rule == .continuousLevel ? pow(10, value / 10) : value)
    }
}

/// A value and the interval it was measured over.
package struct TimedValue: Sendable, Equatable, Codable {
    package var value: Double
    package var start: Date
    package var end: Date

    package init(value: Double, start: Date, end: Date) {
        self.value = value
        self.start = start
        self.end = end
    }

    func isNotEarlier(than other: TimedValue) -> Bool {
        end > other.end || (end == other.end && start >= other.start)
    }
}
