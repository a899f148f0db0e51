package import Analytics
import Recordings
import SessionLog

/// A summary for programs: one JSON object on one line, with its keys always in the same order.
///
/// Times are ISO 8601 in UTC with milliseconds, durations are seconds, and values have the unit named beside them. Members
/// without a value are left out, except lists (`pauses`, `events`, `sensors`), which may be empty.
package enum SummaryJSON {
    /// Either part may be nil: a stored workout has no file.
    package static func line(workout: WorkoutSummary?, file: FileSummary? = nil) -> String {
        JSONText.object([("workout", workout.map(json)), ("file", file.map(json))]).text
    }

    package static func json(_ workout: WorkoutSummary) -> JSONText {
        let members: [(String, JSONText?)] = [
            ("id", .string(workout.id.uuidString)),
            ("activity", .string(workout.activity)),
            ("title", workout.labels?.title.map(JSONText.string)),
            ("notes", workout.labels?.notes.map(JSONText.string)),
            ("gear", workout.labels?.gear.map(JSONText.string)),
            ("effort", .optional(workout.labels?.effort)),
            ("tags", workout.labels.flatMap { $0.tags.isEmpty ? nil : .array($0.tags.map { .string($0) }) }),
            ("start", .date(workout.start)),
            ("end", .date(workout.end)),
            ("elapsed", .optional(workout.elapsedInSeconds)),
            ("duration", .optional(workout.durationInSeconds)),
            (
                "pauses",
                .array(workout.pauses.map { .object([("start", .date($0.start)), ("end", .date($0.end))]) })
            ),
            ("laps", .integer(workout.laps.count)),
            ("lapFigures", workout.laps.isEmpty ? nil : .array(workout.laps.map(json))),
            ("parts", workout.activities.isEmpty ? nil : .array(workout.activities.map(json))),
            (
                "events",
                .array(
                    workout.events.map {
                        .object([("type", .string($0.type)), ("start", .date($0.start)), ("end", .date($0.end))])
                    })
            ),
            (
                "statistics",
                .object(
                    workout.statistics.sorted { $0.identifier < $1.identifier }.map { ($0.identifier, json($0)) })
            ),
            ("beats", workout.beats.map(json)),
            (
                "electrocardiograms",
                workout.electrocardiograms.isEmpty ? nil : .array(workout.electrocardiograms.map(json))
            ),
            (
                "route",
                workout.route.map {
                    .object([("points", .integer($0.points)), ("distance", .optional($0.distanceInMeters))])
                }
            ),
            (
                "zones",
                workout.zones.isEmpty
                    ? nil
                    : .array(
                        workout.zones.map {
                            .object([("zone", .integer($0.zone)), ("seconds", .optional($0.seconds))])
                        })
            ),
            ("belowZones", workout.zones.isEmpty ? nil : .optional(workout.belowZonesInSeconds)),
        ]
        return .object(members + motionZones(of: workout) + origin(of: workout))
    }

    private static func motionZones(of workout: WorkoutSummary) -> [(String, JSONText?)] {
        [
            ("powerZones", workout.powerZones.map { json($0, unit: "Watts") }),
            ("belowPowerZones", workout.powerZones.map { .integer($0.below) }),
            ("paceZones", workout.speedZones.map { json($0, unit: "MetersPerSecond") }),
            ("belowPaceZones", workout.speedZones.map { .integer($0.below) }),
        ]
    }

    private static func origin(of workout: WorkoutSummary) -> [(String, JSONText?)] {
        [
            (
                "sensors",
                .array(
                    workout.sensors.map {
                        .object([("name", .string($0.name)), ("kind", $0.kind.map(JSONText.string))])
                    })
            ),
            ("source", workout.source.map(JSONText.string)),
        ]
    }

    /// - Parameter unit: The unit of the edges, as in the names of the members.
    package static func json(_ zones: SecondsInZone, unit: String) -> JSONText {
        .array(
            zones.zones.map { zone in
                .object([
                    ("zone", .integer(zone.number)), ("from\(unit)", .optional(zone.bounds.lowerBound)),
                    ("to\(unit)", .optional(zone.bounds.upperBound)), ("seconds", .integer(zone.seconds)),
                ])
            })
    }

    private static func json(_ lap: WorkoutSummary.Lap) -> JSONText {
        .object([
            ("start", .date(lap.start)), ("end", .date(lap.end)), ("duration", .optional(lap.durationInSeconds)),
            ("distance", .optional(lap.distanceInMeters)), ("averageHeartRate", .optional(lap.averageHeartRate)),
            ("maximumHeartRate", .optional(lap.maximumHeartRate)),
        ])
    }

    private static func json(_ activity: WorkoutSummary.Activity) -> JSONText {
        .object([
            ("activity", .string(activity.activity)), ("start", .date(activity.start)), ("end", .date(activity.end)),
            ("duration", .optional(activity.durationInSeconds)),
        ])
    }

    package static func json(_ statistics: WorkoutSummary.Statistics) -> JSONText {
        .object(members(of: statistics))
    }

    /// The members of the figures, for objects that have others as well.
    package static func members(of statistics: WorkoutSummary.Statistics) -> [(String, JSONText?)] {
        [
            ("unit", .string(statistics.unit)),
            ("count", statistics.count.map(JSONText.integer)),
            ("minimum", .optional(statistics.minimum)),
            ("average", .optional(statistics.average)),
            ("arithmeticMean", .optional(statistics.arithmeticMean)),
            ("maximum", .optional(statistics.maximum)),
            ("mostRecent", .optional(statistics.mostRecent)),
            ("sum", .optional(statistics.sum)),
        ]
    }

    private static func json(_ electrocardiogram: WorkoutSummary.Electrocardiogram) -> JSONText {
        .object([
            ("start", .date(electrocardiogram.start)), ("end", .date(electrocardiogram.end)),
            ("samplesPerSecond", .optional(electrocardiogram.samplesPerSecond)),
            ("voltages", .integer(electrocardiogram.voltages)),
        ])
    }

    private static func json(_ beats: BeatSummary) -> JSONText {
        .object([
            ("count", .integer(beats.count)),
            ("sdnn", .optional(beats.sdnnInMilliseconds)),
            ("rmssd", .optional(beats.rmssdInMilliseconds)),
        ])
    }

    private static func json(_ file: FileSummary) -> JSONText {
        let recording = file.recording
        let rates = recording.heartRate
        return .object([
            ("format", .string(recording.format)),
            ("records", .integer(recording.records)),
            (
                "heartRate",
                rates.count == 0
                    ? nil
                    : .object([
                        ("count", .integer(rates.count)),
                        ("minimum", .optional(rates.minimum)),
                        ("mean", .optional(rates.mean)),
                        ("maximum", .optional(rates.maximum)),
                    ])
            ),
            ("rr", file.rr.map(json)),
            ("laps", .integer(recording.laps)),
            ("sessions", .integer(recording.sessions)),
            ("workouts", recording.workouts > 1 ? .integer(recording.workouts) : nil),
            ("workout", recording.workouts > 1 ? .integer(recording.workout) : nil),
            ("elapsed", .optional(recording.elapsedInSeconds)),
            ("timer", .optional(recording.timerInSeconds)),
            (
                "warnings",
                .array(
                    recording.warnings.map {
                        .object([("byte", .integer($0.byte)), ("message", .string($0.message))])
                    })
            ),
            ("leftOut", recording.leftOut.isEmpty ? nil : .array(recording.leftOut.map { .string($0) })),
        ])
    }
}
