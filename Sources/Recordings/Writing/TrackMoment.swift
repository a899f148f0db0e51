import Foundation
import SessionLog
import Units

/// All values of one moment: a row of a table, a point of a track, a record.
struct TrackMoment {
    /// The time in seconds since 2001, rounded as the format requires.
    var seconds: Double
    private(set) var has: UInt16 = 0
    private var values = InlineArray<10, Double>(repeating: 0)
    var position: PositionReading?
    /// Values without a channel, by the index of their type in ``WorkoutOutline/types`` and in its unit.
    var others: [(type: Int, value: Double)] = []
    var beatsInMilliseconds: [Double] = []
    /// Whether some value in it was measured at a slightly different time.
    var isRounded = false

    init(seconds: Double) { self.seconds = seconds }

    var isEmpty: Bool { has == 0 && position == nil && others.isEmpty && beatsInMilliseconds.isEmpty }
    var date: Date { Date(timeIntervalSinceReferenceDate: seconds) }

    subscript(channel: TrackChannel) -> Double? {
        get { has & 1 << UInt16(channel.rawValue) == 0 ? nil : values[channel.rawValue] }
        set {
            guard let newValue else {
                has &= ~(1 << UInt16(channel.rawValue))
                return
            }
            has |= 1 << UInt16(channel.rawValue)
            values[channel.rawValue] = newValue
        }
    }
}

/// Groups the readings of a workout into moments. Readings of the same time go together. A second value of a kind
/// begins another moment of the same time, so that no reading is lost.
struct TrackMoments {
    private enum Place {
        case channel(TrackChannel, UnitConversion)
        case other(Int, UnitConversion)
    }

    /// Times are rounded to multiples of this many seconds. 0 keeps them as they are.
    private let secondsApart: Double
    private let outline: WorkoutOutline
    private var places = KindCache<(place: Place?, adds: Bool)>()
    private var types: [TrackChannel: String]
    private var totals = [Double](repeating: 0, count: TrackChannel.allCases.count)
    /// When each total was reached.
    private var totalDates = [Date](repeating: .distantPast, count: TrackChannel.allCases.count)
    /// When the workout began or went on, which a file states by itself.
    private var runningSince = Date.distantPast
    /// The moment before the current one. It waits, because the next reading of a total may begin there.
    private var previous: TrackMoment?
    private var current: TrackMoment?
    /// The moment that comes before the one that `add` returned.
    private var displaced: TrackMoment?
    /// The number of readings whose value or unit no file can hold, by type.
    private(set) var unusable: [String: Int] = [:]

    init(_ outline: WorkoutOutline, secondsApart: Double) {
        self.outline = outline
        self.secondsApart = secondsApart
        types = outline.parts[0].types
    }

    /// Begins another part, whose channels can have other types.
    mutating func begin(part: Int, countingAnew: Bool) {
        types = outline.parts[part].types
        places.forget()
        if countingAnew { totals = totals.map { _ in 0 } }
    }

    /// Adds a reading and returns the moment before the previous one, if the reading begins another moment.
    ///
    /// - Parameter entry: The date of the entry in the log. A reading from a pause, or after the end, is logged just
    ///   before the pause or the end, and gets that date here: a file is in order of time, and has no readings in its
    ///   pauses.
    mutating func add(_ reading: QuantityReading, at entry: Date) -> TrackMoment? {
        let (place, adds) = places[reading.kind] ?? findPlace(of: reading)
        guard reading.value.isFinite, let place else {
            unusable[reading.type, default: 0] += 1
            return nil
        }
        let date = min(adds ? reading.end : reading.start, entry)
        switch place {
        case .channel(let channel, let conversion):
            var value = conversion(reading.value)
            // 0 means that there was no heart rate.
            if channel == .heartRate, value <= 0 { return nil }
            if channel.isTotal {
                noteStart(of: channel, at: reading.start, until: date)
                value += totals[channel.rawValue]
            }
            guard value.isFinite else {
                unusable[reading.type, default: 0] += 1
                return nil
            }
            if channel.isTotal {
                totals[channel.rawValue] = value
                totalDates[channel.rawValue] = date
                value = value.withoutNoise
            }
            let isNew = current?[channel] != nil
            let whole = change(to: date, beginningAnother: isNew)
            current?[channel] = value
            return whole
        case .other(let type, let conversion):
            let value = conversion(reading.value)
            guard value.isFinite else {
                unusable[reading.type, default: 0] += 1
                return nil
            }
            let isNew = current?.others.contains { $0.type == type } ?? false
            let whole = change(to: date, beginningAnother: isNew)
            current?.others.append((type, value))
            return whole
        }
    }

    mutating func add(_ position: PositionReading, at date: Date) -> TrackMoment? {
        let whole = change(to: date, beginningAnother: current?.position != nil)
        current?.position = position
        // If a speed was measured, the speed of the position is the same value.
        if types[.speed] == nil, let speed = position.speedInMetersPerSecond, speed.isFinite {
            current?[.speed] = speed
        }
        return whole
    }

    mutating func add(_ beats: BeatReading, at date: Date) -> TrackMoment? {
        let intervals = beats.intervalsInMilliseconds.filter { $0 > 0 && $0.isFinite }
        guard !intervals.isEmpty else { return nil }
        // Intervals were measured over seconds, so rounding their date does not matter.
        let whole = change(to: date, isExact: false)
        current?.beatsInMilliseconds += intervals
        return whole
    }

    /// Removes the next moment to write. Returns nil if all were written.
    mutating func take() -> TrackMoment? { displaced.take() ?? previous.take() ?? current.take() }

    /// Removes the moment that comes before the one that `add` returned. Nil if there is none.
    mutating func takeDisplaced() -> TrackMoment? { displaced.take() }

    /// Notes that the workout begins or goes on.
    mutating func run(since date: Date) { runningSince = date }

    /// Begins a moment of this date, unless it is the current one and suffices.
    private mutating func change(
        to date: Date, isExact: Bool = true, beginningAnother: Bool = false
    ) -> TrackMoment? {
        let seconds = rounded(date)
        let isRounded = isExact && seconds != date.timeIntervalSinceReferenceDate
        if !beginningAnother, let current, current.seconds == seconds {
            if isRounded { self.current?.isRounded = true }
            return nil
        }
        let whole = previous.take()
        previous = current.take()
        current = TrackMoment(seconds: seconds)
        current?.isRounded = isRounded
        return whole
    }

    private func rounded(_ date: Date) -> Double {
        let seconds = date.timeIntervalSinceReferenceDate
        return secondsApart > 0 ? (seconds / secondsApart).rounded() * secondsApart : seconds
    }

    /// Notes that a total did not change until now, so that a stop stays a stop if the file is read.
    private mutating func noteStart(of channel: TrackChannel, at start: Date, until end: Date) {
        let seconds = rounded(start)
        guard start > totalDates[channel.rawValue], seconds < rounded(end) else { return }
        let total = totals[channel.rawValue].withoutNoise
        if previous?.seconds == seconds, previous?[channel] == nil { previous?[channel] = total }
        if current?.seconds == seconds, current?[channel] == nil { current?[channel] = total }
        let since = max(totalDates[channel.rawValue], runningSince)
        guard start.timeIntervalSince(since) >= Self.shortestStopInSeconds, current?.seconds ?? -.infinity < seconds
        else { return }
        displaced = change(to: start)
        current?[channel] = total
    }

    /// A stop between two readings of a total needs a moment of its own if it lasts this long.
    private static let shortestStopInSeconds = 1.0

    private mutating func findPlace(of reading: QuantityReading) -> (place: Place?, adds: Bool) {
        let found = (place: place(of: reading), adds: QuantityReading.addsUp(reading.type))
        places.note(found, of: reading.kind)
        return found
    }

    private func place(of reading: QuantityReading) -> Place? {
        if let channel = TrackChannel(type: reading.type), types[channel] == reading.type,
            let conversion = UnitConversion(from: reading.unit, to: channel.unit)
        {
            return .channel(channel, conversion)
        }
        guard let type = outline.types.firstIndex(where: { $0.name == reading.type }),
            let conversion = UnitConversion(from: reading.unit, to: outline.types[type].unit)
        else { return nil }
        return .other(type, conversion)
    }
}

extension Double {
    /// The value rounded to millionths, which removes the rounding errors of sums.
    var withoutNoise: Double { magnitude < 1e9 ? (self * 1e6).rounded() / 1e6 : self }
}
