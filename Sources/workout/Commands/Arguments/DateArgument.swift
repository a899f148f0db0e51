import ArgumentParser
import Foundation
import HealthKit

/// A date on the command line: an instant, or a whole day, month or year.
struct DateArgument: Equatable {
    var start: Date
    /// The start of the next day, month or year. For an instant, the instant itself.
    var end: Date

    static let help = """
        ISO 8601 (2026-11-21, 2026-11-21T09:30, with Z or an offset), today, yesterday, now, or an age: 30m, 12h, 7d, 2w, \
        6mo, 1y.
        """

    /// Parses a date. One without a time zone is local.
    static func parse(_ text: String, now: Date = Date(), timeZone: TimeZone = .current) throws -> DateArgument {
        let calendar = Calendar.gregorian(timeZone)
        let text = text.trimmingCharacters(in: .whitespaces).lowercased()
        switch text {
        case "now": return DateArgument(start: now, end: now)
        case "today": return try calendar.whole(.day, of: now)
        case "yesterday": return try calendar.whole(.day, of: try calendar.ago(1, .day, now))
        default: return try ago(text, now: now, calendar) ?? written(text, calendar)
        }
    }

    /// Parses a time before now: `7d` is the whole day seven days ago, `12h` the instant twelve hours ago.
    private static func ago(_ text: String, now: Date, _ calendar: Calendar) throws -> DateArgument? {
        guard let match = text.wholeMatch(of: #/([0-9]{1,5})(m|min|h|d|w|mo|y)/#), let count = Int(match.1) else {
            return nil
        }
        switch match.2 {
        case "m", "min", "h":
            let instant = now.addingTimeInterval(-Double(count) * (match.2 == "h" ? 3_600 : 60))
            return DateArgument(start: instant, end: instant)
        case "d": return try calendar.whole(.day, of: calendar.ago(count, .day, now))
        case "w": return try calendar.whole(.day, of: calendar.ago(7 * count, .day, now))
        case "mo": return try calendar.whole(.day, of: calendar.ago(count, .month, now))
        default: return try calendar.whole(.day, of: calendar.ago(count, .year, now))
        }
    }

    private static func written(_ text: String, _ calendar: Calendar) throws -> DateArgument {
        let pattern =
            #/
            (?<year>[0-9]{4}) (?:-(?<month>[0-9]{2}) (?:-(?<day>[0-9]{2})
            (?:[t\x20](?<hour>[0-9]{2}):(?<minute>[0-9]{2})(?::(?<second>[0-9]{2})(?<fraction>[.,][0-9]{1,9})?)?
            (?<zone>z|[+\-][0-9]{2}:?[0-9]{2})?)?)?)?
            /#
        guard let match = text.wholeMatch(of: pattern) else {
            throw ValidationError("Write a date as \(help)")
        }
        func number(_ text: Substring??) -> Int? { text.flatMap { $0 }.flatMap { Int($0) } }
        var calendar = calendar
        if let zone = match.zone {
            guard let offset = TimeZone(isoOffset: zone) else {
                throw ValidationError("Unknown time zone \(zone).")
            }
            calendar.timeZone = offset
        }
        var parts = DateComponents(
            year: number(match.year), month: number(match.month) ?? 1, day: number(match.day) ?? 1)
        (parts.hour, parts.minute, parts.second) = (number(match.hour), number(match.minute), number(match.second))
        guard let date = calendar.date(from: parts), (parts.hour ?? 0) < 24, (parts.minute ?? 0) < 60,
            (parts.second ?? 0) < 60, calendar.component(.month, from: date) == parts.month,
            calendar.component(.day, from: date) == parts.day
        else { throw ValidationError("This day or time does not exist.") }
        if parts.hour != nil {
            let fraction = match.fraction.flatMap { $0 }.flatMap { Double("0." + $0.dropFirst()) } ?? 0
            let instant = date.addingTimeInterval(fraction)
            return DateArgument(start: instant, end: instant)
        }
        return try calendar.whole(match.day != nil ? .day : match.month != nil ? .month : .year, of: date)
    }
}

/// `--from` and `--to`. A whole day counts from its first moment as `--from`, to its last as `--to`.
struct DateRangeArguments: ParsableArguments {
    @Option(help: "Start date: \(DateArgument.help)", transform: { try DateArgument.parse($0) })
    var from: DateArgument?

    @Option(help: "End date (inclusive).", transform: { try DateArgument.parse($0) })
    var to: DateArgument?

    var start: Date? { from?.start }
    var end: Date? { to?.end }

    func validate() throws {
        if let start, let end, start >= end { throw ValidationError("--from must be before --to.") }
    }
}

extension Calendar {
    fileprivate func ago(_ count: Int, _ unit: Component, _ now: Date) throws -> Date {
        guard let date = date(byAdding: unit, value: -count, to: now) else {
            throw ValidationError("This date is too long ago.")
        }
        return date
    }

    fileprivate func whole(_ unit: Component, of date: Date) throws -> DateArgument {
        guard let interval = dateInterval(of: unit, for: date) else {
            throw ValidationError("This date is out of range.")
        }
        return DateArgument(start: interval.start, end: interval.end)
    }
}

extension TimeZone {
    /// Parses `Z`, `+01:00` or `-0330`.
    fileprivate init?(isoOffset text: Substring) {
        if text.lowercased() == "z" {
            self = .gmt
            return
        }
        let digits = text.dropFirst().filter(\.isNumber)
        guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), minutes < 60, hours < 24 else {
            return nil
        }
        self.init(secondsFromGMT: (text.hasPrefix("-") ? -60 : 60) * (hours * 60 + minutes))
    }
}
