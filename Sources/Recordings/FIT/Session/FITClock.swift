import Foundation

/// Makes dates of FIT's times.
///
/// Times are seconds since 1989-12-31T00:00:00Z. Those below 0x10000000 are not: they count from when the device was
/// switched on (FIT profile, type `date_time`), and need something to tie them to a date.
struct FITClock: Sendable {
    /// 1989-12-31T00:00:00Z in seconds since 1970.
    static let epoch = 631_065_600.0
    /// What is further from the rest of the file is no time of the same activity but a damaged number. Expeditions are
    /// recorded for weeks.
    private static let farthest: UInt32 = 60 * 86400

    /// Added to every time.
    private let offset: Double
    private let plausible: ClosedRange<UInt32>
    /// How times that are no dates were made dates, for people.
    let note: String?
    /// Where the device's clock was set while it recorded.
    var jumps = ClockJumps()

    private static func isRelative(_ time: UInt32) -> Bool { time < 0x1000_0000 }

    /// - Parameters:
    ///   - middle: A time in the middle of the activity.
    ///   - local: What ties the device's clock to a date: a time of it, and the local one.
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

    /// Nil for what cannot be a time of this activity.
    @inline(__always)
    func seconds(_ time: UInt32) -> Double? {
        guard plausible.contains(time) else { return nil }
        return jumps.isEmpty ? Double(time) + offset : jumps.corrected(Double(time) + offset)
    }

    /// Whether all of these records have a time of the activity.
    func holds(_ records: FITRecordSurvey) -> Bool {
        [records.earliest, records.latest].allSatisfy { $0.map(plausible.contains) ?? true }
    }

    @inline(__always)
    static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds + epoch) }
}
