import Analytics
import Foundation
import SessionLog

/// A survey of a table: what its rows state about the workout, which must be known before its entries can be made.
///
/// It grows only with laps, pauses and RR intervals. Of everything else it keeps only figures.
struct TableSurvey {
    struct Part {
        /// Nil if the table does not state it.
        var activity: String?
        var start: Double
        var distance = CountedDistanceSurvey(scale: 1)
        /// The time of the first count of the distance.
        var counted: Double?
    }

    private(set) var stated = StatedWorkout()
    /// The parts; at least one if there are rows.
    private(set) var parts: [Part] = []
    private(set) var heartRate = ValueSummary()
    private(set) var intervalsInMilliseconds: [Double] = []
    private(set) var hasPositions = false
    private(set) var hasDistance = false
    /// The ID of the stored workout, if this package wrote the table.
    private(set) var workoutID: UUID?
    /// The device that recorded it, if this package wrote the table.
    private(set) var deviceName: String?

    private var distances = Trend(), energies = Trend()
    /// Nil if all columns name their units.
    private(set) var assumedUnits: AssumedUnits?

    /// The part of the next row.
    private var part = Part(start: 0)
    private var latest: Double?
    /// The start of the current pause.
    private var pause: Double?
    private var lap: Int?
    private var lapStart = 0.0
    private let clock: TableLayout.Clock
    /// The start of the recording, if rows count from it.
    private let origin: Double
    /// The start of the recording, if it is before the first row.
    private var startBeforeRows: Double?

    private static let mostParts = 1000

    init(_ layout: TableLayout) {
        clock = layout.clock
        origin = layout.start ?? 0
        if !layout.assumed.isEmpty { assumedUnits = AssumedUnits() }
    }

    mutating func take(_ row: TableRows) {
        assumedUnits?.take(row)
        let time = row.seconds
        if let latest {
            if pause == nil { stated.gaps.add(TimeSpan(start: latest, end: time)) }
        } else {
            part.start = time
            startBeforeRows = clock.startsBeforeRows(by: time - origin) ? origin : nil
            lapStart = startBeforeRows ?? time
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
            distances.add(distance)
        }
        if case let energy = row[.energy], !energy.isNaN { energies.add(energy) }
    }

    /// Returns the duration in hours of a record of days, such as the heart rates that a watch measures every few minutes. Nil
    /// for everything else. The longest times without a row do not count.
    func hoursOfDays(rows: Int) -> Int? {
        guard let samples = stated.samples else { return nil }
        let seconds = samples.upperBound - samples.lowerBound
        let worn = seconds - stated.gaps.spans.filter { $0.seconds > 3600 }.reduce(0) { $0 + $1.seconds }
        guard worn >= Self.leastSecondsOfDays, worn >= Double(rows) * Self.leastSecondsBetweenRowsOfDays else {
            return nil
        }
        return Int(min(seconds / 3600, 1e9))
    }

    private static let leastSecondsOfDays = 20 * 3600.0
    private static let leastSecondsBetweenRowsOfDays = 30.0

    /// The quantities that are no totals.
    var partial: [TableQuantity] {
        (distances.isPartial ? [.distance] : []) + (energies.isPartial ? [.energy] : [])
    }

    /// How far a quantity falls. A total falls only when it begins anew or is corrected, but the part of a row varies all
    /// the time.
    private struct Trend {
        private var latest = 0.0, highest = 0.0
        private var falls = 0
        private var fallen = 0.0

        mutating func add(_ value: Double) {
            if value < latest, value > latest / 2 {
                falls += 1
                fallen += latest - value
            }
            latest = value
            highest = max(highest, value)
        }

        var isPartial: Bool { falls >= 5 && fallen > highest }
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

    /// Ends the survey after the last row.
    ///
    /// - Parameter lapEnds: The ends of laps that no column has, in seconds since the start.
    mutating func finish(lapEnds: [Double]) {
        guard let first = stated.samples?.lowerBound, let latest else { return }
        parts.append(part)
        stated.samples = first...latest
        let start = startBeforeRows ?? first
        if startBeforeRows != nil { stated.sessions = [StatedWorkout.Stretch(start: start)] }
        if let pause, latest > pause { stated.breaks.append(TimeSpan(start: pause, end: latest)) }
        // The last of several laps ends with the workout.
        if lap ?? 0 > 0 { endLap(at: latest) }
        if !lapEnds.isEmpty { lapStart = start }
        for end in lapEnds.map({ start + $0 }) where lapStart < latest { addLap(to: min(end, latest)) }
    }

    mutating func mapTimes(_ map: (Double) -> Double) {
        stated = stated.mappingTimes(map)
        for index in parts.indices {
            parts[index].start = map(parts[index].start)
            parts[index].counted = parts[index].counted.map(map)
        }
    }
}

extension TableLayout.Clock {
    /// Whether the recording begins this many seconds before its first row, which ends the first interval.
    fileprivate func startsBeforeRows(by seconds: Double) -> Bool {
        switch self {
        case .beats, .rows: true
        // A later row is the first of a piece of a recording.
        case .elapsed, .clock: (0...10).contains(seconds)
        default: false
        }
    }
}
