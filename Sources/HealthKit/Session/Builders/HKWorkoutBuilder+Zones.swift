import Analytics
import Engine
import Foundation
import HealthStore
import SessionLog

// Workout zones, as iOS 27 and watchOS 27 have them: developer.apple.com, "Accessing workout zone data". The preferred
// zones are those of `workout profile`.

extension HKWorkoutBuilder {
    /// Sets the zones of a quantity in this workout, or removes them. Call this before collection begins.
    ///
    /// - Parameter configuration: Nil for the preferred zones.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` once collection has begun, and for zones of another type.
    public func setCustomZoneConfiguration(
        _ configuration: HKWorkoutZoneConfiguration?, for quantityType: HKQuantityType
    ) async throws {
        let type = quantityType.swiftName
        guard ZoneRecord.units[type] != nil, configuration.map({ $0.quantityType == quantityType }) ?? true else {
            throw HKError.make(
                .errorInvalidArgument,
                "The zones of \(configuration?.quantityType.identifier ?? "nothing") cannot be those of "
                    + "\(quantityType.identifier): zones are of heart rate or cycling power, each of its own type.")
        }
        let record = configuration?.record ?? ZoneRecord(type, upperBounds: [], source: .app)
        try await perform { try $0.setZones(record) }
    }

    /// Returns the zones of a quantity in this workout: the custom ones, otherwise the preferred ones. Nil if there are
    /// neither.
    ///
    /// - Throws: ``HKError/Code/errorDatabaseInaccessible`` if the profile cannot be read.
    public func zoneConfiguration(for quantityType: HKQuantityType) async throws -> HKWorkoutZoneConfiguration? {
        if let zones = recorder.read({ $0.zones(of: quantityType.swiftName) }) {
            return HKWorkoutZoneConfiguration(zones.record)
        }
        guard recorder.takesPreferredZones else { return nil }
        return try healthStore.environment.preferredZones(of: quantityType.swiftName, on: recorder.now)
            .flatMap { HKWorkoutZoneConfiguration($0) }
    }

    /// Returns the zones of a quantity and the time in each so far. Nil if there are no zones, or no values yet.
    public func zoneGroup(for quantityType: HKQuantityType) -> HKWorkoutZoneGroup? {
        let now = recorder.now
        let zones = recorder.read { $0.zones(of: quantityType.swiftName, at: now) }
        return zones.flatMap { [HKQuantityType: HKWorkoutZoneGroup].of([$0]) }?[quantityType]
    }
}

extension HKWorkoutBuilder {
    /// Adds the preferred zones that the log lacks, before collection begins.
    func addPreferredZones(to recorder: isolated WorkoutRecorder) {
        guard recorder.takesPreferredZones else { return }
        for type in ZoneRecord.units.keys.sorted() where recorder.read({ $0.zones(of: type) }) == nil {
            // A profile that cannot be read does not keep a workout from being recorded.
            guard let zones = try? healthStore.environment.preferredZones(of: type, on: recorder.now) else { continue }
            try? recorder.setZones(zones)
        }
    }
}

extension WorkoutRecorder {
    /// Whether the profile's zones are this workout's: not once it has begun, and not for a replay, which depends only
    /// on its recording.
    fileprivate nonisolated var takesPreferredZones: Bool {
        guard !isMirrored, case .wall = pace else { return false }
        return read { $0.collection == .notBegun }
    }
}

extension HKHealthStore {
    /// Returns the preferred zones of a quantity type: the user's own, or those computed from the profile. Nil for other
    /// types than heart rate and cycling power, and if the profile states nothing to compute them from.
    ///
    /// - Throws: ``HKError/Code/errorDatabaseInaccessible`` if the profile cannot be read.
    public func preferredWorkoutZoneConfiguration(
        for quantityType: HKQuantityType
    ) async throws -> HKWorkoutZoneConfiguration? {
        try environment.requireAvailable()
        return try environment.preferredZones(of: quantityType.swiftName, on: environment.time.now())
            .flatMap { HKWorkoutZoneConfiguration($0) }
    }
}

extension HealthEnvironment {
    /// Returns the zones of the profile on a day.
    /// - Parameter type: The Swift name of a quantity type.
    func preferredZones(of type: String, on date: Date) throws -> ZoneRecord? {
        if type == QuantityReading.heartRateType {
            guard let wearer = wearer(at: date), let zones = wearer.heartRateZones else { return nil }
            return ZoneRecord(zones, of: wearer)
        }
        let profile = try profile()
        guard type == ZoneRecord.powerType,
            let own = profile.powerZones.zones(on: CivilDay(date, in: .current), for: "cycling"),
            let bounds = profile.lowerBounds(of: own)
        else { return nil }
        return ZoneRecord(type, upperBounds: Array(bounds.dropFirst()), source: .user)
    }
}
