/// What an activity summary says of a day, as it is stored.
package struct ActivityDay: Hashable, Sendable, Codable {
    /// Nil for one that an app made.
    package var day: CivilDay?
    package var activeEnergyInKilocalories = 0.0
    package var activeEnergyGoalInKilocalories = 0.0
    package var moveTimeInMinutes = 0.0
    package var moveTimeGoalInMinutes = 0.0
    package var exerciseTimeInMinutes = 0.0
    package var exerciseTimeGoalInMinutes: Double?
    package var standHours = 0.0
    package var standHoursGoal: Double?
    package var countsMoveTime = false
    package var isPaused = false

    package init(day: CivilDay? = nil) {
        self.day = day
    }
}

/// A day of the Gregorian calendar, wherever it is.
package struct CivilDay: Hashable, Sendable, Codable, Comparable {
    package var year: Int
    package var month: Int
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day of components that name one; their calendar counts, the Gregorian one when there is none.
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

    /// The day that a moment is in, in a time zone.
    package init(_ date: Date, in zone: TimeZone) {
        let parts = Self.gregorian(zone).dateComponents([.year, .month, .day], from: date)
        self.init(year: parts.year ?? 1, month: parts.month ?? 1, day: parts.day ?? 1)
    }

    package func components(in calendar: Calendar) -> DateComponents {
        guard
            let noon = Self.gregorian(calendar.timeZone).date(
                from: DateComponents(year: year, month: month, day: day, hour: 12))
        else { return DateComponents(calendar: calendar) }
        var components = calendar.dateComponents([.era, .year, .month, .day], from: noon)
        components.calendar = calendar
        return components
    }

    private static func gregorian(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    package static func < (a: Self, b: Self) -> Bool {
        (a.year, a.month, a.day) < (b.year, b.month, b.day)
    }
}
