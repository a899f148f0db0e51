import HealthKit
import Reports
import StoredWorkouts

/// The form in which a sport states speed: kilometres per hour on a bicycle, minutes per hundred metres in the water,
/// minutes per kilometre on foot. Uses the units of ``DistanceUnits/current``.
enum SpeedForm: Equatable {
    case pace, swimPace, speed

    /// - Parameter activity: A case name of `HKWorkoutActivityType`.
    init(_ activity: String) {
        switch activity {
        case "cycling", "handCycling", "swimBikeRun": self = .speed
        case "swimming": self = .swimPace
        default: self = .pace
        }
    }

    /// The form for a workout as a whole: kilometres per hour if its legs have different forms.
    init(_ activity: String, legs: [String]) {
        let forms = legs.filter { $0 != "transition" }.map { SpeedForm($0) }
        self = forms.contains { $0 != forms[0] } ? .speed : SpeedForm(activity)
    }

    init(_ workout: WorkoutSummary) { self.init(workout.activity, legs: workout.activities.map(\.activity)) }

    init(_ workout: HKWorkout) {
        self.init(
            workout.workoutActivityType.caseName,
            legs: workout.namedActivities.map(\.workoutConfiguration.activityType.caseName))
    }

    /// The form for a type whose values are speeds over ground or water. Nil for others, such as the speed on stairs.
    init?(identifier: String, in activity: String) {
        switch identifier {
        case HKQuantityTypeIdentifier.runningSpeed.rawValue, HKQuantityTypeIdentifier.walkingSpeed.rawValue:
            self = .pace
        case HKQuantityTypeIdentifier.cyclingSpeed.rawValue, HKQuantityTypeIdentifier.rowingSpeed.rawValue,
            HKQuantityTypeIdentifier.paddleSportsSpeed.rawValue,
            HKQuantityTypeIdentifier.crossCountrySkiingSpeed.rawValue:
            self = .speed
        default: return nil
        }
        // Swimmers count per hundred metres, whatever measured the speed.
        if activity == "swimming" { self = .swimPace }
        // Some recordings of rides name their speed as that of a run.
        if ["cycling", "handCycling"].contains(activity) { self = .speed }
    }

    var name: String { localized(self == .speed ? "speed" : "pace") }
    var title: String { localized(self == .speed ? "Speed" : "Pace") }

    /// The metres of one unit: of a kilometre or a mile, or in the water of a hundred metres or yards.
    var metersOfUnit: Double {
        switch (DistanceUnits.current, self) {
        case (.metric, .swimPace): 100
        case (.imperial, .swimPace): 100 * DistanceUnits.metersPerYard
        case (.metric, _): 1_000
        case (.imperial, _): DistanceUnits.metersPerMile
        }
    }

    /// `/km`, `/100 yd`, `mph`.
    var unit: String {
        switch (DistanceUnits.current, self) {
        case (.metric, .pace): "/km"
        case (.imperial, .pace): "/mi"
        case (.metric, .swimPace): "/100 m"
        case (.imperial, .swimPace): "/100 yd"
        case (.metric, .speed): "km/h"
        case (.imperial, .speed): "mph"
        }
    }

    /// `5:30 /km`, `1:52 /100 m`, `25.2 km/h`.
    func text(_ metersPerSecond: Double) -> String {
        guard self != .speed else { return MetricFormat.speed(metersPerSecond) }
        // A speed may be a hair off the pace of whole seconds that it stands for.
        let seconds = metersPerSecond > 0 ? 1000 / metersPerSecond + 0.0005 : 0
        return self == .pace ? MetricFormat.pace(seconds) : MetricFormat.swimPace(seconds / 1000)
    }

    func text(of meters: Double, in seconds: Double) -> String {
        switch self {
        case .pace: MetricFormat.pace(seconds / meters * 1_000)
        case .swimPace: MetricFormat.swimPace(seconds / meters)
        case .speed: MetricFormat.speed(meters / seconds)
        }
    }

    /// Returns the least, the mean and the greatest speed that exist, followed by the unit once. Nil for the pace of
    /// a workout without any movement.
    func text(least: Double?, mean: Double?, greatest: Double?) -> String? {
        guard self == .speed || greatest ?? mean ?? least ?? 1 > 0 else { return nil }
        let labels = self == .speed ? ["min", "avg", "max"] : ["slowest", "avg", "fastest"]
        let texts = zip(labels, [least, mean, greatest]).compactMap { label, value in
            value.map { (localized(label), text($0)) }
        }
        guard let unit = texts.first?.1.split(separator: " ", maxSplits: 1).last else { return nil }
        let values = texts.map { label, text in "\(label) \(text.prefix { $0 != " " })" }
        return values.joined(separator: "  ") + " \(unit)"
    }
}
