import Bluetooth
import Foundation

/// The workout in a capture: what is known of it before its entries are made.
struct CapturedWorkout: Sendable {
    let senders: Set<BluetoothAddress>
    let named: [ControllerTrace.ValueKey: GATTCharacteristic]
    let time: ClosedRange<Date>
    let activity: ActivityDescription

    /// Nil when no sensor measured anything.
    init?(_ survey: CaptureSurvey) {
        guard let time = survey.time else { return nil }
        self.time = time
        senders = survey.senders
        named = survey.named
        activity = ActivityDescription(activity: Self.activityName(survey))
    }

    /// What the sensors suggest; a heart rate alone says nothing.
    private static func activityName(_ survey: CaptureSurvey) -> String {
        if survey.measurements.contains(.cyclingPowerMeasurement)
            || survey.measurements.contains(.cyclingSpeedAndCadenceMeasurement)
        {
            return "cycling"
        }
        return survey.measurements.contains(.runningSpeedAndCadenceMeasurement) ? "running" : "other"
    }

    /// The same capture is the same workout, each time that it is read (FNV-1a; RFC 9562, version 8).
    func id(entryCount: Int) -> UUID {
        let facts = [
            time.lowerBound.timeIntervalSince1970.bitPattern, time.upperBound.timeIntervalSince1970.bitPattern,
            UInt64(entryCount),
        ]
        func hash(_ seed: UInt64) -> UInt64 {
            facts.flatMap { fact in (0..<8).map { fact >> (8 * $0) & 0xFF } }.reduce(seed) {
                ($0 ^ $1) &* 0x100_0000_01B3
            }
        }
        let high = hash(0xCBF2_9CE4_8422_2325) & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
        let low = hash(0x8422_2325_CBF2_9CE4) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func byte(_ place: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: (place < 8 ? high : low) >> UInt64(56 - 8 * (place % 8)))
        }
        return UUID(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10),
                byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
    }
}
