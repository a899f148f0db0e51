import Foundation

/// Makes dates of FIT's times.
///
/// Times are seconds since 1989-12-31T00:00:00Z. Those below 0x10000000 are not: they count from when the device was
/// switched on (FIT profile, type `date_time`), and need something to tie them to a date.
struct FITClock {
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

    private static func isRelative(_ time: UInt32) -> Bool { time < 0x1000_0000 }

    /// Nil when the activity has no times.
    init?(_ activity: FITActivity) {
        guard let middle = activity.middleTime else { return nil }
        let lowest = middle > Self.farthest ? middle - Self.farthest : 0
        guard Self.isRelative(middle) else {
            plausible = max(lowest, 0x1000_0000)...(min(middle, UInt32.max - Self.farthest - 1) + Self.farthest)
            offset = 0
            note = nil
            return
        }
        plausible = lowest...min(middle + Self.farthest, 0x1000_0000 - 1)
        let count = "times count from when the device was switched on"
        if let (timestamp, local) = activity.localTime, Self.isRelative(timestamp), !Self.isRelative(local) {
            offset = Double(local) - Double(timestamp)
            note = "\(count); dates were taken from the activity's local time, as if it were UTC"
        } else if let created = activity.timeCreated, !Self.isRelative(created) {
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
        plausible.contains(time) ? Double(time) + offset : nil
    }

    @inline(__always)
    static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds + epoch) }
}

extension FITActivity {
    /// A time in the middle of the activity, which single damaged ones cannot move: of records or, where those have no
    /// time, of everything else.
    fileprivate var middleTime: UInt32? {
        var times = stride(from: 0, to: records.count, by: max(records.count / 99, 1)).map { records[$0].time }
        if times.isEmpty {
            times = events.map(\.time) + sessions.compactMap(\.start) + laps.compactMap(\.start)
            times += lengths.compactMap(\.start)
        }
        times.sort()
        return times.isEmpty ? nil : times[times.count / 2]
    }
}
