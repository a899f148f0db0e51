extension HealthDatabase {
    private var settingName: String { "activitySummaries" }

    /// Returns the imported summaries (of an Apple Health export) in order of their days.
    package func activityDays() throws -> [ActivityDay] {
        try decoded(setting(settingName))
    }

    /// Stores summaries. Each replaces one of the same day.
    package func saveActivityDays(_ days: [ActivityDay]) throws {
        try updateSetting(settingName) { stored in
            var byDay: [CivilDay: ActivityDay] = [:]
            for item in try decoded(stored) + days {
                if let day = item.day { byDay[day] = item }
            }
            return try JSONEncoder().encode(byDay.sorted { $0.key < $1.key }.map(\.value))
        }
    }

    private func decoded(_ data: Data?) throws -> [ActivityDay] {
        guard let data else { return [] }
        do {
            return try JSONDecoder().decode([ActivityDay].self, from: data)
        } catch {
            throw HKError.make(
                .errorDatabaseInaccessible, "The stored activity summaries cannot be read: import them again.",
                cause: error)
        }
    }
}
