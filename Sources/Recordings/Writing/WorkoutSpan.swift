import Foundation
import SessionLog

/// A stretch of a workout with its measured values: a lap, a part, or the whole workout.
struct WorkoutSpan {
    var start: Date
    var end: Date
    /// Whether the workout has a lap here. Other stretches are the times before, between and after laps.
    var isLap = false
    /// The index of its part of the workout.
    var part = 0
    /// The metadata of a lap.
    var metadata: [String: MetadataValue] = [:]
    /// The duration without pauses, in seconds.
    var activeSeconds = 0.0
    /// The values of each channel by its raw value, in its unit. For totals, the sum is the amount added.
    var channels = [ValueSummary](repeating: ValueSummary(), count: TrackChannel.allCases.count)
    private var heartRates = RunningStatistics(.temporal)
    /// Whether anything was measured, with beats and positions.
    var hasReadings = false
    /// The values of each type by its index in ``WorkoutOutline/types``. The channels come from them.
    private(set) var types: [ValueSummary] = []

    init(start: Date, end: Date, part: Int = 0) {
        self.start = start
        self.end = end
        self.part = part
    }

    var elapsedInSeconds: Double { max(0, end.timeIntervalSince(start)) }

    subscript(channel: TrackChannel) -> ValueSummary { channels[channel.rawValue] }

    /// The mean speed in m/s, if speeds were measured: distance over duration, and that of the readings only without a
    /// distance.
    var meanSpeed: Double? {
        guard let mean = self[.speed].mean, activeSeconds > 0, let meters = self[.distance].total else {
            return self[.speed].mean
        }
        return meters > 0 ? meters / activeSeconds : mean
    }

    /// The mean heart rate in count/min, weighted by time without pauses.
    var meanHeartRate: Double? { heartRates.average }

    /// - Parameter value: The value of the reading in count/min.
    mutating func add(heartRate value: Double, of reading: QuantityReading) {
        heartRates.add(value, start: reading.start, end: reading.end)
    }

    /// Ends the hold of the last heart rate.
    mutating func breakHold(at date: Date) { heartRates.breakHold(at: date) }

    mutating func add(_ value: Double, type: Int) {
        hasReadings = true
        makeRoom(for: type + 1)
        types[type].add(value)
    }

    mutating func settle(_ channel: TrackChannel, type: Int) {
        if types.indices.contains(type) { channels[channel.rawValue] = types[type] }
    }

    private mutating func makeRoom(for count: Int) {
        while types.count < count { types.append(ValueSummary()) }
    }

    mutating func add(_ other: WorkoutSpan) {
        hasReadings = hasReadings || other.hasReadings
        activeSeconds += other.activeSeconds
        heartRates.merge(other.heartRates)
        makeRoom(for: other.types.count)
        for type in other.types.indices { types[type].add(other.types[type]) }
        for index in channels.indices { channels[index].add(other.channels[index]) }
    }
}

/// Finds where the laps and parts of a workout end, entry by entry, in the same way in both passes.
///
/// Every reading is in one stretch. A stretch ends with a lap (whose entry comes at its end), where a part begins, at the end
/// of the workout, and where a lap begins that does not follow the stretch before at once. Only a first survey shows these. If the entry of a lap comes after the start of the next part, and the lap ended by then,
/// the lap is the stretch before: parts and laps that change together are written in either order.
struct WorkoutStretches {
    enum Change: Equatable {
        case none
        /// The lap of this entry ended here, and another stretch begins.
        case ended
        /// A part begins. `endsStretch` means that a stretch ended before it.
        case part(endsStretch: Bool)
        /// The stretch that ended with the previous part is this lap.
        case named
    }

    /// The stretch of the next reading, and its part.
    private(set) var stretch = 0
    private(set) var part = 0
    private(set) var hasNamedParts = false
    private var hasReadings = false
    private var isBehindPart = false
    private var partStart = Date.distantPast
    /// Where the stretch begins, if a lap or a part ended before it.
    private var stretchStart = Date.distantFuture
    /// The starts of laps that do not follow the stretch before at once, in order.
    private var lapStarts: ArraySlice<Date>

    init(lapStarts: [Date] = []) { self.lapStarts = lapStarts[...] }

    /// Returns the start of the next lap, where the stretch before it ends, if the entry is the first one after it. To be called
    /// before the entry is taken, until it returns nil.
    mutating func lapStart(before entry: SessionEntry) -> Date? {
        guard let start = lapStarts.first, entry.isPartOfWorkout, entry.date > start else { return nil }
        lapStarts.removeFirst()
        stretch += 1
        stretchStart = start
        hasReadings = false
        isBehindPart = false
        return start
    }

    mutating func take(_ entry: SessionEntry) -> Change {
        switch entry.content {
        case .quantity, .beats: hasReadings = true
        // During the first pass it is not known whether the positions that apps add will stay.
        case .position(let position): hasReadings = hasReadings || !position.isAdded
        case .event(let event) where event.kind == .lap:
            if isBehindPart, event.end <= partStart {
                isBehindPart = false
                return .named
            }
            hasReadings = false
            isBehindPart = false
            stretch += 1
            stretchStart = entry.date
            return .ended
        case .activityBegan:
            // The time between the last lap of a part and the next part is a stretch without readings.
            let isTransition = entry.date.timeIntervalSince(stretchStart) > HeldLap.longestInSeconds
            let ends = hasReadings || isTransition
            // The first part begins with the workout.
            if hasNamedParts || ends || stretch > 0 { part += 1 }
            if ends { stretch += 1 }
            hasNamedParts = true
            isBehindPart = ends
            hasReadings = false
            partStart = entry.date
            stretchStart = entry.date
            return .part(endsStretch: ends)
        default: break
        }
        return .none
    }
}
