import Foundation
import GATT
import SessionLog

/// The workout in a capture: all that is known before its entries are made.
struct CapturedWorkout: Sendable {
    let senders: Set<DeviceAddress>
    let named: [ControllerTrace.ValueKey: GATTCharacteristic]
    let times: WorkoutTimes
    /// The jumps in time when the clock was set.
    let jumps: ClockJumps
    let time: ClosedRange<Date>
    let activity: ActivityDescription

    /// Returns nil if no sensor measured anything.
    init?(_ survey: CaptureSurvey) {
        jumps = ClockJumps(survey.stated)
        let stated = jumps.isEmpty ? survey.stated : survey.stated.mappingTimes(jumps.corrected)
        guard let times = WorkoutTimes(stated) else { return nil }
        self.times = times
        time =
            Date(timeIntervalSinceReferenceDate: times.start)...Date(timeIntervalSinceReferenceDate: times.end)
        senders = survey.senders
        named = survey.named
        activity = ActivityDescription(activity: Self.activityName(survey))
    }

    /// Decisions about the times, for the user.
    var notes: [RecordingWarning] {
        ([jumps.note].compactMap { $0 } + times.notes).map { RecordingWarning(byte: 0, message: $0) }
    }

    /// Returns the date as a clock that was never set would show it.
    func corrected(_ date: Date) -> Date {
        jumps.isEmpty
            ? date : Date(timeIntervalSinceReferenceDate: jumps.corrected(date.timeIntervalSinceReferenceDate))
    }

    /// Returns the activity that the sensors suggest. A heart rate alone suggests none.
    private static func activityName(_ survey: CaptureSurvey) -> String {
        if survey.measurements.contains(.cyclingPowerMeasurement)
            || survey.measurements.contains(.cyclingSpeedAndCadenceMeasurement)
        {
            return "cycling"
        }
        let others: [(BluetoothUUID, String)] = [
            (.runningSpeedAndCadenceMeasurement, "running"), (.indoorBikeData, "cycling"), (.treadmillData, "running"),
            (.rowerData, "rowing"), (.crossTrainerData, "elliptical"),
        ]
        return others.first { survey.measurements.contains($0.0) }?.1 ?? "other"
    }

    /// Returns the same ID each time the same capture is read.
    func id(entryCount: Int) -> UUID {
        UUID(naming: [
            time.lowerBound.timeIntervalSince1970.bitPattern, time.upperBound.timeIntervalSince1970.bitPattern,
            UInt64(entryCount),
        ])
    }
}
