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
    /// The restarts of each total that are still to come.
    private var restarts: [(channel: TrackChannel, dates: ArraySlice<WorkoutOutline.Restart>)]
    private var current: TrackMoment?
    /// The time of the last moment.
    private var lastSeconds = -Double.infinity
    private var finished: [TrackMoment] = []
    /// The number of readings whose value or unit no file can hold, by type.
    private(set) var unusable: [String: Int] = [:]

    init(_ outline: WorkoutOutline, secondsApart: Double) {
        self.outline = outline
        self.secondsApart = secondsApart
        types = outline.parts[0].types
        restarts = Self.restarts(of: types, outline)
    }

    private static func restarts(
        of types: [TrackChannel: String], _ outline: WorkoutOutline
    ) -> [(channel: TrackChannel, dates: ArraySlice<WorkoutOutline.Restart>)] {
        TrackChannel.allCases.filter(\.isTotal).compactMap { channel in
            types[channel].map { (channel, outline.restarts(of: $0)[...]) }
        }
    }

    /// Begins another part, whose channels can have other types.
    mutating func begin(part: Int, countingAnew: Bool) {
        types = outline.parts[part].types
        restarts = Self.restarts(of: types, outline)
        places.forget()
        if countingAnew { totals = totals.map { _ in 0 } }
    }

    /// Adds a reading.
    ///
    /// - Parameter entry: The date of the entry in the log. A reading from a pause, or after the end, is logged just
    ///   before the pause or the end, and gets that date here: a file is in order of time, and has no readings in its
    ///   pauses.
    mutating func add(_ reading: QuantityReading, at entry: Date) {
        let (place, adds) = places[reading.kind] ?? findPlace(of: reading)
        guard reading.value.isFinite, let place else { return unusable[reading.type, default: 0] += 1 }
        let date = min(adds ? reading.end : reading.start, entry)
        switch place {
        case .channel(let channel, let conversion):
            var value = conversion(reading.value)
            // 0 means that there was no heart rate.
            if channel == .heartRate, value <= 0 { return }
            if channel.isTotal { value += totals[channel.rawValue] }
            guard value.isFinite else { return unusable[reading.type, default: 0] += 1 }
            begin(at: date, another: current?[channel] != nil)
            if channel.isTotal {
                totals[channel.rawValue] = value
                value = value.withoutNoise
            }
            current?[channel] = value
        case .other(let type, let conversion):
            let value = conversion(reading.value)
            guard value.isFinite else { return unusable[reading.type, default: 0] += 1 }
            begin(at: date, another: current?.others.contains { $0.type == type } ?? false)
            current?.others.append((type, value))
        }
    }

    mutating func add(_ position: PositionReading, at date: Date) {
        begin(at: date, another: current?.position != nil)
        current?.position = position
        // If a speed was measured, the speed of the position is the same value.
        if types[.speed] == nil, let speed = position.speedInMetersPerSecond, speed.isFinite {
            current?[.speed] = speed
        }
    }

    mutating func add(_ beats: BeatReading, at date: Date) {
        let intervals = beats.intervalsInMilliseconds.filter { $0 > 0 && $0.isFinite }
        guard !intervals.isEmpty else { return }
        // Intervals were measured over seconds, so rounding their date does not matter.
        begin(at: date, isExact: false)
        current?.beatsInMilliseconds += intervals
    }

    /// Returns the next finished moment, and removes it. Nil if none is finished.
    mutating func next() -> TrackMoment? { finished.isEmpty ? nil : finished.removeFirst() }

    /// Ends the current moment, because something else follows at this date.
    mutating func end(at date: Date) {
        finish()
        finishRests(before: rounded(date))
    }

    /// Begins a moment of this date, unless the current one has it.
    /// - Parameter another: Whether the current moment has such a value already.
    private mutating func begin(at date: Date, isExact: Bool = true, another: Bool = false) {
        let seconds = rounded(date)
        let isRounded = isExact && seconds != date.timeIntervalSinceReferenceDate
        if !another, let current, current.seconds == seconds {
            if isRounded { self.current?.isRounded = true }
            return
        }
        finish()
        finishRests(before: seconds)
        current = TrackMoment(seconds: seconds)
        current?.isRounded = isRounded
    }

    private func rounded(_ date: Date) -> Double {
        let seconds = date.timeIntervalSinceReferenceDate
        return secondsApart > 0 ? (seconds / secondsApart).rounded() * secondsApart : seconds
    }

    private mutating func finish() {
        guard var moment = current.take() else { return }
        takeRestarts(into: &moment)
        append(moment)
    }

    private mutating func append(_ moment: TrackMoment) {
        lastSeconds = moment.seconds
        finished.append(moment)
    }

    /// Adds a moment at the end of each rest before this time, so that a rest stays a rest if the file is read: a total
    /// did not change until there.
    private mutating func finishRests(before seconds: Double) {
        while let next = restarts.lazy.compactMap(\.dates.first).min(by: { $0.date < $1.date }) {
            var moment = TrackMoment(seconds: rounded(next.date))
            guard moment.seconds < seconds else { return }
            takeRestarts(into: &moment)
            if next.endsRest, moment.seconds > lastSeconds { append(moment) }
        }
    }

    /// Removes the restarts until a moment, and adds the totals that grow from it on.
    private mutating func takeRestarts(into moment: inout TrackMoment) {
        for index in restarts.indices {
            while let restart = restarts[index].dates.first, rounded(restart.date) <= moment.seconds {
                restarts[index].dates.removeFirst()
                let channel = restarts[index].channel
                guard rounded(restart.date) == moment.seconds, moment[channel] == nil else { continue }
                moment[channel] = totals[channel.rawValue].withoutNoise
            }
        }
    }

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
