import Foundation
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// The title of a workout: the one that the user gave it, or the time of day and the activity.
enum WorkoutTitle {
    /// - Parameter timeZone: The zone for workouts that do not record where they were.
    static func of(_ workout: HKWorkout, _ timeZone: TimeZone) -> String {
        of(workout.labels, workout.workoutActivityType.caseName, workout.startDate, workout.timeZone ?? timeZone)
    }

    static func of(_ labels: WorkoutLabels, _ activity: String, _ start: Date, _ timeZone: TimeZone) -> String {
        labels.title ?? localized(timeOfDay(start, timeZone), noun(activity))
    }

    /// Morning from 5, afternoon from 12, evening from 17, night from 22.
    private static func timeOfDay(_ date: Date, _ timeZone: TimeZone) -> String {
        switch Calendar.gregorian(timeZone).component(.hour, from: date) {
        case 5..<12: "Morning %1"
        case 12..<17: "Afternoon %1"
        case 17..<22: "Evening %1"
        default: "Night %1"
        }
    }

    private static func noun(_ activity: String) -> String {
        switch activity {
        case "running": localized("Run")
        case "cycling": localized("Ride")
        case "walking": localized("Walk")
        case "swimming": localized("Swim")
        case "hiking": localized("Hike")
        case "rowing": localized("Row")
        case "swimBikeRun": localized("Multisport")
        case "other": localized("Workout")
        default:
            // English titles have capitals throughout.
            Language.current.tag != "en"
                ? ActivityTitle.of(activity)
                : ActivityTitle.words(activity).split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }
                    .joined(separator: " ")
        }
    }
}

extension WorkoutSummary {
    /// Returns the title for a page: that of the list if it is stored, or else its activity.
    /// - Parameter timeZone: The zone for workouts that do not record where they were.
    func title(_ timeZone: TimeZone) -> String {
        labels.map { WorkoutTitle.of($0, activity, start, self.timeZone ?? timeZone) } ?? ActivityTitle.of(activity)
    }
}
