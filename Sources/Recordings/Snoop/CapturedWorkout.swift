import Foundation
import GATT
import SessionLog

/// The workout in a capture: what is known of it before its entries are made.
struct CapturedWorkout: Sendable {
    let senders: Set<BluetoothAddress>
    let named: [ControllerTrace.ValueKey: GATTCharacteristic]
    let times: WorkoutTimes
    /// Where the clock was set.
    let jumps: ClockJumps
    let time: ClosedRange<Date>
    let activity: ActivityDescription

    /// Nil when no sensor measured anything.
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

    /// What was decided about the times, for people.
    var notes: [RecordingWarning] {
        ([jumps.note].compactMap { $0 } + times.notes).map { RecordingWarning(byte: 0, message: $0) }
    }

    /// In the times of a clock that was never set.
    func corrected(_ date: Date) -> Date {
        jumps.isEmpty
            ? date : Date(timeIntervalSinceReferenceDate: jumps.corrected(date.timeIntervalSinceReferenceDate))
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
