import Foundation
import HealthData
package import SessionLog

/// The values measured during a workout, for charts: a fold over the entries of its log.
///
/// Seconds are counted from the start and include pauses. Readings in a pause do not count and are not drawn. No line
/// is drawn across a pause, an absence of the sensor, or a silence.
package struct WorkoutTimeline: Sendable {
    /// A place on the route.
    package struct Place: Sendable, Equatable {
        /// Seconds since the start.
        package var seconds: Double
        package var latitudeInDegrees: Double
        package var longitudeInDegrees: Double
        package var altitudeInMeters: Double?
        /// Whether a pause lies between this place and the one before.
        package var followsPause: Bool
        fileprivate var isAdded = false

        package init(
            seconds: Double, latitudeInDegrees: Double, longitudeInDegrees: Double, altitudeInMeters: Double? = nil,
            followsPause: Bool = false
        ) {
            self.seconds = seconds
            self.latitudeInDegrees = latitudeInDegrees
            self.longitudeInDegrees = longitudeInDegrees
            self.altitudeInMeters = altitudeInMeters
            self.followsPause = followsPause
        }
    }

    private var heartRates = SensorTrace()
    private var powers = SensorTrace()
    private var cadences = SensorTrace()
    private var measuredSpeeds = SensorTrace()
    private var covered = CoveredSpeed()
    private var steps = CoveredSpeed()
    package private(set) var beats = BeatTimeline()
    package private(set) var places: [Place] = []

    private var session = SessionPauses()
    private var start: Date?
    private var isOver = false
    private var followsPause = false
    package private(set) var lengthInSeconds = 0.0

    package init() {}

    package mutating func take(_ entry: SessionEntry) {
        if isOver { return }
        let share = session.take(entry)
        switch (share, entry.content) {
        case (.nothing, _): break
        case (.parts(let readings), _): for reading in readings { take(reading) }
        case (.all, .quantity(let reading)): take(reading)
        case (.all, .beats(let reading)) where start != nil:
            beats.add(reading.intervalsInMilliseconds, at: seconds(at: entry.date), sensor: reading.sensor)
        case (.all, .position(let position)) where start != nil: add(position, at: entry.date)
        case (.all, .routeDiscarded): places.removeAll(where: \.isAdded)
        case (.all, .state(let phase)): change(to: phase, at: entry.date)
        case (.all, .sensor(let status)) where status.presence != .present: sensorLeft(status.id)
        default: break
        }
        if start != nil { lengthInSeconds = max(lengthInSeconds, seconds(at: entry.date)) }
    }

    /// Leaves out the places near the start and the end, so that a shared route does not show where somebody lives. No
    /// line is drawn across a place that is left out.
    /// - Parameter radius: The distance in metres from the first and from the last place.
    package mutating func hidePlaces(within radius: Double) {
        guard let first = places.first, let last = places.last else { return }
        var kept: [Place] = []
        var isHidden = true
        for var place in places {
            if place.meters(to: first) <= radius || place.meters(to: last) <= radius {
                isHidden = true
                continue
            }
            place.followsPause = place.followsPause || isHidden
            isHidden = false
            kept.append(place)
        }
        places = kept
    }

    private func seconds(at date: Date) -> Double { start.map { date.timeIntervalSince($0) } ?? 0 }

    private mutating func change(to phase: SessionPhase, at date: Date) {
        switch phase {
        case .running where start == nil: start = date
        case .paused:
            interrupt()
            followsPause = true
        case .stopped, .ended:
            guard start != nil else { return }
            isOver = true
            lengthInSeconds = max(lengthInSeconds, seconds(at: date))
            beats.interrupt()
        default: break
        }
    }

    private mutating func interrupt() {
        heartRates.trace.interrupt()
        powers.trace.interrupt()
        cadences.trace.interrupt()
        measuredSpeeds.trace.interrupt()
        covered.interrupt()
        steps.interrupt()
        beats.interrupt()
    }

    private mutating func sensorLeft(_ id: String) {
        heartRates.sensorLeft(id)
        powers.sensorLeft(id)
        cadences.sensorLeft(id)
        measuredSpeeds.sensorLeft(id)
        beats.sensorLeft(id)
    }

    private mutating func add(_ position: PositionReading, at date: Date) {
        let latitude = position.latitudeInDegrees
        let longitude = position.longitudeInDegrees
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return }
        var place = Place(
            seconds: seconds(at: date), latitudeInDegrees: latitude, longitudeInDegrees: longitude,
            altitudeInMeters: position.altitudeInMeters, followsPause: followsPause)
        place.isAdded = position.isAdded
        places.append(place)
        followsPause = false
    }

    private mutating func take(_ reading: QuantityReading) {
        guard start != nil, reading.start <= reading.end, reading.value.isFinite else { return }
        let (from, to) = (seconds(at: reading.start), seconds(at: reading.end))
        let type = reading.type
        if reading.isHeartRate {
            if reading.value > 0 { heartRates.add(reading.value, at: from, reading.sensor) }
        } else if type.hasSuffix("Power") {
            powers.add(reading.value, at: from, reading.sensor)
        } else if type.hasSuffix("Speed") {
            measuredSpeeds.add(reading.value, at: from, reading.sensor)
        } else if type.hasSuffix("Cadence") {
            cadences.add(reading.value, at: from, reading.sensor)
        } else if type.hasPrefix("distance") {
            covered.add(reading.value, from: from, to: to, of: type)
        } else if type == "stepCount" {
            steps.add(reading.value * 60, from: from, to: to, of: type)
        }
    }
}

extension WorkoutTimeline {
    /// Heart rates in beats per minute.
    package var heartRate: Trace { heartRates.trace.separated() }
    /// Power in watts.
    package var power: Trace { powers.trace.separated() }
    /// Cadence per minute, of pedals or steps.
    package var cadence: Trace { (cadences.trace.isEmpty ? steps.trace : cadences.trace).separated() }
    /// Speed in metres per second, averaged over ten seconds: computed from distances if there are any, else as a
    /// sensor measured it.
    package var speed: Trace { (covered.trace.isEmpty ? measuredSpeeds.trace : covered.trace).separated() }

    /// Altitude in metres above sea level.
    package var altitude: Trace {
        var trace = Trace()
        for place in places {
            if place.followsPause { trace.interrupt() }
            if let altitude = place.altitudeInMeters { trace.add(altitude, at: place.seconds) }
        }
        return trace.separated()
    }

    /// The pauses, in seconds since the start.
    package var pauses: [ClosedRange<Double>] {
        session.all.compactMap { pause in
            let from = seconds(at: pause.start)
            let to = pause.end.map { seconds(at: $0) } ?? lengthInSeconds
            return from < to ? from...to : nil
        }
    }
}

/// The values of one sensor at a time. Another one takes over when the first is silent.
private struct SensorTrace: Sendable {
    var trace = Trace()
    private var sensor: String?
    private static let silenceInSeconds = 5.0

    mutating func add(_ value: Double, at seconds: Double, _ id: String?) {
        if let last = trace.points.last, id != sensor, seconds < last.seconds + Self.silenceInSeconds { return }
        if id != sensor { trace.interrupt() }
        sensor = id
        trace.add(value, at: seconds)
    }

    mutating func sensorLeft(_ id: String) { if sensor == id { trace.interrupt() } }
}

extension Trace {
    /// The least silence that is a gap, whatever the spacing of values.
    package static let shortestGapInSeconds = 30.0

    /// Returns the trace with gaps at silences: longer than ``shortestGapInSeconds`` and four times the usual spacing
    /// of values.
    func separated() -> Trace {
        let spacings = zip(points, points.dropFirst()).map { $1.seconds - $0.seconds }
        let usual = spacings.isEmpty ? 0 : spacings.sorted()[spacings.count / 2]
        let limit = max(Self.shortestGapInSeconds, 4 * usual)
        guard spacings.contains(where: { $0 > limit }) else { return self }
        var other = Trace()
        var nextStart = starts[...]
        for (index, point) in points.enumerated() {
            if nextStart.first == index {
                nextStart.removeFirst()
                other.interrupt()
            } else if index > 0, spacings[index - 1] > limit {
                other.interrupt()
            }
            other.add(point.value, at: point.seconds)
        }
        return other
    }
}

/// The speed at which a quantity adds up, from readings over stretches of time: metres become metres per second,
/// averaged over ten seconds.
struct CoveredSpeed: Sendable {
    private(set) var trace = Trace()
    private var window: [(from: Double, to: Double, amount: Double)] = []
    /// The type in use. A workout has one distance at a time, and another one takes over when the first is silent.
    private var type: String?
    private var end = -Double.infinity
    static let windowInSeconds = 10.0
    private static let silenceInSeconds = 5.0
    /// The longest reading in use. A longer one does not show how the speed changed within it.
    private static let longestReadingInSeconds = 120.0

    mutating func add(_ amount: Double, from: Double, to: Double, of type: String) {
        guard from < to, amount >= 0 else { return }
        if let known = self.type, known != type, from < end + Self.silenceInSeconds { return }
        if self.type != type || from > end + Self.silenceInSeconds { interrupt() }
        self.type = type
        guard to - from <= Self.longestReadingInSeconds else { return interrupt() }
        end = to
        if to - from >= Self.windowInSeconds {
            window = []
            trace.add(amount / (to - from), at: from)
            trace.add(amount / (to - from), at: to)
            return
        }
        window.append((from, to, amount))
        while window.count > 1, to - window[1].from >= Self.windowInSeconds { window.removeFirst() }
        guard let first = window.first, to - first.from >= Self.windowInSeconds else { return }
        trace.add(window.reduce(0) { $0 + $1.amount } / (to - first.from), at: to)
    }

    mutating func interrupt() {
        trace.interrupt()
        window = []
    }
}

extension WorkoutTimeline.Place {
    /// Returns the distance on a plane. For the few kilometres needed here, the error is below a thousandth.
    fileprivate func meters(to other: Self) -> Double {
        let metersPerDegree = 111_195.0
        var east = abs(longitudeInDegrees - other.longitudeInDegrees)
        if east > 180 { east = 360 - east }
        return hypot(
            (latitudeInDegrees - other.latitudeInDegrees) * metersPerDegree,
            east * metersPerDegree * cos(latitudeInDegrees * .pi / 180))
    }
}
