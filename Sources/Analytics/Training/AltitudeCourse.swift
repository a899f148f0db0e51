/// The altitude over time, from which ascent, descent and grade are computed.
///
/// Altitudes of satellites and barometers fluctuate. A change of direction only counts from ``hysteresisInMeters`` on,
/// the default of GoldenCheetah (3 m; its wiki, "Options: General"); a smaller one is noise. Files do not state whether
/// a barometer measured, so all altitudes pass the same filter.
public struct AltitudeCourse: Sendable, Equatable {
    public static let hysteresisInMeters = 3.0

    private var seconds = PacedNumbers()
    private var altitudes: [Double] = []
    /// The places of the turns that are certain.
    private var turned: [Int] = []
    private var turns = AltitudeTurns()

    public init() {}

    public var isEmpty: Bool { seconds.isEmpty }

    /// Adds an altitude in metres, in order of time. One with an earlier date than the last is ignored.
    public mutating func add(_ altitude: Double, at second: Double) {
        guard altitude.isFinite, second.isFinite, second > seconds.last ?? -.infinity else { return }
        seconds.append(second)
        altitudes.append(altitude)
        if let turn = turns.add(altitude, at: altitudes.count - 1) { turned.append(turn.place) }
    }

    /// Returns the altitude, interpolated in time between two altitudes. Nil outside them.
    public func altitude(atSeconds second: Double) -> Double? {
        guard let first = seconds.first, let last = seconds.last, second >= first, second <= last else { return nil }
        let next = seconds.partitioningIndex { $0 >= second }
        guard next > 0 else { return altitudes.first }
        let share = (second - seconds[next - 1]) / (seconds[next] - seconds[next - 1])
        return altitudes[next - 1] + share * (altitudes[next] - altitudes[next - 1])
    }

    /// Returns a lowest or highest point. Between two of them the altitude changes by at least the hysteresis.
    private func turn(_ number: Int) -> (second: Double, altitude: Double) {
        let place = number < turned.count ? turned[number] : turns.latest?.place ?? 0
        return (seconds[place], altitudes[place])
    }

    /// The number of turns, with the last one, which may still move.
    private var turnCount: Int { turns.latest == nil ? turned.count : turned.count + 1 }

    /// Returns the altitude, which is also known shortly before the first and after the last one.
    func altitude(nearSecond second: Double) -> Double? {
        guard let first = seconds.first, let last = seconds.last, second >= first - Self.edgeInSeconds,
            second <= last + Self.edgeInSeconds
        else { return nil }
        return altitude(atSeconds: min(max(second, first), last))
    }

    private static let edgeInSeconds = 10.0

    /// Metres up and metres down.
    public struct Climb: Sendable, Equatable {
        public var ascent = 0.0
        public var descent = 0.0

        public init(ascent: Double = 0, descent: Double = 0) {
            self.ascent = ascent
            self.descent = descent
        }
    }

    /// Returns the climb between two moments, with the incomplete rises at both. Nil if there are no altitudes in
    /// between.
    public func climb(from start: Double = -.infinity, to end: Double = .infinity) -> Climb? {
        let first = seconds.partitioningIndex { $0 >= start }
        let last = seconds.partitioningIndex { $0 > end }
        guard first < last else { return nil }
        var climb = Climb()
        let turns = 0..<turnCount
        for number in max(1, turns.partitioningIndex { turn($0).second > start })..<max(1, turnCount) {
            let from = turn(number - 1)
            let to = turn(number)
            guard from.second < end else { break }
            // Between two turns the altitude only rises or falls. At a bound, the rise is cut at the altitude there.
            let begin = from.second >= start ? from.altitude : altitude(atSeconds: start) ?? from.altitude
            let finish = to.second <= end ? to.altitude : altitude(atSeconds: end) ?? to.altitude
            let rise = finish - begin
            if to.altitude > from.altitude { climb.ascent += max(0, rise) } else { climb.descent += max(0, -rise) }
        }
        return climb
    }
}

/// Computes ascent and descent as altitudes arrive, with the results of ``AltitudeCourse/climb(from:to:)`` for all of
/// them. It keeps no altitudes.
public struct RunningClimb: Sendable, Equatable {
    private var turns = AltitudeTurns()
    private var lastTurn: Double?
    private var lastSecond = -Double.infinity
    private var sum = AltitudeCourse.Climb()

    public init() {}

    /// Adds an altitude in metres, in order of time. One with an earlier date than the last is ignored.
    public mutating func add(_ altitude: Double, at second: Double) {
        guard altitude.isFinite, second.isFinite, second > lastSecond else { return }
        lastSecond = second
        guard let turn = turns.add(altitude, at: 0) else { return }
        sum = sum(until: turn.altitude)
        lastTurn = turn.altitude
    }

    /// The ascent and descent so far. Nil if there are no altitudes.
    public var climb: AltitudeCourse.Climb? {
        lastSecond.isFinite ? turns.latest.map { sum(until: $0.altitude) } ?? sum : nil
    }

    private func sum(until altitude: Double) -> AltitudeCourse.Climb {
        guard let lastTurn else { return sum }
        var sum = sum
        if altitude > lastTurn { sum.ascent += altitude - lastTurn } else { sum.descent += lastTurn - altitude }
        return sum
    }
}

/// Finds the turns of altitudes as they arrive.
struct AltitudeTurns: Sendable, Equatable {
    /// A lowest or highest point.
    struct Turn: Sendable, Equatable {
        /// The place among all altitudes, as the caller counts them.
        var place: Int
        var altitude: Double
    }

    /// The lowest and the highest point since the last turn.
    private var low: Turn?
    private var high: Turn?
    /// 1 on the way up, −1 on the way down, 0 before either.
    private var direction = 0

    /// The last turn, which may still move. Nil until the altitude rises or falls.
    var latest: Turn? { direction == 0 ? nil : direction > 0 ? high : low }

    /// - Returns: The turn that this altitude confirms.
    mutating func add(_ altitude: Double, at place: Int) -> Turn? {
        let here = Turn(place: place, altitude: altitude)
        guard let lowest = low?.altitude, let highest = high?.altitude else {
            (low, high) = (here, here)
            return nil
        }
        if direction >= 0, altitude > highest { high = here }
        if direction <= 0, altitude < lowest { low = here }
        if direction >= 0, let top = high, top.altitude - altitude >= AltitudeCourse.hysteresisInMeters {
            (direction, low) = (-1, here)
            return top
        }
        if direction <= 0, let bottom = low, altitude - bottom.altitude >= AltitudeCourse.hysteresisInMeters {
            (direction, high) = (1, here)
            return bottom
        }
        return nil
    }
}
