public import Foundation
package import SessionLog

/// An activity of a workout: a leg of a multisport workout, or an interval. A workout without any has one of its whole length.
// Sendable holds: the stored properties are `let`s of immutable values, and the configuration never changes after init.
public final class HKWorkoutActivity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The identifier. It is stable, even for the single activity of a workout without any.
    public let uuid: UUID
    /// The start, not before the workout's start.
    public let startDate: Date
    /// The end. Nil while the activity is in progress.
    public let endDate: Date?
    /// The metadata. Nil if there is none.
    public let metadata: [String: Any]?
    /// The workout's events that overlap the activity, in order of time.
    public let workoutEvents: [HKWorkoutEvent]
    /// The statistics of the activity, by quantity type.
    public let allStatistics: [HKQuantityType: HKStatistics]
    /// The zones of heart rate and cycling power, and the time in each during the activity. Nil if none were known.
    public let zoneGroupsByType: [HKQuantityType: HKWorkoutZoneGroup]?

    private let configuration: HKWorkoutConfiguration
    package let measuredDuration: TimeInterval?

    /// Creates an activity for a workout builder. Traps if it ends before it starts, and if metadata contains a value
    /// that is no `String`, number, `Date` or `HKQuantity`.
    public convenience init(
        workoutConfiguration: HKWorkoutConfiguration, start startDate: Date, end endDate: Date?,
        metadata: [String: Any]?
    ) {
        raising(try Self.check(start: startDate, end: endDate))
        self.init(
            UUID(), workoutConfiguration.duplicate(), startDate, endDate,
            raising(try MetadataCoding.normalized(metadata)),
            [], nil, [:], nil)
    }

    /// Creates an activity from a builder or the store. Throws ``SampleError`` instead of trapping if the data is
    /// invalid.
    ///
    /// - Parameter duration: Seconds without pauses. Nil computes them from `events`: until the end, or until now.
    package convenience init(
        uuid: UUID = UUID(), configuration: HKWorkoutConfiguration, start: Date, end: Date?,
        metadata: [String: Any]? = nil, events: [HKWorkoutEvent] = [], duration: TimeInterval? = nil,
        statistics: [HKQuantityType: HKStatistics] = [:], zones: [HKQuantityType: HKWorkoutZoneGroup]? = nil
    ) throws(SampleError) {
        try Self.check(start: start, end: end)
        self.init(
            uuid, configuration.duplicate(), start, end, try MetadataCoding.normalized(metadata),
            events.overlapping(start: start, end: end).sortedByStart, duration, statistics, zones)
    }

    private init(
        _ uuid: UUID, _ configuration: HKWorkoutConfiguration, _ start: Date, _ end: Date?,
        _ metadata: [String: Any]?, _ events: [HKWorkoutEvent], _ duration: TimeInterval?,
        _ statistics: [HKQuantityType: HKStatistics], _ zones: [HKQuantityType: HKWorkoutZoneGroup]?
    ) {
        self.uuid = uuid
        self.configuration = configuration
        startDate = start
        endDate = end
        self.metadata = metadata
        workoutEvents = events
        measuredDuration = duration
        allStatistics = statistics
        zoneGroupsByType = zones
    }

    private static func check(start: Date, end: Date?) throws(SampleError) {
        if let end, end < start { throw .activityOutside(start: start, end: end) }
    }

    /// A copy of the activity's configuration.
    public var workoutConfiguration: HKWorkoutConfiguration { configuration.duplicate() }

    /// Seconds from start to end, excluding pauses. Until now while the activity is in progress.
    public var duration: TimeInterval {
        if let measuredDuration { return measuredDuration }
        let end = endDate ?? Date()
        return WorkoutPauses(of: workoutEvents, start: startDate, end: end).activeSeconds(from: startDate, to: end)
    }

    /// Returns the statistics of one quantity type, or nil if the activity has no samples of it.
    public func statistics(for quantityType: HKQuantityType) -> HKStatistics? { allStatistics[quantityType] }

    /// Returns the zones of one quantity type. Nil if they were not known, or nothing of the type was measured.
    public func zoneGroup(for quantityType: HKQuantityType) -> HKWorkoutZoneGroup? { zoneGroupsByType?[quantityType] }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the activity as part of a workout with these events and pauses.
    package func inWorkout(events: [HKWorkoutEvent], pauses: WorkoutPauses) -> HKWorkoutActivity {
        HKWorkoutActivity(
            uuid, configuration, startDate, endDate, metadata, events.overlapping(start: startDate, end: endDate),
            endDate.map { pauses.activeSeconds(from: startDate, to: $0) } ?? measuredDuration, allStatistics,
            zoneGroupsByType)
    }

    package func withZones(_ zones: [HKQuantityType: HKWorkoutZoneGroup]?) -> HKWorkoutActivity {
        HKWorkoutActivity(
            uuid, configuration, startDate, endDate, metadata, workoutEvents, measuredDuration, allStatistics, zones)
    }

    /// Returns the same activity on another time line. It has no statistics and zones, since those belong to the old one.
    package func mappingDates(_ map: (Date) -> Date) -> HKWorkoutActivity {
        HKWorkoutActivity(
            uuid, configuration, map(startDate), endDate.map(map), metadata,
            workoutEvents.map { $0.mappingDates(map) }, nil, [:], nil)
    }

    // MARK: Equality

    /// Returns whether the UUIDs are equal.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKWorkoutActivity)?.uuid == uuid }

    /// The hash of the UUID.
    public override var hash: Int { uuid.hashValue }

    /// The activity type, the UUID and the dates; `now` while the activity is in progress.
    public override var description: String {
        "\(configuration) \(uuid) (\(startDate) - \(endDate.map { "\($0)" } ?? "now"))"
    }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        guard let uuid = coder.decodeUUID(forKey: "uuid"),
            let configuration = coder.decodeValue(of: HKWorkoutConfiguration.self, forKey: "configuration"),
            let start = coder.decodeDate(forKey: "startDate"),
            let metadata = coder.decodeMetadata(forKey: "metadata"),
            let events = coder.decodeList(of: HKWorkoutEvent.self, forKey: "workoutEvents"),
            let statistics = coder.decodeStatistics(forKey: "statistics")
        else { return nil }
        let end = coder.decodeDate(forKey: "endDate")
        guard (try? Self.check(start: start, end: end)) != nil else { return nil }
        self.init(
            uuid, configuration, start, end, metadata.isEmpty ? nil : metadata, events.sortedByStart,
            coder.decodeNumber(forKey: "duration"), statistics, coder.decodeZones(forKey: "zones"))
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(uuid: uuid, forKey: "uuid")
        coder.encode(configuration, forKey: "configuration")
        coder.encode(date: startDate, forKey: "startDate")
        if let endDate { coder.encode(date: endDate, forKey: "endDate") }
        coder.encode(metadata: metadata, forKey: "metadata")
        coder.encode(list: workoutEvents, forKey: "workoutEvents")
        if let measuredDuration { coder.encode(number: measuredDuration, forKey: "duration") }
        coder.encode(list: Array(allStatistics.values), forKey: "statistics")
        coder.encode(zones: zoneGroupsByType, forKey: "zones")
    }
}

extension NSCoder {
    func decodeStatistics(forKey key: String) -> [HKQuantityType: HKStatistics]? {
        decodeList(of: HKStatistics.self, forKey: key).map { list in
            Dictionary(list.map { ($0.quantityType, $0) }) { first, _ in first }
        }
    }
}
