import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts

/// Stored workouts, one per line.
struct WorkoutListing {
    var workouts: [HKWorkout]
    /// The best efforts of all history. Nil if the user did not ask for records.
    var best: BestEfforts?

    /// The least length of an ID shown, so that one copied yesterday still names one workout tomorrow.
    static let shortestID = 8

    func lines(_ page: Page) -> [String] {
        let length = idLength
        let zone = page.zoneName(ofAll: workouts.lazy.map { ($0.startDate, $0.timeZone) })
        let records = workouts.map { best?.records(heldBy: $0.uuid).recordText ?? "" }
        let hasRecords = records.contains { !$0.isEmpty }
        let haveTags = workouts.contains { !$0.labels.tags.isEmpty }
        var table = ColumnTable(columns: [
            .init(title: "id"), .init(title: localized("start") + (zone.map { " " + $0 } ?? "")),
            .init(title: localized("title")),
            .init(title: localized("activity")), .init(title: localized("duration"), isNumber: true),
            .init(title: localized("distance"), isNumber: true), .init(title: localized("avg bpm"), isNumber: true),
            .init(title: localized("energy"), isNumber: true),
        ])
        if hasRecords { table.columns.append(.init(title: localized("record"))) }
        table.columns.append(.init(title: localized("source")))
        if haveTags { table.columns.append(.init(title: localized("tags"))) }
        table.rows = zip(workouts, records).map { workout, record in
            var values = [
                String(workout.uuid.uuidString.prefix(length)),
                page.at(workout.timeZone).minute(workout.startDate, showsZone: zone == nil),
                WorkoutTitle.of(workout, page.timeZone), ActivityTitle.of(workout.workoutActivityType.caseName),
                MetricFormat.time(workout.duration), workout.metersCovered.map(MetricFormat.distance) ?? "",
                workout.averageHeartRate.map { MetricFormat.fixed($0, 0) } ?? "",
                workout.energyInKilocalories.map(MetricFormat.energy) ?? "",
            ]
            if hasRecords { values.append(record) }
            values += [workout.deviceName, workout.labels.tags.joined(separator: ", ")]
            return .values(values)
        }
        return table.lines(page)
    }

    /// One object per workout.
    var jsonLines: [String] {
        workouts.map { workout in
            let labels = workout.labels
            return JSONText.object([
                ("id", .string(workout.uuid.uuidString)),
                ("title", .string(WorkoutTitle.of(workout, .autoupdatingCurrent))),
                ("notes", labels.notes.map(JSONText.string)), ("gear", labels.gear.map(JSONText.string)),
                ("tags", .array(labels.tags.map { .string($0) })),
                ("activity", .string(workout.workoutActivityType.caseName)),
                ("start", .date(workout.startDate)), ("end", .date(workout.endDate)),
                ("elapsed", .optional(workout.endDate.timeIntervalSince(workout.startDate))),
                ("duration", .optional(workout.duration)),
                ("distanceInMeters", .optional(workout.metersCovered)),
                ("averageHeartRate", .optional(workout.averageHeartRate)),
                ("energyInKilocalories", .optional(workout.energyInKilocalories)),
                ("device", .string(workout.deviceName)),
                ("source", SampleReport.json(workout.sourceRevision)),
                ("records", best.map { .array($0.records(heldBy: workout.uuid).map(\.json)) }),
            ]).text
        }
    }

    /// The length at which all of these differ.
    private var idLength: Int {
        let ids = workouts.map(\.uuid.uuidString).sorted()
        let common = zip(ids, ids.dropFirst()).map { zip($0, $1).prefix { $0 == $1 }.count }
        return max(Self.shortestID, (common.max() ?? 0) + 1)
    }
}
