import Recordings

/// The rings of a day as the store keeps them: a setting with the days in order, JSON.
struct ImportedActivityDay: Codable, Sendable, Equatable {
    struct Day: Codable, Sendable, Hashable {
        var year: Int
        var month: Int
        var day: Int
    }

    var day: Day?
    var activeEnergyInKilocalories = 0.0
    var activeEnergyGoalInKilocalories = 0.0
    var moveTimeInMinutes = 0.0
    var moveTimeGoalInMinutes = 0.0
    var exerciseTimeInMinutes = 0.0
    var exerciseTimeGoalInMinutes: Double?
    var standHours = 0.0
    var standHoursGoal: Double?
    var countsMoveTime = false
    var isPaused = false

    static let setting = "activitySummaries"

    init(_ summary: HealthActivitySummary) {
        func kilocalories(_ quantity: HealthQuantity?) -> Double {
            guard let quantity else { return 0 }
            let unit = (try? HKUnit.parse(quantity.unit)) ?? .kilocalorie()
            guard unit.isCompatible(with: .kilocalorie()) else { return 0 }
            return HKQuantity(unit: unit, doubleValue: quantity.value).doubleValue(for: .kilocalorie())
        }
        day = Day(year: summary.year, month: summary.month, day: summary.day)
        activeEnergyInKilocalories = kilocalories(summary.activeEnergyBurned)
        activeEnergyGoalInKilocalories = kilocalories(summary.activeEnergyBurnedGoal)
        moveTimeInMinutes = summary.appleMoveTimeInMinutes ?? 0
        moveTimeGoalInMinutes = summary.appleMoveTimeGoalInMinutes ?? 0
        exerciseTimeInMinutes = summary.appleExerciseTimeInMinutes ?? 0
        exerciseTimeGoalInMinutes = summary.appleExerciseTimeGoalInMinutes
        standHours = summary.appleStandHours ?? 0
        standHoursGoal = summary.appleStandHoursGoal
        countsMoveTime = moveTimeGoalInMinutes > 0 && activeEnergyGoalInKilocalories == 0
    }
}

extension HealthDatabase {
    func importedDays() throws -> [ImportedActivityDay] {
        guard let data = try setting(ImportedActivityDay.setting) else { return [] }
        return try JSONDecoder().decode([ImportedActivityDay].self, from: data)
    }

    /// Keeps days, each in the place of what was known of it.
    func add(importedDays days: [ImportedActivityDay]) throws {
        guard !days.isEmpty else { return }
        var byDay: [ImportedActivityDay.Day: ImportedActivityDay] = [:]
        for item in try importedDays() + days { if let day = item.day { byDay[day] = item } }
        let sorted = byDay.sorted { ($0.key.year, $0.key.month, $0.key.day) < ($1.key.year, $1.key.month, $1.key.day) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try setSetting(ImportedActivityDay.setting, encoder.encode(sorted.map(\.value)))
    }
}
