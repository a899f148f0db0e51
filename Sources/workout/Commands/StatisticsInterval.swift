import ArgumentParser
import Foundation

/// How long the buckets of statistics are: `15m`, `1h`, `1d`, `1w`, `1mo`, `1y`.
///
/// Days, weeks, months and years are those of the local calendar, so a day may have 23 or 25 hours; minutes and hours are
/// counted on from midnight.
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

    /// No more buckets than this: enough for every hour of a hundred years.
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

    /// Where the buckets that cover the time from `start` to `end` begin and end: n + 1 dates for n buckets. The first and
    /// the last are whole ones. Nil when there would be more than ``mostBuckets``.
    func bounds(from start: Date, to end: Date, _ calendar: Calendar) -> [Date]? {
        let anchor = calendar.dateInterval(of: unit.component, for: start)?.start ?? start
        var bounds: [Date] = []
        var index = unit.seconds.map { Int(start.timeIntervalSince(anchor) / ($0 * Double(count))) } ?? 0
        while true {
            guard let bound = bound(index, after: anchor, calendar), bounds.count <= Self.mostBuckets else {
                return nil
            }
            bounds.append(bound)
            if bound >= end, bounds.count > 1 { return bounds }
            index += 1
        }
    }

    private func bound(_ index: Int, after anchor: Date, _ calendar: Calendar) -> Date? {
        if let seconds = unit.seconds { return anchor.addingTimeInterval(seconds * Double(index * count)) }
        return calendar.date(byAdding: unit.component, value: index * count, to: anchor)
    }
}

extension StatisticsInterval.Unit {
    /// Of the units that every day has alike.
    fileprivate var seconds: Double? {
        switch self {
        case .minute: 60
        case .hour: 3_600
        case .day, .week, .month, .year: nil
        }
    }

    /// What the buckets are counted on from the beginning of.
    fileprivate var component: Calendar.Component {
        switch self {
        case .minute, .hour, .day: .day
        case .week: .weekOfYear
        case .month: .month
        case .year: .year
        }
    }
}
