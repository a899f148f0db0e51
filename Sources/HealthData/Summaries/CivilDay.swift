/// A day of the Gregorian calendar, independent of a time zone.
package struct CivilDay: Hashable, Sendable, Codable, Comparable {
    package var year: Int
    package var month: Int
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates a day from a user or a file. Returns nil for a day that does not exist, and outside the years 1800 …
    /// 9999.
    package init?(stated year: Int, _ month: Int, _ day: Int) {
        let date = DateComponents(calendar: .gregorian(.gmt), year: year, month: month, day: day)
        guard (1800...9999).contains(year), date.isValidDate else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Creates a day from `YYYY-MM-DD`. Returns nil as above.
    package init?(stated text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4 else { return nil }
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == 3 else { return nil }
        self.init(stated: numbers[0], numbers[1], numbers[2])
    }

    /// Creates the day of date components. They use their own calendar, or the Gregorian one if they have none.
    package init?(_ components: DateComponents) {
        let calendar = components.calendar ?? Calendar(identifier: .gregorian)
        var wanted = DateComponents(
            era: components.era, year: components.year, month: components.month, day: components.day)
        wanted.hour = 12
        guard components.year != nil, components.month != nil, components.day != nil,
            let noon = calendar.date(from: wanted)
        else { return nil }
        self.init(noon, in: calendar.timeZone)
    }

    /// Creates the day of a moment in a time zone.
    package init(_ date: Date, in zone: TimeZone) {
        let parts = Calendar.gregorian(zone).dateComponents([.year, .month, .day], from: date)
        self.init(year: parts.year ?? 1, month: parts.month ?? 1, day: parts.day ?? 1)
    }

    package func components(in calendar: Calendar) -> DateComponents {
        guard
            let noon = Calendar.gregorian(calendar.timeZone).date(
                from: DateComponents(year: year, month: month, day: day, hour: 12))
        else { return DateComponents(calendar: calendar) }
        var components = calendar.dateComponents([.era, .year, .month, .day], from: noon)
        components.calendar = calendar
        return components
    }

    /// Returns the whole years from this day to a date in UTC, or nil for a date before it.
    package func years(to date: Date) -> Double? {
        let calendar = Calendar.gregorian(.gmt)
        guard let birth = calendar.date(from: DateComponents(year: year, month: month, day: day)), date >= birth else {
            return nil
        }
        return calendar.dateComponents([.year], from: birth, to: date).year.map(Double.init)
    }

    package static func < (a: Self, b: Self) -> Bool {
        (a.year, a.month, a.day) < (b.year, b.month, b.day)
    }
}

extension CivilDay: CustomStringConvertible {
    /// `YYYY-MM-DD`.
    package var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

extension Calendar {
    /// Returns the Gregorian calendar in a time zone. Weeks begin on Monday, as in ISO 8601.
    package static func gregorian(_ timeZone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        calendar.firstWeekday = 2
        calendar.minimumDaysInFirstWeek = 4
        return calendar
    }
}
