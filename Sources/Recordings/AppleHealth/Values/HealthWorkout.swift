public import Foundation

/// A workout of an Apple Health export, in the form of old systems (totals as attributes) or new ones (statistics and
/// activities), whichever the file has.
public struct HealthWorkout: Sendable, Equatable {
    /// Such as `HKWorkoutActivityTypeRunning`.
    public var activityType: String
    /// Without pauses.
    public var duration: HealthQuantity?
    public var totalDistance: HealthQuantity?
    public var totalEnergyBurned: HealthQuantity?
    public var source: HealthSource
    public var startDate: Date
    public var endDate: Date
    public var creationDate: Date?
    /// Newer systems write each entry twice.
    public var metadata = HealthMetadata.none
    /// Those of the workout itself. Those that lie within an activity are repeated there.
    public var events: [HealthWorkoutEvent] = []
    public var statistics: [HealthWorkoutStatistics] = []
    public var activities: [HealthWorkoutActivity] = []
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
    public var value: Double
    /// Such as `min`, `km` or `Cal`; empty where the export names none.
    public var unit: String

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
    public var startDate: Date
    /// Zero for an instant.
    public var durationInSeconds: Double
    public var metadata = HealthMetadata.none

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
    public var type: String
    public var startDate: Date?
    public var endDate: Date?
    /// In `unit`, as the other numbers.
    public var average: Double?
    public var minimum: Double?
    public var maximum: Double?
    public var sum: Double?
    public var unit: String?
}

/// A part of a workout: one sport of several, or the whole of a workout of one sport.
public struct HealthWorkoutActivity: Sendable, Equatable {
    public var uuid: UUID?
    /// Nil in the exports known so far, which do not write it.
    public var activityType: String?
    public var startDate: Date
    public var endDate: Date?
    public var duration: HealthQuantity?
    public var metadata = HealthMetadata.none
    public var events: [HealthWorkoutEvent] = []
    public var statistics: [HealthWorkoutStatistics] = []
}

/// The route of a workout: in newer exports a file beside the XML, in older ones the points themselves.
public struct HealthWorkoutRoute: Sendable, Equatable {
    public var source: HealthSource
    public var startDate: Date?
    public var endDate: Date?
    public var creationDate: Date?
    public var metadata = HealthMetadata.none
    /// What `HealthExport.routeFile(at:)` takes, such as `/workout-routes/route_2019-06-11_3.00pm.gpx`.
    public var files: [String] = []
    public var points: [HealthRoutePoint] = []
}

/// Where the wearer was, and when.
public struct HealthRoutePoint: Sendable, Equatable {
    public var date: Date
    public var position: PositionReading

    public init(date: Date, position: PositionReading) {
        self.date = date
        self.position = position
    }
}
