public import Foundation
public import SessionLog

/// A workout of an Apple Health export, in the form of old systems (totals as attributes) or new ones (statistics and
/// activities), whichever the file has.
public struct HealthWorkout: Sendable, Equatable {
    /// Such as `HKWorkoutActivityTypeRunning`.
    public var activityType: String
    /// Without pauses.
    public var duration: HealthQuantity?
    /// Of old systems; newer ones have it among ``statistics``.
    public var totalDistance: HealthQuantity?
    /// Active energy, of old systems; newer ones have it among ``statistics``.
    public var totalEnergyBurned: HealthQuantity?
    /// Who saved the workout.
    public var source: HealthSource
    /// An instant.
    public var startDate: Date
    /// Pauses included.
    public var endDate: Date
    /// When it came into the store of the phone; nil where the export does not say.
    public var creationDate: Date?
    /// Newer systems write each entry twice.
    public var metadata = HealthMetadata.none
    /// Those of the workout itself. Those that lie within an activity are repeated there.
    public var events: [HealthWorkoutEvent] = []
    /// Of the whole workout, by type; empty in exports of old systems.
    public var statistics: [HealthWorkoutStatistics] = []
    /// The parts; one for a workout of one sport, none in exports of old systems.
    public var activities: [HealthWorkoutActivity] = []
    /// Mostly one; the points of new exports are in files of their own.
    public var routes: [HealthWorkoutRoute] = []
    /// Where the workout begins in the XML, in bytes.
    public var byte = 0

    /// Names the workout by its type, source and dates, so that a later export, by a system that writes more about it,
    /// gives the same.
    public var fingerprint: HealthFingerprint {
        var print = HealthFingerprint()
        print.combine("Workout")
        print.combine(activityType)
        print.combine(source)
        print.combine(startDate)
        print.combine(endDate)
        return print
    }
}

/// A number with its unit, as the export writes it.
public struct HealthQuantity: Sendable, Hashable {
    /// In ``unit``.
    public var value: Double
    /// Such as `min`, `km` or `Cal`; empty where the export names none.
    public var unit: String

    /// - Parameter unit: As the export writes it; empty for none.
    public init(value: Double, unit: String) {
        self.value = value
        self.unit = unit
    }

    /// Reads a metadata value such as `56 degF`, `6400 %` or `1.5`; nil for a text that does not begin with a number.
    public init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard let first = parts.first, let value = XMLNumber.value(of: String(first)) else { return nil }
        self.init(value: value, unit: parts.count == 2 ? String(parts[1]) : "")
    }
}

/// A lap, a segment, a pause … of a workout.
public struct HealthWorkoutEvent: Sendable, Equatable {
    /// Such as `HKWorkoutEventTypeLap`.
    public var type: String
    /// An instant.
    public var startDate: Date
    /// Zero for an instant.
    public var durationInSeconds: Double
    /// ``HealthMetadata/none`` where there is none.
    public var metadata = HealthMetadata.none

    /// The start, and the duration after it.
    public var endDate: Date { startDate + durationInSeconds }

    /// The kind that `type` names; nil for one that this package does not know.
    public var kind: EventRecord.Kind? {
        let prefix = "HKWorkoutEventType"
        guard type.hasPrefix(prefix) else { return nil }
        let name = type.dropFirst(prefix.count)
        return EventRecord.Kind(rawValue: name.prefix(1).lowercased() + name.dropFirst())
    }
}

/// What a workout, or an activity of it, says of one quantity type. Which numbers there are depends on the type.
public struct HealthWorkoutStatistics: Sendable, Equatable {
    /// The identifier of the type, such as `HKQuantityTypeIdentifierHeartRate`.
    public var type: String
    /// Nil where the export does not say.
    public var startDate: Date?
    /// Nil where the export does not say.
    public var endDate: Date?
    /// In `unit`, as the other numbers.
    public var average: Double?
    /// In `unit`; of discrete types only.
    public var minimum: Double?
    /// In `unit`; of discrete types only.
    public var maximum: Double?
    /// In `unit`; of cumulative types only.
    public var sum: Double?
    /// As the export writes it; nil where it names none.
    public var unit: String?
}

/// A part of a workout: one sport of several, or the whole of a workout of one sport.
public struct HealthWorkoutActivity: Sendable, Equatable {
    /// Nil where the export does not say.
    public var uuid: UUID?
    /// Nil in the exports known so far, which do not write it.
    public var activityType: String?
    /// An instant.
    public var startDate: Date
    /// Nil where the export does not say.
    public var endDate: Date?
    /// Without pauses; nil where the export does not say.
    public var duration: HealthQuantity?
    /// ``HealthMetadata/none`` where there is none.
    public var metadata = HealthMetadata.none
    /// Those that lie within the activity.
    public var events: [HealthWorkoutEvent] = []
    /// Of the activity alone, by type.
    public var statistics: [HealthWorkoutStatistics] = []
}

/// The route of a workout: in newer exports a file beside the XML, in older ones the points themselves.
public struct HealthWorkoutRoute: Sendable, Equatable {
    /// Who saved the route.
    public var source: HealthSource
    /// Nil where the export does not say.
    public var startDate: Date?
    /// Nil where the export does not say.
    public var endDate: Date?
    /// When it came into the store of the phone; nil where the export does not say.
    public var creationDate: Date?
    /// ``HealthMetadata/none`` where there is none.
    public var metadata = HealthMetadata.none
    /// What `HealthExport.routeFile(at:)` takes, such as `/workout-routes/route_2019-06-11_3.00pm.gpx`.
    public var files: [String] = []
    /// Of older exports, which have them in the XML; else empty.
    public var points: [HealthRoutePoint] = []
}

/// Where the wearer was, and when.
public struct HealthRoutePoint: Sendable, Equatable {
    /// When the wearer was there.
    public var date: Date
    /// With the accuracies, course and speed that the export has.
    public var position: PositionReading

    /// - Parameter position: On WGS 84.
    public init(date: Date, position: PositionReading) {
        self.date = date
        self.position = position
    }
}
