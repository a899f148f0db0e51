extension HealthDatabase {
    private var settingName: String { "activitySummaries" }

    /// Summaries that came from elsewhere (an Apple Health export), in order of their days.
    package func activityDays() throws -> [ActivityDay] {
        guard let data = try setting(settingName) else { return [] }
        do {
            return try JSONDecoder().decode([ActivityDay].self, from: data)
        } catch {
            throw HKError.make(
                .errorDatabaseInaccessible, "The stored activity summaries cannot be read: import them again.",
                cause: error)
        }
    }

    /// Keeps summaries, each in the place of one of the same day.
    package func saveActivityDays(_ days: [ActivityDay]) throws {
        var byDay: [CivilDay: ActivityDay] = [:]
        for item in try activityDays() + days {
            if let day = item.day { byDay[day] = item }
        }
        let sorted = byDay.sorted { $0.key < $1.key }.map(\.value)
        try setSetting(settingName, JSONEncoder().encode(sorted))
    }
}
