/// The keys under which a workout's metadata keep what a person says about it: texts.
package enum LabelKey: String, CaseIterable, Sendable {
    /// HealthKit's own: what the workout is called where it comes from.
    case title = "HKWorkoutBrandName"
    case notes = "WorkoutNotes"
    /// Separated by commas.
    case tags = "WorkoutTags"
    case gear = "WorkoutGear"

    static let all = Set(allCases.map(\.rawValue))
}
