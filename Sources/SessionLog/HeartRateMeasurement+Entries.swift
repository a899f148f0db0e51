package import Foundation
package import GATT

extension SessionEntry {
    /// What a Heart Rate Measurement packet says, as readings: a heart rate unless there is none, and the beats.
    ///
    /// Bytes that are no such packet say nothing. Of no contact or a rate of 0 there is no reading: that is a gap. What no
    /// heart does (``HeartRateMeasurement/isImplausible``) is no reading either.
    package static func readings(
        ofHeartRateMeasurement bytes: some Collection<UInt8>, at date: Date, sensor: String?
    ) -> [SessionEntry] {
        HeartRateMeasurement(bytes).map { readings(of: $0, at: date, sensor: sensor) } ?? []
    }

    /// The same of a packet that has been decoded.
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
