import ArgumentParser
import Foundation

/// The length of statistics buckets: `15m`, `1h`, `1d`, `1w`, `1mo`, `1y`.
///
/// Days, weeks, months and years are those of the local calendar, so a day may have 23 or 25 hours. Minutes and hours
/// are counted from midnight, of every day if they divide a day evenly.
struct StatisticsInterval: ExpressibleByArgument, Equatable {
    enum Unit: String, CaseIterable {
        case minute = "m"
        case hour = "h"
        case day = "d"
        case week = "w"
        case month = "mo"
        case year = "y"
    }

    var count: Int
    var unit: Unit

    /// The maximum number of buckets: enough for every hour of a hundred years.
    static let mostBuckets = 1_000_000

    init(_ count: Int, _ unit: Unit) {
        self.count = count
        self.unit = unit
    }

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let unit = Unit(rawValue: argument.dropFirst(digits.count).lowercased()),
            let count = digits.isEmpty ? 1 : Int(digits), (1...10_000).contains(count)
        else { return nil }
        self.init(count, unit)
    }

    /// Returns the bounds of the buckets that cover the time from `start` to `end`: n + 1 dates for n buckets. The
    /// first and the last bucket are whole. Returns nil if there would be more than ``mostBuckets``.
    func bounds(from start: Date, to end: Date, _ calendar: Calendar) -> [Date]? {
        let anchor = calendar.dateInterval(of: unit.component, for: start)?.start ?? start
        if let seconds = unit.seconds {
            let step = seconds * Double(count)
            // An interval that divides a day begins anew with each day. Any other just counts on.
            if Self.secondsADay.truncatingRemainder(dividingBy: step) == 0 {
                return bounds(from: start, to: end, startingWith: anchor, step, calendar)
            }
            return bounds(from: start, to: end) {
                anchor + step * (start.timeIntervalSince(anchor) / step + $0).rounded(.down)
            }
        }
        return bounds(from: start, to: end) {
            calendar.date(byAdding: unit.component, value: Int($0) * count, to: anchor)
        }
    }

    private func bounds(from start: Date, to end: Date, _ bound: (Double) -> Date?) -> [Date]? {
        var bounds: [Date] = []
        while bounds.count <= Self.mostBuckets, let next = bound(Double(bounds.count)) {
            bounds.append(next)
            if next >= end, bounds.count > 1 { return bounds }
        }
        return nil
    }

    /// Returns the bounds of buckets of minutes or hours. Those up to an hour follow elapsed time: the hour that occurs
    /// twice when clocks are set back is two buckets. Longer ones follow the clock on the wall, and are longer or
    /// shorter on such days.
    private func bounds(
        from start: Date, to end: Date, startingWith midnight: Date, _ step: Double, _ calendar: Calendar
    ) -> [Date]? {
        var bounds: [Date] = []
        var day = midnight
        while let next = calendar.date(byAdding: .day, value: 1, to: day), next > day {
            for index in 0..<Int((Self.secondsADay + Self.longestClockChange) / step) {
                let seconds = step * Double(index)
                let bound = step > 3600 ? calendar.date(atSecondsOfDay: seconds, of: day) : day + seconds
                guard let bound, bound < next else { break }
                if let last = bounds.last, bound <= last { continue }
                if bound <= start { bounds = [bound] } else { bounds.append(bound) }
                if bound >= end, bounds.count > 1 { return bounds }
                if bounds.count > Self.mostBuckets { return nil }
            }
            day = next
        }
        return nil
    }

    private static let secondsADay = 86_400.0
    /// The largest clock change in seconds: no zone has set its clocks back by more within a day.
    private static let longestClockChange = 10_800.0
}

extension Calendar {
    /// Returns the moment when the clock of a day shows that time. If the time is skipped, returns the moment after.
    fileprivate func date(atSecondsOfDay seconds: Double, of day: Date) -> Date? {
        let whole = Int(seconds)
        return date(bySettingHour: whole / 3600, minute: whole / 60 % 60, second: 0, of: day)
    }
}

extension StatisticsInterval.Unit {
    /// The seconds of units that have the same length every day.
    fileprivate var seconds: Double? {
        switch self {
        case .minute: 60
        case .hour: 3_600
        case .day, .week, .month, .year: nil
        }
    }

    /// The calendar unit from whose start the buckets are counted.
    fileprivate var component: Calendar.Component {
        switch self {
        case .minute, .hour, .day: .day
        case .week: .weekOfYear
        case .month: .month
        case .year: .year
        }
    }
}
