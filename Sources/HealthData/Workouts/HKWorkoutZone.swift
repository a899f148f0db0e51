public import Foundation
package import SessionLog

// Workout zones, as iOS 27 and watchOS 27 have them: developer.apple.com, "Accessing workout zone data".

/// A zone: a range of values of a quantity type.
public struct HKWorkoutZone: Sendable, Equatable {
    /// The number of the zone in its configuration, from 0 for the lowest.
    public let index: Int
    /// The lowest value in the zone. Nil for the lowest zone, which has no lower bound.
    public let minimum: HKQuantity?
    /// The value from which on the next zone begins. Nil for the highest zone, which has no upper bound.
    public let maximum: HKQuantity?
}

/// The zones of a quantity type: heart rate or cycling power.
public struct HKWorkoutZoneConfiguration: Sendable, Equatable {
    /// Who defined the zones.
    public enum Source: Sendable, Hashable {
        /// They are computed from the age and the heart rates in the profile.
        case system
        /// They are the user's own, set with `workout profile`.
        case user
        /// They are an app's, for one workout.
        case app
    }

    /// The type of quantity: `heartRate` or `cyclingPower`.
    public let quantityType: HKQuantityType
    /// The zones from the lowest to the highest, without gaps.
    public let zones: [HKWorkoutZone]
    /// The origin of the zones.
    public let source: Source

    /// Creates an app's zones.
    ///
    /// - Parameter zoneBoundaries: The upper bounds of all zones but the last, rising. A value at a bound is in the zone
    ///   above.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for another type than heart rate and cycling power, for no
    ///   boundary, and for boundaries that do not rise, are not positive or have a unit of something else.
    public init(quantityType: HKQuantityType, zoneBoundaries: [HKQuantity]) throws {
        func refuse(_ reason: String) -> HKError { HKError.make(.errorInvalidArgument, "Zones \(reason).") }
        guard let unit = Self.unit(of: quantityType) else {
            throw refuse("are of heart rate or cycling power, not of \(quantityType.identifier)")
        }
        guard !zoneBoundaries.isEmpty else { throw refuse("need a boundary between them") }
        guard zoneBoundaries.allSatisfy({ $0.is(compatibleWith: unit) }) else {
            throw refuse("of \(quantityType.identifier) have boundaries in \(unit)")
        }
        let record = ZoneRecord(
            quantityType.swiftName, upperBounds: zoneBoundaries.map { $0.doubleValue(for: unit) }, source: .app)
        guard record.isValid, let zones = Self(record) else { throw refuse("have positive boundaries that rise") }
        self = zones
    }

    /// Creates the zones of a log. Nil for invalid ones, and for a record without bounds.
    package init?(_ record: ZoneRecord) {
        guard record.isValid, !record.upperBounds.isEmpty,
            let type = TypeCatalogue.quantityType(named: record.type), let unit = Self.unit(of: type)
        else { return nil }
        let bounds = record.upperBounds.map { HKQuantity(unit: unit, doubleValue: $0) }
        quantityType = type
        zones = (0...bounds.count).map { index in
            HKWorkoutZone(
                index: index, minimum: index > 0 ? bounds[index - 1] : nil,
                maximum: index < bounds.count ? bounds[index] : nil)
        }
        source =
            switch record.source {
            case .system: .system
            case .user: .user
            case .app: .app
            }
    }

    /// The zones as a log states them.
    package var record: ZoneRecord {
        let unit = Self.unit(of: quantityType)
        return ZoneRecord(
            quantityType.swiftName,
            upperBounds: zones.compactMap { zone in unit.flatMap { zone.maximum?.doubleValue(for: $0) } },
            source: .init(source))
    }

    private static func unit(of type: HKQuantityType) -> HKUnit? {
        ZoneRecord.units[type.swiftName].flatMap { type.unit(named: $0) }
    }
}

/// The time spent in a zone.
public struct HKWorkoutZoneDuration: Sendable, Equatable {
    /// The zone.
    public let zone: HKWorkoutZone
    /// The time in seconds, without pauses. A value counts until the next one, for 30 s at most.
    public let duration: TimeInterval
}

/// The zones of a workout or an activity, and the time spent in each.
public struct HKWorkoutZoneGroup: Sendable, Equatable {
    /// The zones.
    public let configuration: HKWorkoutZoneConfiguration
    /// The time in each zone, from the lowest to the highest.
    public let zoneDurations: [HKWorkoutZoneDuration]

    /// Nil for impossible zones.
    package init?(_ record: ZoneRecord, seconds: [TimeInterval]) {
        guard let configuration = HKWorkoutZoneConfiguration(record), seconds.count == configuration.zones.count,
            seconds.allSatisfy({ $0 >= 0 && $0.isFinite })
        else { return nil }
        self.configuration = configuration
        zoneDurations = zip(configuration.zones, seconds).map { HKWorkoutZoneDuration(zone: $0, duration: $1) }
    }
}

extension ZoneRecord.Source {
    fileprivate init(_ source: HKWorkoutZoneConfiguration.Source) {
        self =
            switch source {
            case .system: .system
            case .user: .user
            case .app: .app
            }
    }
}

extension [HKQuantityType: HKWorkoutZoneGroup] {
    /// In a fixed order.
    package var inOrder: [HKWorkoutZoneGroup] {
        values.sorted { $0.configuration.quantityType.identifier < $1.configuration.quantityType.identifier }
    }
}

// MARK: NSSecureCoding

/// Zones in an archive.
private struct ArchivedZones: Codable {
    var type: String
    var upperBounds: [Double]
    var source: String
    var seconds: [Double]
}

extension NSCoder {
    func encode(zones: [HKQuantityType: HKWorkoutZoneGroup]?, forKey key: String) {
        let archived = (zones ?? [:]).inOrder.map { group in
            let record = group.configuration.record
            return ArchivedZones(
                type: record.type, upperBounds: record.upperBounds, source: record.source.rawValue,
                seconds: group.zoneDurations.map(\.duration))
        }
        guard !archived.isEmpty, let data = try? JSONEncoder().encode(archived) else { return }
        encode(data as NSData, forKey: key)
    }

    /// Returns nil without zones, and for impossible zones.
    func decodeZones(forKey key: String) -> [HKQuantityType: HKWorkoutZoneGroup]? {
        guard let data = decodeValue(of: NSData.self, forKey: key),
            let archived = try? JSONDecoder().decode([ArchivedZones].self, from: data as Data)
        else { return nil }
        let groups = archived.compactMap { zones in
            ZoneRecord.Source(rawValue: zones.source).flatMap { source in
                HKWorkoutZoneGroup(
                    ZoneRecord(zones.type, upperBounds: zones.upperBounds, source: source), seconds: zones.seconds)
            }
        }
        return groups.isEmpty ? nil : Dictionary(groups.map { ($0.configuration.quantityType, $0) }) { $1 }
    }
}
