import Foundation
import SessionLog

/// A survey of one workout in a track file: all that must be known before its entries can be made.
///
/// It grows only with laps, interruptions, and points that step back in time. Of all other points it keeps only
/// figures.
struct TrackSurvey {
    struct Part {
        var sport: String?
        var activity: ActivityDescription?
        /// The time of the first lap or point. Nil if there is neither.
        var start: Double?
        var distance = CountedDistanceSurvey(scale: 1)
        /// The time of the first count of the distance.
        var counted: Double?
        /// The time of the last count.
        var lastCounted: Double?
        /// The total distance of the laps. Nil if one of them states none.
        var distanceInMeters: Double? = 0
        var session = TrackSession()
        var metersBetweenPositions = 0.0
        /// The distance that the part, or else its laps state. Nil if neither does.
        var statedMeters: Double? {
            session.distanceInMeters > 0 ? session.distanceInMeters : distanceInMeters.flatMap { $0 > 0 ? $0 : nil }
        }
    }

    struct Lap {
        var start: Double
        var said = TrackLap()
        var firstPoint: Double?
        var lastPoint: Double?
        var interruptedInSeconds = 0.0
        /// Interruptions no longer than ``leastInterruptionInSeconds``.
        var shortBreaks: [TimeSpan] = []
        /// The longest times without a point.
        var holes = LongestGaps()
        /// The number of points with a distance, and of those with a position.
        var counts = 0
        var positions = 0
        /// The time of the last count of the distance.
        var lastCount: Double?
        var metersBetweenPositions = 0.0
    }

    struct Late {
        /// The index among the points.
        var place: Int
        var point: TrackPoint
    }

    /// Offset of the workout's element in the file.
    let byte: Int
    let goesOn: Bool
    private(set) var parts: [Part] = []
    private(set) var laps: [Lap] = []
    private(set) var interruptions: [TimeSpan] = []
    /// The longest times without a point, except interruptions.
    private var gaps = LongestGaps()
    private(set) var late: [Late] = []
    private(set) var device: TrackDevice?
    /// The ID of the stored workout, if this package wrote the file.
    private(set) var workoutID: UUID?
    private(set) var labels = WorkoutLabels()
    /// The number of all points.
    private(set) var points = 0
    private(set) var timeless = 0
    private(set) var heartRate = ValueSummary()
    private(set) var beats: [TrackBeats] = []
    private(set) var temperature = ValueSummary()
    private(set) var first: Double?
    private(set) var latest: Double?
    private(set) var hasPositions = false
    private(set) var hasDistance = false
    /// The total distance between the positions.
    var metersBetweenPositions: Double { parts.reduce(0) { $0 + $1.metersBetweenPositions } }
    private var way = WayAlongPositions()
    private var isInLap = false
    /// Whether the next point is the first of a segment, and whether that segment is the first of a lap.
    private var isNewSegment = false
    private var isNewLap = false
    /// Whether the file states a pause between the last point and the next one.
    private var isAfterPause = false

    /// The time between two points of a track that is recorded every second.
    private static let leastInterruptionInSeconds = 1.0
    /// The most short breaks in a lap. Some programs begin a track with every point.
    private static let mostShortBreaks = 64

    init(byte: Int, goesOn: Bool) {
        self.byte = byte
        self.goesOn = goesOn
    }

    mutating func take(_ step: TrackStep) {
        switch step {
        case .workout: break
        case .part:
            parts.append(Part())
            isNewSegment = true
            isNewLap = true
        case .sport(let name): if !parts.isEmpty { parts[parts.count - 1].sport = name }
        case .activity(let activity): if !parts.isEmpty { parts[parts.count - 1].activity = activity }
        case .session(let session):
            if !parts.isEmpty { parts[parts.count - 1].session = session }
            beginPart(session.start)
        case .device(let device): self.device = self.device ?? device
        case .identity(let id): workoutID = workoutID ?? id
        case .labels(let later): labels = later.completed(by: labels)
        case .lapBegan(let start): beginLap(start)
        case .lapEnded(let said): endLap(said)
        case .segment: isNewSegment = true
        case .pause(let pause):
            interruptions.append(pause)
            if isInLap { laps[laps.count - 1].interruptedInSeconds += pause.seconds }
            isAfterPause = true
        case .point(let point): take(point)
        case .beats(let beats): self.beats.append(beats)
        }
    }

    private mutating func beginLap(_ start: Double) {
        isInLap = true
        isNewLap = true
        laps.append(Lap(start: start))
        beginPart(start)
    }

    private mutating func beginPart(_ time: Double) {
        guard !time.isNaN, !parts.isEmpty, parts[parts.count - 1].start == nil else { return }
        parts[parts.count - 1].start = time
    }

    private mutating func endLap(_ said: TrackLap) {
        guard isInLap, !laps.isEmpty else { return }
        isInLap = false
        laps[laps.count - 1].said = said
        guard !parts.isEmpty else { return }
        let earlier = parts[parts.count - 1].distanceInMeters
        parts[parts.count - 1].distanceInMeters =
            said.distanceInMeters >= 0 ? earlier.map { $0 + said.distanceInMeters } : nil
    }

    private mutating func take(_ point: TrackPoint) {
        let place = points
        points += 1
        if point.hasHeartRate { heartRate.add(point.heartRate) }
        hasPositions = hasPositions || point.hasPosition
        guard point.hasTime else {
            timeless += 1
            return
        }
        if let latest, point.time < latest {
            late.append(Late(place: place, point: point))
            return
        }
        first = first ?? point.time
        beginPart(point.time)
        noteTime(point.time)
        if !point.temperature.isNaN { temperature.add(point.temperature) }
        if isInLap {
            if point.hasDistance {
                laps[laps.count - 1].counts += 1
                laps[laps.count - 1].lastCount = point.time
            }
            if point.hasPosition { laps[laps.count - 1].positions += 1 }
        }
        if point.hasPosition {
            let meters = way.add(point.coordinates, at: point.time) ?? 0
            if !parts.isEmpty { parts[parts.count - 1].metersBetweenPositions += meters }
            if isInLap { laps[laps.count - 1].metersBetweenPositions += meters }
        }
        if point.hasDistance, !parts.isEmpty {
            hasDistance = true
            let counted = parts[parts.count - 1].counted
            parts[parts.count - 1].counted = counted ?? point.time
            parts[parts.count - 1].lastCounted = point.time
            parts[parts.count - 1].distance.add(point.distance)
        }
        latest = point.time
    }

    private mutating func noteTime(_ time: Double) {
        let lap = laps.count - 1
        if isInLap {
            laps[lap].firstPoint = laps[lap].firstPoint ?? time
            laps[lap].lastPoint = time
        }
        defer {
            isNewSegment = false
            isNewLap = false
            isAfterPause = false
        }
        guard !isAfterPause else { return way.interrupt() }
        guard let latest else { return }
        let hole = TimeSpan(start: latest, end: time)
        if isNewSegment, !isNewLap {
            // This package begins a segment only after a pause.
            guard hole.seconds > (workoutID == nil ? Self.leastInterruptionInSeconds : 0) else {
                if isInLap, hole.seconds > 0, laps[lap].shortBreaks.count < Self.mostShortBreaks {
                    laps[lap].shortBreaks.append(hole)
                }
                return
            }
            interruptions.append(hole)
            way.interrupt()
            if isInLap { laps[lap].interruptedInSeconds += hole.seconds }
        } else {
            gaps.add(hole)
            if isInLap, !isNewLap { laps[lap].holes.add(hole) }
        }
    }

    // MARK: More of the same workout

    /// Returns whether a later workout of the file continues this one.
    func isFollowed(by later: TrackSurvey, within seconds: Double) -> Bool {
        guard later.goesOn, let end = latest, let start = later.first else { return false }
        if let workoutID { return later.workoutID == workoutID }
        let sport = later.parts.first?.sport
        return start >= end && start - end <= seconds && (sport == nil || sport == parts.last?.sport)
    }

    mutating func append(_ later: TrackSurvey) {
        if workoutID != nil {
            // This package writes a track for each part.
            parts += later.parts
        } else if let end = latest, let start = later.first, start - end > Self.leastInterruptionInSeconds {
            interruptions.append(TimeSpan(start: end, end: start))
        }
        labels = labels.completed(by: later.labels)
        for gap in later.gaps.spans { gaps.add(gap) }
        interruptions += later.interruptions
        late += later.late.map { Late(place: $0.place + points, point: $0.point) }
        points += later.points
        timeless += later.timeless
        heartRate.add(later.heartRate)
        temperature.add(later.temperature)
        latest = later.latest ?? latest
        hasPositions = hasPositions || later.hasPositions
    }

    // MARK: Stated figures

    /// The times that laps, points and tracks state.
    var stated: StatedWorkout {
        var stated = StatedWorkout()
        stated.laps = laps.map { lap in
            var stretch = StatedWorkout.Stretch()
            stretch.start = lap.start.isNaN ? nil : lap.start
            stretch.elapsed = lap.said.elapsedSeconds >= 0 ? lap.said.elapsedSeconds : nil
            stretch.active = lap.said.seconds >= 0 ? lap.said.seconds : nil
            stretch.meters = lap.said.distanceInMeters >= 0 ? lap.said.distanceInMeters : nil
            if let first = lap.firstPoint, let last = lap.lastPoint { stretch.samples = first...last }
            stretch.gaps = lap.holes
            stretch.interruptedInSeconds = lap.interruptedInSeconds
            stretch.shortBreaks = lap.shortBreaks
            return stretch
        }
        if parts.allSatisfy({ !$0.session.start.isNaN && !$0.session.seconds.isNaN }) {
            stated.sessions = parts.map {
                StatedWorkout.Stretch(
                    start: $0.session.start, elapsed: $0.session.seconds,
                    active: $0.session.activeSeconds > 0 ? min($0.session.activeSeconds, $0.session.seconds) : nil)
            }
        }
        let times = [first, latest, beats.first?.time, beats.last?.time].compactMap { $0 } + late.map(\.point.time)
        if let first = times.min(), let last = times.max() { stated.samples = first...last }
        stated.breaks = interruptions
        stated.gaps = gaps
        return stated
    }

    /// Returns a copy in the times of a clock that was never set. It does not change what ``stated`` gives.
    func corrected(by jumps: ClockJumps) -> TrackSurvey {
        guard !jumps.isEmpty else { return self }
        var other = self
        for index in parts.indices {
            other.parts[index].start = parts[index].start.map(jumps.corrected)
            other.parts[index].counted = parts[index].counted.map(jumps.corrected)
            other.parts[index].lastCounted = parts[index].lastCounted.map(jumps.corrected)
        }
        for index in laps.indices { other.laps[index].lastCount = laps[index].lastCount.map(jumps.corrected) }
        for index in late.indices { other.late[index].point.time = jumps.corrected(late[index].point.time) }
        for index in beats.indices { other.beats[index].time = jumps.corrected(beats[index].time) }
        return other
    }
}
