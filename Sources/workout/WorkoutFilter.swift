import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts

/// Selects stored workouts for `list`, `export` and `browse`. All conditions have to hold. One that is nil or empty
/// holds for every workout.
struct WorkoutFilter: Equatable {
    var ids: Set<UUID>?
    /// Workouts that begin at `start` or later, and before `end`.
    var start: Date?
    var end: Date?
    var activity: HKWorkoutActivityType?
    /// Words that must all occur in the title, the notes, the tags, the gear, the activity or the device, in any case.
    var text = ""
    /// Tags that the workout must all have.
    var tags: [String] = []
    /// The distance in meters. A workout without one matches no range.
    var distance: ClosedRange<Double>?
    /// The duration in seconds, without pauses.
    var duration: ClosedRange<Double>?
    /// A part of the name of the recording device.
    var device = ""
    /// The time zone for titles that contain the time of day.
    var timeZone = TimeZone.autoupdatingCurrent

    /// Whether it selects every workout.
    var isEmpty: Bool { self == WorkoutFilter(timeZone: timeZone) }

    func matches(_ workout: HKWorkout) -> Bool {
        if let ids, !ids.contains(workout.uuid) { return false }
        if let start, workout.startDate < start { return false }
        if let end, workout.startDate >= end { return false }
        if let activity, workout.workoutActivityType != activity { return false }
        if let distance, !(workout.metersCovered.map(distance.contains) ?? false) { return false }
        if let duration, !duration.contains(workout.duration) { return false }
        if !device.isEmpty, !workout.deviceName.lowercased().contains(device.lowercased()) { return false }
        let labels = workout.labels
        let own = labels.tags.map { $0.lowercased() }
        guard tags.allSatisfy({ own.contains($0.lowercased()) }) else { return false }
        guard !text.isEmpty else { return true }
        let all = [
            WorkoutTitle.of(workout, timeZone), labels.notes ?? "", labels.tags.joined(separator: " "),
            labels.gear ?? "",
            ActivityTitle.words(workout.workoutActivityType.caseName), workout.deviceName,
        ].joined(separator: "\n").lowercased()
        return text.lowercased().split(separator: " ").allSatisfy { all.contains($0) }
    }

    /// The conditions that the store can check. ``matches(_:)`` checks the rest.
    var stored: SampleFilter {
        var conditions = SampleFilter.begins(from: start, to: end)
        if let ids { conditions.append(.ids(ids)) }
        if let activity { conditions.append(.workoutActivityType(.equal, activity.rawValue)) }
        return .and(conditions)
    }

    /// Whether the store can check all conditions.
    var isDecidedByStore: Bool {
        text.isEmpty && tags.isEmpty && distance == nil && duration == nil && device.isEmpty
    }
}

extension HKWorkout {
    /// The device that recorded the workout, or else the app that saved it.
    var deviceName: String {
        device.flatMap { $0.name ?? $0.model ?? $0.manufacturer } ?? sourceRevision.source.name
    }
}
