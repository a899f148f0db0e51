import Foundation
import SessionLog

/// One workout of a file of tracks, looked over: what has to be known before its entries can be made.
///
/// What grows with it are laps, interruptions, and points that step back in time; of all others only numbers are kept.
struct TrackSurvey {
    struct Part {
        var sport: String?
        /// When its first lap or point is; nil where it has neither.
        var start: Double?
        var distance = CountedDistanceSurvey(scale: 1)
        /// When its distance was first counted.
        var counted: Double?
        /// What its laps say in all; nil where one does not.
        var distanceInMeters: Double? = 0
        var session = TrackSession()
        var metersBetweenPositions = 0.0
        /// What the part, or else its laps say in all; nil if neither does.
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
        /// Interruptions that are no longer than ``leastInterruptionInSeconds``.
        var shortBreaks: [TimeSpan] = []
        /// The longest times without a point.
        var holes = LongestGaps()
        /// Points in it that tell a distance, and those that tell a position.
        var counts = 0
        var positions = 0
        /// When the last distance was counted.
        var lastCount: Double?
        var metersBetweenPositions = 0.0
    }

    struct Late {
        /// Place among the points.
        var place: Int
        var point: TrackPoint
    }

    /// Where its element begins.
    let byte: Int
    let goesOn: Bool
    private(set) var parts: [Part] = []
    private(set) var laps: [Lap] = []
    private(set) var interruptions: [TimeSpan] = []
    /// The longest times without a point, interruptions left out.
    private var gaps = LongestGaps()
    private(set) var late: [Late] = []
    private(set) var device: TrackDevice?
    /// The stored workout that this package wrote the file of.
    private(set) var workoutID: UUID?
    private(set) var labels = WorkoutLabels()
    /// All of them.
    private(set) var points = 0
    private(set) var timeless = 0
    private(set) var heartRate = ValueSummary()
    private(set) var beats: [TrackBeats] = []
    private(set) var temperature = ValueSummary()
    private(set) var first: Double?
    private(set) var latest: Double?
    private(set) var hasPositions = false
    private(set) var hasDistance = false
    /// What lies between the positions.
    var metersBetweenPositions: Double { parts.reduce(0) { $0 + $1.metersBetweenPositions } }
    private var lastPosition: TrackPoint?
    private var isInLap = false
    /// The next point is the first of a segment; of the first one of a lap, where `isNewLap`.
    private var isNewSegment = false
    private var isNewLap = false

    /// From one point to the next where a track is recorded each second.
    private static let leastInterruptionInSeconds = 1.0
    /// Of a lap. Some programs begin a track with every point.
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
        case .session(let session):
            if !parts.isEmpty { parts[parts.count - 1].session = session }
            beginPart(session.start)
        case .device(let device): self.device = self.device ?? device
        case .identity(let id): workoutID = workoutID ?? id
        case .labels(let later): labels = later.completed(by: labels)
        case .lapBegan(let start): beginLap(start)
        case .lapEnded(let said): endLap(said)
        case .segment: isNewSegment = true
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
        let told = parts[parts.count - 1].distanceInMeters
        parts[parts.count - 1].distanceInMeters =
            said.distanceInMeters >= 0 ? told.map { $0 + said.distanceInMeters } : nil
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
            if let lastPosition {
                let meters = EarthDistance.meters(from: lastPosition.coordinates, to: point.coordinates)
                if !parts.isEmpty { parts[parts.count - 1].metersBetweenPositions += meters }
                if isInLap { laps[laps.count - 1].metersBetweenPositions += meters }
            }
            lastPosition = point
        }
        if point.hasDistance, !parts.isEmpty {
            hasDistance = true
            let counted = parts[parts.count - 1].counted
            parts[parts.count - 1].counted = counted ?? point.time
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
        }
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
            lastPosition = nil
            if isInLap { laps[lap].interruptedInSeconds += hole.seconds }
        } else {
            gaps.add(hole)
            if isInLap, !isNewLap { laps[lap].holes.add(hole) }
        }
    }

    // MARK: More of the same workout

    /// Whether a track that begins another workout of the file is more of this one.
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

    // MARK: What the file states

    /// What laps, points and tracks state of the workout's times.
    var stated: StatedWorkout {
        var stated = StatedWorkout()
        stated.laps = laps.map { lap in
            var stretch = StatedWorkout.Stretch()
            stretch.start = lap.start.isNaN ? nil : lap.start
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
                StatedWorkout.Stretch(start: $0.session.start, elapsed: $0.session.seconds)
            }
        }
        let times = [first, latest, beats.first?.time, beats.last?.time].compactMap { $0 } + late.map(\.point.time)
        if let first = times.min(), let last = times.max() { stated.samples = first...last }
        stated.breaks = interruptions
        stated.gaps = gaps
        return stated
    }

    /// The same in the times of a clock that was never set, but for what ``stated`` tells.
    func corrected(by jumps: ClockJumps) -> TrackSurvey {
        guard !jumps.isEmpty else { return self }
        var other = self
        for index in parts.indices {
            other.parts[index].start = parts[index].start.map(jumps.corrected)
            other.parts[index].counted = parts[index].counted.map(jumps.corrected)
        }
        for index in laps.indices { other.laps[index].lastCount = laps[index].lastCount.map(jumps.corrected) }
        for index in late.indices { other.late[index].point.time = jumps.corrected(late[index].point.time) }
        for index in beats.indices { other.beats[index].time = jumps.corrected(beats[index].time) }
        return other
    }
}
