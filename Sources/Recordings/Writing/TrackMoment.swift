import Foundation
import SessionLog

/// What is known of one moment: a row of a table, a point of a track, a record.
struct TrackMoment {
    /// In seconds since 2001, as the format counts them.
    var seconds: Double
    private(set) var has: UInt16 = 0
    private var values = InlineArray<10, Double>(repeating: 0)
    var position: PositionReading?
    /// What files have no channel for, by its place among ``WorkoutOutline/types``, in the unit of that.
    var others: [(type: Int, value: Double)] = []
    var beatsInMilliseconds: [Double] = []
    /// Something in it has another time than it has.
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

/// Gathers the readings of a workout into moments: what has one time comes together, and a second value of a kind begins
/// another moment of the same time, so that no reading is lost.
struct TrackMoments {
    private enum Place {
        case channel(TrackChannel, ReadingUnit.Conversion)
        case other(Int, ReadingUnit.Conversion)
    }

    /// Of dates, so many seconds are one moment; 0 takes them as they are.
    private let secondsApart: Double
    private let outline: WorkoutOutline
    private var places = KindCache<(place: Place?, adds: Bool)>()
    private var types: [TrackChannel: String]
    private var totals = [Double](repeating: 0, count: TrackChannel.allCases.count)
    private(set) var current: TrackMoment?
    /// Readings whose value or unit no file can hold, by type.
    private(set) var unusable: [String: Int] = [:]

    init(_ outline: WorkoutOutline, secondsApart: Double) {
        self.outline = outline
        self.secondsApart = secondsApart
        types = outline.parts[0].types
    }

    /// Another part begins: other types are the channels now.
    mutating func begin(part: Int, countingAnew: Bool) {
        types = outline.parts[part].types
        places.forget()
        if countingAnew { totals = totals.map { _ in 0 } }
    }

    /// The moment that is whole, where the entry belongs to another one.
    ///
    /// - Parameter entry: The date of its entry. What a device measured in a pause or behind the end stands ahead of that in the
    ///   log, and is written there: a file is in order of time, and its pauses are none of its readings.
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
            // 0 says that there was none.
            if channel == .heartRate, value <= 0 { return nil }
            if channel.isTotal { value += totals[channel.rawValue] }
            guard value.isFinite else {
                unusable[reading.type, default: 0] += 1
                return nil
            }
            if channel.isTotal {
                totals[channel.rawValue] = value
                value = value.withoutNoise
            }
            let whole = current?[channel] != nil ? take() : nil
            let other = change(to: date)
            current?[channel] = value
            return whole ?? other
        case .other(let type, let conversion):
            let value = conversion(reading.value)
            guard value.isFinite else {
                unusable[reading.type, default: 0] += 1
                return nil
            }
            let isThere = current?.others.contains { $0.type == type } ?? false
            let whole = isThere ? take() : nil
            let other = change(to: date)
            current?.others.append((type, value))
            return whole ?? other
        }
    }

    mutating func add(_ position: PositionReading, at date: Date) -> TrackMoment? {
        let whole = current?.position != nil ? take() : nil
        let other = change(to: date)
        current?.position = position
        // Where a speed was measured, that of the position is the same one.
        if types[.speed] == nil, let speed = position.speedInMetersPerSecond, speed.isFinite {
            current?[.speed] = speed
        }
        return whole ?? other
    }

    mutating func add(_ beats: BeatReading, at date: Date) -> TrackMoment? {
        let intervals = beats.intervalsInMilliseconds.filter { $0 > 0 && $0.isFinite }
        guard !intervals.isEmpty else { return nil }
        // They were measured over seconds: to round their date changes none of them.
        let whole = change(to: date, isExact: false)
        current?.beatsInMilliseconds += intervals
        return whole
    }

    /// The moment that is under way.
    mutating func take() -> TrackMoment? {
        defer { current = nil }
        return current
    }

    /// Begins a moment of this date, unless that is the one under way.
    private mutating func change(to date: Date, isExact: Bool = true) -> TrackMoment? {
        var seconds = date.timeIntervalSinceReferenceDate
        if secondsApart > 0 { seconds = (seconds / secondsApart).rounded() * secondsApart }
        let isRounded = isExact && seconds != date.timeIntervalSinceReferenceDate
        if let current, current.seconds == seconds {
            if isRounded { self.current?.isRounded = true }
            return nil
        }
        let whole = take()
        current = TrackMoment(seconds: seconds)
        current?.isRounded = isRounded
        return whole
    }

    private mutating func findPlace(of reading: QuantityReading) -> (place: Place?, adds: Bool) {
        let found = (place: place(of: reading), adds: QuantityReading.addsUp(reading.type))
        places.note(found, of: reading.kind)
        return found
    }

    private func place(of reading: QuantityReading) -> Place? {
        if let channel = TrackChannel(type: reading.type), types[channel] == reading.type,
            let conversion = ReadingUnit.conversion(from: reading.unit, to: channel.unit)
        {
            return .channel(channel, conversion)
        }
        guard let type = outline.types.firstIndex(where: { $0.name == reading.type }),
            let conversion = ReadingUnit.conversion(from: reading.unit, to: outline.types[type].unit)
        else { return nil }
        return .other(type, conversion)
    }
}

extension Double {
    /// To the millionth: what adding up leaves behind that is no measured value.
    var withoutNoise: Double { magnitude < 1e9 ? (self * 1e6).rounded() / 1e6 : self }
}
