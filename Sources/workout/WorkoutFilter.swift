import Foundation
import HealthKit
import Recordings
import SessionLog

/// Which stored workouts are meant: by `list`, `export` and `browse`. All conditions have to hold; those that are nil
/// or empty hold for every workout.
struct WorkoutFilter: Equatable {
    var ids: Set<UUID>?
    /// Workouts that begin at `start` or later, and before `end`.
    var start: Date?
    var end: Date?
    var activity: HKWorkoutActivityType?
    /// Each word of it occurs in the title, the notes, the tags, the gear, the activity or the device, in capitals or not.
    var text = ""
    /// The workout has all of them.
    var tags: [String] = []
    /// In meters; a workout without a distance has none in any range.
    var distance: ClosedRange<Double>?
    /// In seconds, without pauses.
    var duration: ClosedRange<Double>?
    /// A part of the name of the device that recorded it.
    var device = ""
    /// For titles that tell the time of day.
    var timeZone = TimeZone.autoupdatingCurrent

    /// Whether it means every workout.
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

    /// What the store can decide; ``matches(_:)`` decides the rest.
    var stored: SampleFilter {
        var conditions = SampleFilter.begins(from: start, to: end)
        if let ids { conditions.append(.ids(ids)) }
        if let activity { conditions.append(.workoutActivityType(.equal, activity.rawValue)) }
        return .and(conditions)
    }

    /// Whether the store decides all of it.
    var isDecidedByStore: Bool {
        text.isEmpty && tags.isEmpty && distance == nil && duration == nil && device.isEmpty
    }
}

extension HKWorkout {
    /// The device that recorded it, or else the app that saved it.
    var deviceName: String {
        device.flatMap { $0.name ?? $0.model ?? $0.manufacturer } ?? sourceRevision.source.name
    }
}
