package import Foundation
import HealthData

/// Numbers, dates and clocks in the format of the language or of the reader's country.
extension Language {
    // MARK: Numbers

    /// Returns a number that has a decimal point in the format of this language: `12,345.6`, in German `12.345,6`. Numbers of four digits have no group
    /// mark: years and most values of workouts are read as they are.
    package func number(_ text: String) -> String {
        let sign = text.hasPrefix("-") ? "-" : ""
        let parts = text.dropFirst(sign.count).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty,
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } })
        else { return text }
        var grouped = ""
        for (index, digit) in whole.enumerated() {
            if index > 0, whole.count > 4, (whole.count - index) % 3 == 0 { grouped += groupMark }
            grouped.append(digit)
        }
        return sign + ([grouped] + parts.dropFirst().map(String.init)).joined(separator: decimalMark)
    }

    package var decimalMark: String { pattern("@decimal mark", in: numberRegion) ?? "." }

    /// The mark between thousands. Empty for a language that has none.
    package var groupMark: String { pattern("@group mark", in: numberRegion) ?? "" }

    /// Returns a heading in pieces. Long words can break between them in a narrow table.
    package func syllables(_ text: String) -> [String] {
        let hyphenated = (entries["@hyphens"]?.split(separator: " ") ?? []).reduce(text) { text, word in
            text.replacingOccurrences(
                of: word.replacingOccurrences(of: "-", with: ""),
                with: word.replacingOccurrences(of: "-", with: "\u{AD}"))
        }
        return hyphenated.split(separator: "\u{AD}").map(String.init)
    }

    // MARK: Dates and clocks

    /// Returns `09:02` or `09:02:11`, and `9:02 AM` in countries with a clock of twelve hours.
    /// - Parameter isOfOneWidth: For tables: `09:02 AM`.
    package func clock(hour: Int, minute: Int, second: Int? = nil, isOfOneWidth: Bool = false) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let rest = ":" + two(minute) + (second.map { ":" + two($0) } ?? "")
        guard pattern("@12-hour clock", in: region) == "yes" else { return two(hour) + rest }
        let twelve = (hour + 11) % 12 + 1
        let half = hour < 12 ? entries["@am"] ?? "AM" : entries["@pm"] ?? "PM"
        return (isOfOneWidth ? two(twelve) : "\(twelve)") + rest + " " + half
    }

    package enum DatePattern: String, CaseIterable, Sendable {
        /// `Sat 21 Nov 2026`.
        case day = "@day"
        /// `2026-11-21`.
        case shortDay = "@short day"
        /// `11-21`, beside days that name the year.
        case dayOfYear = "@day of year"
        /// `November 2026`.
        case month = "@month"
        /// `2026-11`.
        case shortMonth = "@short month"
    }

    package func date(_ pattern: DatePattern, year: Int, month: Int, day: Int = 1, weekday: Int = 1) -> String {
        func name(_ list: String, _ index: Int) -> String {
            let names = entries[list]?.split(separator: " ") ?? []
            return names.indices.contains(index) ? String(names[index]) : ""
        }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var text = self.pattern(pattern.rawValue, in: region) ?? "{year}-{mm}-{dd}"
        for (place, value) in [
            ("{year}", String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)"), ("{mm}", two(month)),
            ("{dd}", two(day)), ("{day}", "\(day)"), ("{weekday}", name("@weekdays", weekday - 1)),
            ("{mon}", name("@short months", month - 1)), ("{month}", name("@months", month - 1)),
        ] { text = text.replacingOccurrences(of: place, with: value) }
        return text
    }

    package func date(_ pattern: DatePattern, of date: Date, in timeZone: TimeZone) -> String {
        let parts = Calendar.gregorian(timeZone).dateComponents([.year, .month, .day, .weekday], from: date)
        return self.date(
            pattern, year: parts.year ?? 0, month: parts.month ?? 1, day: parts.day ?? 1, weekday: parts.weekday ?? 1)
    }

    /// The pattern of dates with `{year}`, `{mm}` and `{dd}`, for scripts of pages.
    package var shortDayPattern: String { pattern(DatePattern.shortDay.rawValue, in: region) ?? "{year}-{mm}-{dd}" }

    /// `Nov`.
    package func shortMonth(_ month: Int) -> String {
        let names = entries["@short months"]?.split(separator: " ") ?? []
        return names.indices.contains(month - 1) ? String(names[month - 1]) : "\(month)"
    }

    /// `Mon` to `Sun`, in the order of this language's week.
    package var weekdays: [String] {
        let names = (entries["@weekdays"]?.split(separator: " ") ?? []).map(String.init)
        return (0..<names.count).map { names[($0 + firstWeekday - 1) % names.count] }
    }
}
