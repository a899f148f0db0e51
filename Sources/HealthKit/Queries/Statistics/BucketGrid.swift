/// Time divided into intervals of the same calendar length, without gaps, in both directions from an anchor.
///
/// A day has 23 or 25 hours if the clocks change, and months differ in length. Bounds are counted from the anchor
/// itself, so that months from the 31st do not creep to the 28th.
package struct BucketGrid: Sendable {
    /// The maximum number of buckets. More are refused, because their bounds would fill the memory.
    package static let bucketLimit = 20_000_000

    private let anchor: Date
    private let components: DateComponents
    private let calendar: Calendar
    /// The length in seconds if all buckets have the same: if the interval has no unit longer than an hour.
    private let fixedSeconds: TimeInterval?
    /// The approximate length of a bucket.
    private let typicalSeconds: TimeInterval

    /// Creates a grid with the components' own calendar and time zone, or else the current ones. Returns nil if the
    /// components are not positive.
    package init?(anchor: Date, components: DateComponents) {
        var calendar = components.calendar ?? Calendar.current
        if let zone = components.timeZone { calendar.timeZone = zone }
        var step = components
        step.calendar = nil
        step.timeZone = nil
        self.anchor = anchor
        self.calendar = calendar
        self.components = step
        fixedSeconds = step.fixedSeconds
        guard let end = fixedSeconds.map(anchor.addingTimeInterval) ?? calendar.date(byAdding: step, to: anchor),
            end > anchor
        else { return nil }
        typicalSeconds = end.timeIntervalSince(anchor)
    }

    /// Returns the start of a bucket. The one that starts at the anchor has number 0.
    package func start(_ index: Int) -> Date {
        if let fixedSeconds { return anchor.addingTimeInterval(Double(index) * fixedSeconds) }
        let step = components.multiplied(by: index)
        return calendar.date(byAdding: step, to: anchor)
            ?? anchor.addingTimeInterval(Double(index) * typicalSeconds)
    }

    /// Returns the number of the bucket that contains a date. A bound belongs to the bucket that it begins.
    package func index(of date: Date) -> Int {
        var index = estimate(date.timeIntervalSince(anchor))
        if fixedSeconds == nil {
            // Leap days and clock changes add up: correct the number until the difference is less than a bucket.
            for _ in 0..<8 {
                let rest = estimate(date.timeIntervalSince(start(index)))
                if rest == 0 { break }
                index += rest
            }
        }
        while start(index) > date { index -= 1 }
        while start(index + 1) <= date { index += 1 }
        return index
    }

    private func estimate(_ seconds: TimeInterval) -> Int {
        Int((seconds / typicalSeconds).rounded(.down).clamped(to: -1e12...1e12))
    }

    /// Returns the bounds of all buckets that overlap a range, including its last moment.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if there are too many.
    package func bounds(covering range: ClosedRange<Date>) throws -> [Date] {
        let first = index(of: range.lowerBound)
        let last = index(of: range.upperBound)
        guard last - first < Self.bucketLimit else {
            throw HKError.make(
                .errorInvalidArgument,
                "The samples from \(range.lowerBound) to \(range.upperBound) make \(last - first + 1) intervals: choose longer ones or a narrower predicate."
            )
        }
        return (first...(last + 1)).map(start)
    }
}

extension BucketGrid {
    /// Returns the bounds of all buckets that overlap any of the ranges, adjacent ones in one list.
    /// - Parameter ranges: The ranges in order of their lower bounds.
    package func bounds(touchedBy ranges: [ClosedRange<Date>]) throws -> [[Date]] {
        var parts: [[Date]] = []
        for range in ranges {
            if let first = parts.last?.first, let last = parts.last?.last, range.lowerBound <= last {
                guard range.upperBound >= last else { continue }
                parts[parts.count - 1] = try bounds(covering: first...range.upperBound)
            } else {
                parts.append(try bounds(covering: range))
            }
        }
        return parts
    }
}

extension DateComponents {
    /// The length in seconds. Nil if it contains days or longer units.
    fileprivate var fixedSeconds: TimeInterval? {
        let days = [day, weekday, weekdayOrdinal, weekOfMonth, weekOfYear]
        let longer = days + [month, quarter, year, yearForWeekOfYear, era]
        guard longer.allSatisfy({ $0 == nil || $0 == 0 }) else { return nil }
        let seconds = Double(hour ?? 0) * 3600 + Double(minute ?? 0) * 60 + Double(second ?? 0)
        return seconds + Double(nanosecond ?? 0) * 1e-9
    }

    fileprivate func multiplied(by factor: Int) -> DateComponents {
        func times(_ value: Int?) -> Int? { value.map { $0 &* factor } }
        return DateComponents(
            era: times(era), year: times(year), month: times(month), day: times(day), hour: times(hour),
            minute: times(minute), second: times(second), nanosecond: times(nanosecond), weekday: times(weekday),
            weekdayOrdinal: times(weekdayOrdinal), quarter: times(quarter), weekOfMonth: times(weekOfMonth),
            weekOfYear: times(weekOfYear), yearForWeekOfYear: times(yearForWeekOfYear))
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
