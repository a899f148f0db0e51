package import SessionLog

/// The zones of a workout.
extension WorkoutRecorder {
    /// Sets the zones of a quantity in this workout. Empty bounds mean none of its own.
    package func setZones(_ record: ZoneRecord) throws {
        try requirePrimary()
        guard read({ $0.collection == .notBegun }) else {
            throw misuse("Set the zones of a workout before collection begins: later ones would not cover all of it.")
        }
        append(.zones(record), at: now)
    }

    /// Returns the change of zone that a collected reading made.
    func zoneChange(_ reading: QuantityReading) -> ZoneChange? {
        guard builder?.hasDelegate == true else { return nil }
        if zonesInForce == nil {
            zonesInForce = read { $0.zones.map { ($0.record, nil) } }
        }
        guard let index = zonesInForce?.firstIndex(where: { $0.record.type == reading.type }),
            let (record, latest) = zonesInForce?[index], case let current = record.zone(of: reading.value),
            current != latest, let zones = read({ $0.zones(of: reading.type) })
        else { return nil }
        zonesInForce?[index].latest = current
        return ZoneChange(zones: zones, previous: latest, current: current, date: reading.end)
    }
}
