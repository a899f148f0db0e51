import Foundation

/// Converts FIT's times to dates.
///
/// Times are seconds since 1989-12-31T00:00:00Z. Those below 0x10000000 count from when the device was switched on (FIT
/// profile, type `date_time`) and need another time to tie them to a date.
struct FITClock: Sendable {
    /// 1989-12-31T00:00:00Z in seconds since 1970.
    static let epoch = 631_065_600.0
    /// A time further than this from the rest of the file is a damaged number. The limit is long because expeditions
    /// are recorded for weeks.
    private static let farthest: UInt32 = 60 * 86400

    /// The seconds to add to every time.
    private let offset: Double
    private let plausible: ClosedRange<UInt32>
    /// How the times that were not dates became dates, in words for the user.
    let note: String?
    /// The jumps in time when the device's clock was set during the recording.
    var jumps = ClockJumps()

    private static func isRelative(_ time: UInt32) -> Bool { time < 0x1000_0000 }

    /// - Parameters:
    ///   - middle: A time in the middle of the activity.
    ///   - local: A time of the device's clock and the local time at that moment, which tie the clock to a date.
    ///   - created: When the file was created.
    init(middle: UInt32, local: (timestamp: UInt32, local: UInt32)?, created: UInt32?) {
        let lowest = middle > Self.farthest ? middle - Self.farthest : 0
        guard Self.isRelative(middle) else {
            plausible = max(lowest, 0x1000_0000)...(min(middle, UInt32.max - Self.farthest - 1) + Self.farthest)
            offset = 0
            note = nil
            return
        }
        plausible = lowest...min(middle + Self.farthest, 0x1000_0000 - 1)
        let count = "times count from when the device was switched on"
        if let (timestamp, local) = local, Self.isRelative(timestamp), !Self.isRelative(local) {
            offset = Double(local) - Double(timestamp)
            note = "\(count); dates were taken from the activity's local time, as if it were UTC"
        } else if let created, !Self.isRelative(created) {
            offset = Double(created) - Double(middle)
            note = "\(count); the middle of the activity was put at the time that the file was created"
        } else {
            offset = 0
            note = "\(count), and nothing ties them to a date; they were put at the beginning of 1990"
        }
    }

    /// Returns nil for a time that cannot belong to this activity.
    @inline(__always)
    func seconds(_ time: UInt32) -> Double? {
        guard plausible.contains(time) else { return nil }
        return jumps.isEmpty ? Double(time) + offset : jumps.corrected(Double(time) + offset)
    }

    /// Returns whether the times of all these records can belong to this activity.
    func holds(_ records: FITRecordSurvey) -> Bool {
        [records.earliest, records.latest].allSatisfy { $0.map(plausible.contains) ?? true }
    }

    @inline(__always)
    static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds + epoch) }
}
