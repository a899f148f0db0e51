import Foundation
import Reports
import StoredWorkouts

/// Formats values with their units for people. Distances, paces and speeds are in those of ``DistanceUnits/current``,
/// with the decimal mark of the current language.
///
/// A value that is not finite, or absurd, becomes `--`, because files may contain anything.
enum MetricFormat {
    static let nothing = "--"

    /// Returns a duration to the second: `0:05:00`, `26:00:00`.
    static func time(_ seconds: Double) -> String { clock(seconds.rounded()) }

    /// Returns what a running clock shows, the seconds that have passed: `0:04:59`.
    static func clock(_ seconds: Double) -> String {
        guard let (h, m, s) = parts(seconds) else { return nothing }
        return "\(h):\(two(m)):\(two(s))"
    }

    /// `0:00:19.5`.
    static func timeInTenths(_ seconds: Double) -> String {
        let tenths = (seconds * 10).rounded()
        guard let (h, m, s) = parts(tenths / 10) else { return nothing }
        return "\(h):\(two(m)):" + Language.current.number("\(two(s)).\(Int(tenths) % 10)")
    }

    /// Returns `00:05:00` for a running clock, which has a constant width below 100 hours.
    static func paddedClock(_ seconds: Double) -> String {
        guard let (h, m, s) = parts(seconds) else { return nothing }
        return "\(two(h)):\(two(m)):\(two(s))"
    }

    /// `4:54`, and `1:04:54` from an hour on.
    static func shortTime(_ seconds: Double) -> String { shortClock(seconds.rounded()) }

    /// The same for a running clock.
    static func shortClock(_ seconds: Double) -> String {
        guard let (h, m, s) = parts(seconds) else { return nothing }
        return h == 0 ? "\(m):\(two(s))" : "\(h):\(two(m)):\(two(s))"
    }

    /// Returns `12 h` or `12:30 h`, for sums of months and years.
    static func hours(_ seconds: Double) -> String {
        guard let (h, m, _) = parts(seconds) else { return nothing }
        return m == 0 ? "\(h) h" : "\(h):\(two(m)) h"
    }

    static func heartRate(_ beatsPerMinute: Double) -> String { fixed(beatsPerMinute, 0) + " bpm" }

    /// `950 m`, `1.02 km`; `328 ft`, `3.11 mi`.
    static func distance(_ meters: Double) -> String {
        switch DistanceUnits.current {
        case .metric:
            meters.rounded() < 1_000 ? fixed(meters, 0) + " m" : fixed(meters / 1_000, 2) + " km"
        case .imperial:
            meters < DistanceUnits.metersPerMile / 10
                ? fixed(meters / DistanceUnits.metersPerFoot, 0) + " ft"
                : fixed(meters / DistanceUnits.metersPerMile, 2) + " mi"
        }
    }

    /// The unit for distances of a workout.
    static var distanceUnit: (name: String, meters: Double) {
        DistanceUnits.current == .metric ? ("km", 1000) : ("mi", DistanceUnits.metersPerMile)
    }

    /// Returns an ascent or descent: `240 m`, `787 ft`.
    static func height(_ meters: Double) -> String {
        switch DistanceUnits.current {
        case .metric: fixed(meters, 0) + " m"
        case .imperial: fixed(meters / DistanceUnits.metersPerFoot, 0) + " ft"
        }
    }

    static func speed(_ metersPerSecond: Double) -> String {
        switch DistanceUnits.current {
        case .metric: fixed(metersPerSecond * 3.6, 1) + " km/h"
        case .imperial: fixed(metersPerSecond * 3_600 / DistanceUnits.metersPerMile, 1) + " mph"
        }
    }

    /// Returns `4:54 /km`. Anything slower than an hour per kilometre counts as standing.
    static func pace(_ secondsPerKilometer: Double) -> String {
        let isMoving = secondsPerKilometer > 0 && secondsPerKilometer < 3_600
        switch DistanceUnits.current {
        case .metric: return (isMoving ? shortTime(secondsPerKilometer) : nothing) + " /km"
        case .imperial:
            let seconds = secondsPerKilometer / 1_000 * DistanceUnits.metersPerMile
            return (isMoving ? shortTime(seconds) : nothing) + " /mi"
        }
    }

    /// Returns `1:52 /100 m`, as swimmers count.
    static func swimPace(_ secondsPerMeter: Double) -> String {
        let isMoving = secondsPerMeter > 0 && secondsPerMeter < 36
        switch DistanceUnits.current {
        case .metric: return (isMoving ? shortTime(secondsPerMeter * 100) : nothing) + " /100 m"
        case .imperial:
            let seconds = secondsPerMeter * 100 * DistanceUnits.metersPerYard
            return (isMoving ? shortTime(seconds) : nothing) + " /100 yd"
        }
    }

    static func power(_ watts: Double) -> String { fixed(watts, 0) + " W" }
    static func cadence(_ perMinute: Double) -> String { fixed(perMinute, 0) + " /min" }
    static func effort(_ score: Double) -> String { localized("%1 of 10", short(score)) }
    static func energy(_ kilocalories: Double) -> String { fixed(kilocalories, 0) + " kcal" }
    static func milliseconds(_ value: Double) -> String { fixed(value, 1) + " ms" }

    /// `60x`, `0.5x`, and `max`.
    static func replaySpeed(_ speed: Double?) -> String { speed.map { short($0) + "x" } ?? "max" }

    /// Returns the value rounded to `decimals` places.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return nothing }
        return Language.current.number(plain(value, decimals))
    }

    private static func plain(_ value: Double, _ decimals: Int) -> String {
        let text = String(format: "%.\(decimals)f", value)
        return text.hasPrefix("-") && text.allSatisfy({ "-0.".contains($0) }) ? String(text.dropFirst()) : text
    }

    /// Returns the value with at most two decimal places and no trailing zeros.
    static func short(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return nothing }
        var text = plain(value, 2)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return Language.current.number(text)
    }

    private static func parts(_ seconds: Double) -> (hours: Int, minutes: Int, seconds: Int)? {
        guard seconds.isFinite, seconds >= 0, seconds < 1e10 else { return nil }
        // The difference of two dates may be a little less than a whole second.
        let whole = Int(seconds + 1e-4)
        return (whole / 3_600, whole / 60 % 60, whole % 60)
    }

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

/// Formats the times of laps: in tenths of a second if most are shorter than two minutes, as on a track or in a pool, and
/// were not timed in whole seconds.
struct LapTimeFormat {
    private let isInTenths: Bool

    init(_ laps: [WorkoutSummary.Lap]) {
        isInTenths =
            laps.count { $0.durationInSeconds < 120 } * 2 > laps.count
            && laps.contains { abs($0.durationInSeconds.remainder(dividingBy: 1)) >= 0.05 }
    }

    func text(_ lap: WorkoutSummary.Lap) -> String {
        isInTenths ? MetricFormat.timeInTenths(lap.durationInSeconds) : MetricFormat.time(lap.durationInSeconds)
    }
}
