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

    /// The same capture is the same workout, each time that it is read.
    func id(entryCount: Int) -> UUID {
        UUID(naming: [
            time.lowerBound.timeIntervalSince1970.bitPattern, time.upperBound.timeIntervalSince1970.bitPattern,
            UInt64(entryCount),
        ])
    }
}
