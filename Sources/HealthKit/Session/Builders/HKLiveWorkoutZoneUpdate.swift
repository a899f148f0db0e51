package import Engine
public import Foundation
import SessionLog

/// A change of zone during a session.
public final class HKLiveWorkoutZoneUpdate: NSObject, Sendable {
    /// The zone of the latest value, and the time in it so far. Nil while no value is in a zone.
    public let currentZoneDuration: HKWorkoutZoneDuration?
    /// The zone of the value before. Nil for the first value of the workout.
    public let previousZoneDuration: HKWorkoutZoneDuration?
    /// All zones, and the time in each so far.
    public let zoneGroup: HKWorkoutZoneGroup?
    /// The end of the latest value.
    public let lastSampleProcessedDate: Date?

    package init(_ change: ZoneChange) {
        let group = HKWorkoutZoneGroup(change.zones)
        func duration(_ index: Int?) -> HKWorkoutZoneDuration? {
            guard let group, let index, group.zoneDurations.indices.contains(index) else { return nil }
            return group.zoneDurations[index]
        }
        currentZoneDuration = duration(change.current)
        previousZoneDuration = duration(change.previous)
        zoneGroup = group
        lastSampleProcessedDate = change.date
        super.init()
    }
}
