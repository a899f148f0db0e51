import Analytics
import Foundation
import SessionLog

/// A table, looked over: what its rows state of the workout, which has to be known before its entries can be made.
///
/// What grows with it are laps, pauses and RR intervals; of all else only numbers are kept.
struct TableSurvey {
    struct Part {
        /// Nil if the table does not say it.
        var activity: String?
        var start: Double
        var distance = CountedDistanceSurvey(scale: 1)
        /// When its distance was first counted.
        var counted: Double?
    }

    private(set) var stated = StatedWorkout()
    /// At least one if there are rows.
    private(set) var parts: [Part] = []
    private(set) var heartRate = ValueSummary()
    private(set) var intervalsInMilliseconds: [Double] = []
    private(set) var hasPositions = false
    private(set) var hasDistance = false
    /// The stored workout that this package wrote the table of.
    private(set) var workoutID: UUID?
    /// What recorded it, if this package wrote the table.
    private(set) var deviceName: String?

    /// The part that the next row is in.
    private var part = Part(start: 0)
    private var latest: Double?
    /// When the pause began that lasts.
    private var pause: Double?
    private var lap: Int?
    private var lapStart = 0.0

    private static let mostParts = 1000

    mutating func take(_ row: TableRows) {
        let time = row.seconds
        if let latest {
            if pause == nil { stated.gaps.add(TimeSpan(start: latest, end: time)) }
        } else {
            part.start = time
            lapStart = time
            stated.samples = time...time
        }
        latest = time
        if !row.event.isEmpty { take(row.event, at: time, stated: row.statedSeconds) }
        if let number = row.lap, number != lap {
            if lap != nil { endLap(at: time) }
            lap = number
        }
        if row[.heartRate] > 0 { heartRate.add(row[.heartRate]) }
        if !row.intervals.isEmpty { intervalsInMilliseconds += row.intervals }
        if !row[.latitude].isNaN, !row[.longitude].isNaN { hasPositions = true }
        let distance = row[.distance]
        if !distance.isNaN {
            hasDistance = true
            part.counted = part.counted ?? time
            part.distance.add(distance)
        }
    }

    private mutating func take(_ event: String, at time: Double, stated place: Double) {
        switch event {
        case "pause": pause = pause ?? time
        case "resume":
            if let pause, time > pause { stated.breaks.append(TimeSpan(start: pause, end: time)) }
            pause = nil
        default:
            let (isLap, seconds) = TableEvent.lap(event)
            if isLap {
                if let seconds { lapStart = place - seconds }
                addLap(to: place)
            } else if let activity = TableEvent.start(event) {
                if parts.isEmpty { part.activity = activity }
            } else if let activity = TableEvent.part(event), parts.count < Self.mostParts {
                parts.append(part)
                part = Part(activity: activity, start: time)
            } else {
                workoutID = workoutID ?? TableEvent.workoutID(event)
                deviceName = deviceName ?? TableEvent.deviceName(event)
            }
        }
    }

    private mutating func endLap(at time: Double) { if time > lapStart { addLap(to: time) } }

    private mutating func addLap(to end: Double) {
        stated.laps.append(StatedWorkout.Stretch(start: lapStart, elapsed: max(0, end - lapStart)))
        lapStart = end
    }

    /// There are no more rows.
    ///
    /// - Parameters:
    ///   - start: When it began, if that was before its first row.
    ///   - lapEnds: Those that do not stand in a column, in seconds since the start.
    mutating func finish(start: Double?, lapEnds: [Double]) {
        guard let first = stated.samples?.lowerBound, let latest else { return }
        parts.append(part)
        stated.samples = first...latest
        if let start { stated.sessions = [StatedWorkout.Stretch(start: start)] }
        if let pause, latest > pause { stated.breaks.append(TimeSpan(start: pause, end: latest)) }
        // The last lap of several ends with the workout.
        if lap ?? 0 > 0 { endLap(at: latest) }
        if !lapEnds.isEmpty { lapStart = start ?? first }
        for end in lapEnds.map({ (start ?? first) + $0 }) where lapStart < latest { addLap(to: min(end, latest)) }
    }

    mutating func mapTimes(_ map: (Double) -> Double) {
        stated = stated.mappingTimes(map)
        for index in parts.indices {
            parts[index].start = map(parts[index].start)
            parts[index].counted = parts[index].counted.map(map)
        }
    }
}
