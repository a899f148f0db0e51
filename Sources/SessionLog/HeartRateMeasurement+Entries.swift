package import Foundation
package import GATT

extension SessionEntry {
    /// Returns the readings in a Heart Rate Measurement packet: the heart rate, if there is one, and the beats.
    ///
    /// Bytes that are not such a packet give none. Without skin contact, or with a rate of 0, there is no reading,
    /// which makes a gap. An implausible value (``HeartRateMeasurement/isImplausible``) is not a reading either.
    package static func readings(
        ofHeartRateMeasurement bytes: some Collection<UInt8>, at date: Date, sensor: String?
    ) -> [SessionEntry] {
        HeartRateMeasurement(bytes).map { readings(of: $0, at: date, sensor: sensor) } ?? []
    }

    /// Returns the readings in a decoded packet.
    package static func readings(
        of packet: HeartRateMeasurement, at date: Date, sensor: String?
    ) -> [SessionEntry] {
        var entries: [SessionEntry] = []
        entries.reserveCapacity(2)
        if let heartRate = packet.heartRate {
            entries.append(SessionEntry(date, .quantity(.heartRate(Double(heartRate), at: date, sensor: sensor))))
        }
        let beats = packet.beatsInMilliseconds
        if !beats.isEmpty {
            entries.append(SessionEntry(date, .beats(BeatReading(intervalsInMilliseconds: beats, sensor: sensor))))
        }
        return entries
    }
}

extension SessionEntry {
    package var isHeartRatePacket: Bool {
        if case .notification(let packet) = content {
            packet.characteristic == HeartRateMeasurement.characteristic
        } else {
            false
        }
    }

    package var isHeartRateReading: Bool {
        switch content {
        case .quantity(let reading): reading.isHeartRate
        case .beats: true
        default: false
        }
    }
}
