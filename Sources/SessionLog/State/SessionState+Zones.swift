import Analytics
package import Foundation

extension SessionState {
    /// Zones from an entry of the log.
    struct OwnZones: Sendable, Equatable {
        var record: ZoneRecord
        /// Its zone 1 is the second of the record, and the first is below it.
        var time: TimeInZone
    }

    /// The zones of a quantity in the workout, and the time in each so far.
    package struct ZoneState: Sendable, Equatable {
        package var record: ZoneRecord
        /// In order of the zones: one more than bounds.
        package var durations: [Duration]

        package init(_ record: ZoneRecord, durations: [Duration]) {
            self.record = record
            self.durations = durations
        }

        /// The zones that only cover the time from `earlier` on.
        func since(_ earlier: ZoneState) -> ZoneState {
            ZoneState(record, durations: zip(durations, earlier.durations).map { $0 - $1 })
        }
    }

    /// The zones of heart rate and power, as far as they are known: from the log, otherwise of heart rates those of the
    /// wearer.
    package var zones: [ZoneState] {
        ZoneRecord.units.keys.sorted().compactMap { zones(of: $0) }
    }

    /// Returns the zones of a quantity type with the time until `date`, while the workout runs.
    package func zones(of type: String, at date: Date) -> ZoneState? {
        guard !phase.isOver, workoutEnd == nil else { return zones(of: type) }
        var advanced = self
        advanced.advanceZones(to: date)
        return advanced.zones(of: type)
    }

    /// Returns the zones of a quantity type, by its Swift name.
    package func zones(of type: String) -> ZoneState? {
        if let own = ownZones(of: type) {
            return ZoneState(own.record, durations: [own.time.belowZones] + own.time.inZone)
        }
        guard type == QuantityReading.heartRateType, let timeInZone, let wearer else { return nil }
        let durations = timeInZone.inZone
        return ZoneState(
            ZoneRecord(timeInZone.zones, of: wearer),
            durations: [timeInZone.belowZones + durations[0]] + durations.dropFirst())
    }
}
