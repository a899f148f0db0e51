package import Foundation

/// The rule for averaging values of a type: `HKQuantityAggregationStyle`, reduced to what the arithmetic needs.
package enum AveragingRule: String, Sendable, Equatable, Codable {
    /// The mean of the values. For discrete arithmetic types, and for cumulative types, whose sum is what matters.
    case arithmetic
    /// Each value is weighted by the time for which it holds: time integral divided by time.
    case temporal
    /// Leq of IEC 61672-1: 10·log10(Σ tᵢ·10^(Lᵢ/10) / Σ tᵢ).
    case continuousLevel
}

/// Count, sum, extremes, latest value and time integral of a stream of values.
///
/// Adding a value is O(1), and two instances merge into the result of one pass over both streams. The live builder,
/// every `HKStatistics`, each bucket of a collection and stored summaries all use it.
///
/// **Time integral.** A value holds from its start to its end, and on until the next one begins (step-hold). It is not
/// held across a break (a pause, a sensor that was away), nor if the next value begins more than ``gapLimitInSeconds``
/// after its end: such time has no value and no weight. Apple documents "a temporally weighted integration function"
/// without a formula. Step-hold is this library's choice.
///
/// Values are expected in order of time. One that starts before its predecessor ends counts, but nothing is held up to
/// it. All values are in one unit, which the owner knows.
package struct RunningStatistics: Sendable, Equatable, Codable {
    /// The longest time for which a value is held until the next one.
    package static let gapLimitInSeconds = 30.0

    package let rule: AveragingRule
    package private(set) var count = 0
    package private(set) var sum = 0.0
    package private(set) var minimum = Double.infinity
    package private(set) var maximum = -Double.infinity
    /// The value with the latest end, then the latest start.
    package private(set) var mostRecent: TimedValue?
    /// The seconds in which samples were measured: the sum of their own durations.
    package private(set) var coveredSeconds = 0.0
    /// The integral and the seconds without the hold of the last value.
    private var settledIntegral = 0.0
    private var settledSeconds = 0.0
    /// The start of the earliest value.
    package private(set) var firstStart: Date?

    /// The last value added, and when a break ends its hold. Nil while there is no break. A value added after the break
    /// may be dated before it, and ends the hold sooner.
    private var held: TimedValue?
    private var heldUntil: Date?
    /// The start of the first added value, for a merge with earlier statistics.
    private var leadStart: Date?
    /// Whether there was a break before the first value, or any break if there is no value.
    private var leadBroken = false

    package init(_ rule: AveragingRule) {
        self.rule = rule
    }

    /// Creates stored statistics of values without a break between them. `last` is the value added last, which is still
    /// held.
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
        settledIntegral = integral
        settledSeconds = weightedSeconds
        self.firstStart = firstStart
        leadStart = firstStart
        held = rule == .arithmetic ? nil : last
    }

    /// The keys in archives.
    private enum CodingKeys: String, CodingKey {
        case rule, count, sum, minimum, maximum, mostRecent, coveredSeconds, firstStart, held, heldUntil, leadStart
        case leadBroken
        case settledIntegral = "integral"
        case settledSeconds = "weightedSeconds"
    }

    /// ∫ value dt over the time that has a value. For ``AveragingRule/continuousLevel``, ∫ 10^(L/10) dt.
    package var integral: Double { settledIntegral + (held.map { secondsHeld * weight(of: $0.value) } ?? 0) }

    /// The seconds over which ``integral`` was taken.
    package var weightedSeconds: Double { settledSeconds + secondsHeld }

    package var arithmeticMean: Double? { count == 0 ? nil : sum / Double(count) }

    /// The average by the type's aggregation style. Nil without values.
    package var average: Double? {
        guard count > 0 else { return nil }
        switch rule {
        case .arithmetic:
            return arithmeticMean
        case .temporal:
            return weightedSeconds > 0 ? integral / weightedSeconds : arithmeticMean
        case .continuousLevel:
            // Values without a duration have equal weights.
            return weightedSeconds > 0 ? 10 * log10(integral / weightedSeconds) : arithmeticMean
        }
    }

    package mutating func add(_ value: Double, start: Date, end: Date) {
        settle(before: start)
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

    /// Adds a range of values, in seconds since the reference date. The result is that of ``add(_:start:end:)`` for
    /// each, several times faster.
    package mutating func add(_ values: [Double], starts: [Double], ends: [Double], in range: Range<Int>) {
        guard let first = range.first else { return }
        func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
        add(values[first], start: date(starts[first]), end: date(ends[first]))
        guard range.count > 1, let latest = mostRecent, let earliest = firstStart else { return }
        let weighsByTime = rule != .arithmetic
        var (sum, minimum, maximum, covered) = (sum, minimum, maximum, coveredSeconds)
        var (integral, seconds) = (settledIntegral, settledSeconds)
        var earliestStart = earliest.timeIntervalSinceReferenceDate
        var latestEnd = latest.end.timeIntervalSinceReferenceDate
        var latestStart = latest.start.timeIntervalSinceReferenceDate
        var latestIndex: Int?
        for index in range.dropFirst() {
            let (value, start, end) = (values[index], starts[index], ends[index])
            sum += value
            minimum = min(minimum, value)
            maximum = max(maximum, value)
            earliestStart = min(earliestStart, start)
            let ownSeconds = end - start
            covered += ownSeconds
            if end > latestEnd || (end == latestEnd && start >= latestStart) {
                (latestIndex, latestEnd, latestStart) = (index, end, start)
            }
            guard weighsByTime else { continue }
            let gap = start - ends[index - 1]
            if gap > 0, gap <= Self.gapLimitInSeconds {
                seconds += gap
                integral += gap * weight(of: values[index - 1])
            }
            if ownSeconds > 0 {
                seconds += ownSeconds
                integral += ownSeconds * weight(of: value)
            }
        }
        count += range.count - 1
        (self.sum, self.minimum, self.maximum, coveredSeconds) = (sum, minimum, maximum, covered)
        (settledIntegral, settledSeconds) = (integral, seconds)
        firstStart = date(earliestStart)
        func timed(_ index: Int) -> TimedValue {
            TimedValue(value: values[index], start: date(starts[index]), end: date(ends[index]))
        }
        if let latestIndex { mostRecent = timed(latestIndex) }
        if weighsByTime { held = timed(range.upperBound - 1) }
    }

    /// Adds a range of values at a steady pace. The result is that of ``add(_:start:end:)`` for each except for
    /// rounding, many times faster.
    ///
    /// - Parameters:
    ///   - first: The time of the first value, in seconds since the reference date.
    ///   - last: The time of the last value.
    ///   - step: The seconds from the start of a value to the start of the next one, 0 or more.
    ///   - length: The seconds that each value lasts, 0 or more.
    package mutating func add(
        _ values: [Double], in range: Range<Int>, from first: ClosedRange<Double>, to last: ClosedRange<Double>,
        every step: Double, lasting length: Double
    ) {
        guard let index = range.first else { return }
        func timed(_ index: Int, _ time: ClosedRange<Double>) -> TimedValue {
            TimedValue(
                value: values[index], start: Date(timeIntervalSinceReferenceDate: time.lowerBound),
                end: Date(timeIntervalSinceReferenceDate: time.upperBound))
        }
        let earliest = timed(index, first)
        add(earliest.value, start: earliest.start, end: earliest.end)
        guard range.count > 1 else { return }
        let others = values.withUnsafeBufferPointer { Totals($0[range.dropFirst()]) }
        let latest = timed(range.upperBound - 1, last)
        let number = Double(range.count - 1)
        count += range.count - 1
        sum += others.sum
        minimum = min(minimum, others.minimum)
        maximum = max(maximum, others.maximum)
        coveredSeconds += length * number
        if mostRecent.map(latest.isNotEarlier(than:)) ?? true { mostRecent = latest }
        guard rule != .arithmetic else { return }
        let weights =
            rule == .temporal ? others.sum : values[range.dropFirst()].reduce(0) { $0 + weight(of: $1) }
        integrate(weights, times: number, seconds: length)
        let gap = step - length
        if gap <= Self.gapLimitInSeconds {
            integrate(weights - weight(of: latest.value) + weight(of: earliest.value), times: number, seconds: gap)
        }
        held = latest
    }

    /// Adds values whose weights have this sum, each held for that many seconds.
    private mutating func integrate(_ weights: Double, times number: Double, seconds: Double) {
        guard seconds > 0 else { return }
        settledSeconds += seconds * number
        settledIntegral += seconds * weights
    }

    /// Ends the hold of the last value at `date`, because a pause began or the sensor went away.
    package mutating func breakHold(at date: Date) {
        if held != nil { heldUntil = heldUntil.map { min($0, date) } ?? date }
        if count == 0 { leadBroken = true }
    }

    /// Settles the last value, so that values added or merged from now on do not affect it: it is held until its break,
    /// if there is one.
    package mutating func letGo() { settle(before: nil) }

    /// Appends the statistics of later values.
    package mutating func merge(_ later: RunningStatistics) {
        guard later.count > 0 else {
            if later.leadBroken { letGo() }
            if count == 0 { leadBroken = leadBroken || later.leadBroken }
            return
        }
        guard count > 0 else {
            let broken = leadBroken || later.leadBroken
            self = later
            leadBroken = broken
            return
        }
        settle(before: later.leadBroken ? nil : later.leadStart)
        count += later.count
        sum += later.sum
        minimum = min(minimum, later.minimum)
        maximum = max(maximum, later.maximum)
        coveredSeconds += later.coveredSeconds
        settledIntegral += later.settledIntegral
        settledSeconds += later.settledSeconds
        if let other = later.firstStart { firstStart = firstStart.map { min($0, other) } ?? other }
        if let other = later.mostRecent, mostRecent.map(other.isNotEarlier(than:)) ?? true { mostRecent = other }
        held = later.held
        heldUntil = later.heldUntil
    }

    /// Settles the last value. It is held until its break, or until another value starts before that.
    private mutating func settle(before start: Date?) {
        guard let held else { return }
        if let start, heldUntil.map({ start < $0 }) ?? true { heldUntil = start }
        integrate(held.value, seconds: secondsHeld)
        self.held = nil
        heldUntil = nil
    }

    /// The seconds for which the last value is held as far as is known: until its break.
    private var secondsHeld: Double {
        guard let held, let heldUntil else { return 0 }
        let gap = heldUntil.timeIntervalSince(held.end)
        return gap > 0 && gap <= Self.gapLimitInSeconds ? gap : 0
    }

    private mutating func integrate(_ value: Double, seconds: Double) {
        guard seconds > 0 else { return }
        settledSeconds += seconds
        settledIntegral += seconds * weight(of: value)
    }

    private func weight(of value: Double) -> Double { rule == .continuousLevel ? pow(10, value / 10) : value }
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

/// The sum and the extremes of values. It keeps four of each, because a processor handles several numbers at a time if
/// none depends on another.
private struct Totals {
    var sum: Double
    var minimum: Double
    var maximum: Double

    init(_ values: Slice<UnsafeBufferPointer<Double>>) {
        var sums = SIMD4<Double>()
        var least = SIMD4(repeating: Double.infinity)
        var greatest = SIMD4(repeating: -Double.infinity)
        var index = values.startIndex
        while index + 4 <= values.endIndex {
            let four = SIMD4(values[index], values[index + 1], values[index + 2], values[index + 3])
            sums += four
            least.replace(with: four, where: four .< least)
            greatest.replace(with: four, where: four .> greatest)
            index += 4
        }
        sum = sums.sum()
        minimum = least.min()
        maximum = greatest.max()
        while index < values.endIndex {
            sum += values[index]
            minimum = Swift.min(minimum, values[index])
            maximum = Swift.max(maximum, values[index])
            index += 1
        }
    }
}
