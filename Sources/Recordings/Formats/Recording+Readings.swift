extension Recording {
    /// The entries of the recording; where they are a strap's packets and not what was read from them, with the readings put
    /// in.
    package var entriesWithReadings: RecordedEntries {
        guard facts.holdsOnlyPackets else { return entries }
        return entries.following { entry in
            guard case .notification(let packet) = entry.content, entry.isHeartRatePacket else { return [] }
            return SessionEntry.readings(
                ofHeartRateMeasurement: packet.bytes, at: entry.date, sensor: packet.sensor)
        }
    }
}
