public import Foundation
public import SessionLog
import XML

/// A workout of an Apple Health export, in the form of the file: that of old systems (totals as attributes) or of new
/// ones (statistics and activities).
public struct HealthWorkout: Sendable, Equatable {
    /// The type, such as `HKWorkoutActivityTypeRunning`.
    public var activityType: String
    /// The duration without pauses.
    public var duration: HealthQuantity?
    /// The distance, in exports of old systems. Newer ones have it in ``statistics``.
    public var totalDistance: HealthQuantity?
    /// The active energy, in exports of old systems. Newer ones have it in ``statistics``.
    public var totalEnergyBurned: HealthQuantity?
    /// The app or device that saved the workout.
    public var source: HealthSource
    /// The start.
    public var startDate: Date
    /// The end. The time from start to end includes pauses.
    public var endDate: Date
    /// When the phone stored it. Nil if the export does not state it.
    public var creationDate: Date?
    /// The metadata. Newer systems write each entry twice.
    public var metadata = HealthMetadata.none
    /// The events of the workout. Those within an activity are repeated there.
    public var events: [HealthWorkoutEvent] = []
    /// Statistics of the whole workout by type. Empty in exports of old systems.
    public var statistics: [HealthWorkoutStatistics] = []
    /// The parts: one for a workout of one sport, none in exports of old systems.
    public var activities: [HealthWorkoutActivity] = []
    /// The routes, mostly one. The points of new exports are in files of their own.
    public var routes: [HealthWorkoutRoute] = []
    /// The offset of the workout in the XML, in bytes.
    public var byte = 0

    /// Identifies the workout by its type, source and dates. So a later export from a system that writes more details
    /// gives the same fingerprint.
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
    /// The number in ``unit``.
    public var value: Double
    /// The unit, such as `min`, `km` or `Cal`. Empty if the export names none.
    public var unit: String

    /// - Parameter unit: The unit as the export writes it, empty for none.
    public init(value: Double, unit: String) {
        self.value = value
        self.unit = unit
    }

    /// Reads a metadata value such as `56 degF`, `6400 %` or `1.5`. Nil if the text does not begin with a number.
    public init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard let first = parts.first, let value = XMLNumber.value(of: String(first)) else { return nil }
        self.init(value: value, unit: parts.count == 2 ? String(parts[1]) : "")
    }
}

/// A lap, a segment, a pause or another event of a workout.
public struct HealthWorkoutEvent: Sendable, Equatable {
    /// The type, such as `HKWorkoutEventTypeLap`.
    public var type: String
    /// The start of the event.
    public var startDate: Date
    /// The duration, zero for an instant.
    public var durationInSeconds: Double
    /// The metadata, ``HealthMetadata/none`` if there are none.
    public var metadata = HealthMetadata.none

    /// The start plus the duration.
    public var endDate: Date { startDate + durationInSeconds }

    /// The kind that `type` names. Nil if this package does not know it.
    public var kind: EventRecord.Kind? {
        let prefix = "HKWorkoutEventType"
        guard type.hasPrefix(prefix) else { return nil }
        let name = type.dropFirst(prefix.count)
        return EventRecord.Kind(rawValue: name.prefix(1).lowercased() + name.dropFirst())
    }
}

/// The statistics of one quantity type for a workout or an activity. Which numbers exist depends on the type.
public struct HealthWorkoutStatistics: Sendable, Equatable {
    /// The identifier of the type, such as `HKQuantityTypeIdentifierHeartRate`.
    public var type: String
    /// The start. Nil if the export does not state it.
    public var startDate: Date?
    /// The end. Nil if the export does not state it.
    public var endDate: Date?
    /// The average in `unit`.
    public var average: Double?
    /// The minimum in `unit`, only for discrete types.
    public var minimum: Double?
    /// The maximum in `unit`, only for discrete types.
    public var maximum: Double?
    /// The sum in `unit`, only for cumulative types.
    public var sum: Double?
    /// The unit as the export writes it. Nil if it names none.
    public var unit: String?
}

/// A part of a workout: one of several sports, or the whole workout if there is only one sport.
public struct HealthWorkoutActivity: Sendable, Equatable {
    /// The UUID. Nil if the export does not state it.
    public var uuid: UUID?
    /// The type. Nil in the exports known so far, which do not write it.
    public var activityType: String?
    /// The start.
    public var startDate: Date
    /// The end. Nil if the export does not state it.
    public var endDate: Date?
    /// The duration without pauses. Nil if the export does not state it.
    public var duration: HealthQuantity?
    /// The metadata, ``HealthMetadata/none`` if there are none.
    public var metadata = HealthMetadata.none
    /// The events within the activity.
    public var events: [HealthWorkoutEvent] = []
    /// Statistics of the activity alone, by type.
    public var statistics: [HealthWorkoutStatistics] = []
}

/// The route of a workout: in newer exports a file beside the XML, in older ones the points themselves.
public struct HealthWorkoutRoute: Sendable, Equatable {
    /// The app or device that saved the route.
    public var source: HealthSource
    /// The start. Nil if the export does not state it.
    public var startDate: Date?
    /// The end. Nil if the export does not state it.
    public var endDate: Date?
    /// When the phone stored it. Nil if the export does not state it.
    public var creationDate: Date?
    /// The metadata, ``HealthMetadata/none`` if there are none.
    public var metadata = HealthMetadata.none
    /// The paths for `HealthExport.routeFile(at:)`, such as `/workout-routes/route_2019-06-11_3.00pm.gpx`.
    public var files: [String] = []
    /// The points in older exports, which have them in the XML; otherwise empty.
    public var points: [HealthRoutePoint] = []
}

/// A place of the wearer with its date.
public struct HealthRoutePoint: Sendable, Equatable {
    /// When the wearer was there.
    public var date: Date
    /// The position, with the accuracies, course and speed in the export.
    public var position: PositionReading

    /// - Parameter position: A position in WGS 84.
    public init(date: Date, position: PositionReading) {
        self.date = date
        self.position = position
    }
}
