import Foundation
import SessionLog

/// A stretch of a workout with what was measured in it: a lap, a part, or all of it.
struct WorkoutSpan {
    var start: Date
    var end: Date
    /// A lap that the workout itself says; the others are what lies between those, before and behind them.
    var isLap = false
    /// Which part of the workout it is in.
    var part = 0
    /// Of a lap.
    var metadata: [String: MetadataValue] = [:]
    /// Without pauses.
    var activeSeconds = 0.0
    /// Of each channel by its raw value, in its unit. Of what adds up the sum is what was added.
    var channels = [ValueSummary](repeating: ValueSummary(), count: TrackChannel.allCases.count)
    /// Beats and positions are counted, too.
    var hasReadings = false
    /// The figures of each type by its place among ``WorkoutOutline/types``, of which the channels are made.
    private(set) var types: [ValueSummary] = []

    init(start: Date, end: Date, part: Int = 0) {
        self.start = start
        self.end = end
        self.part = part
    }

    var elapsedInSeconds: Double { max(0, end.timeIntervalSince(start)) }

    subscript(channel: TrackChannel) -> ValueSummary { channels[channel.rawValue] }

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
        makeRoom(for: other.types.count)
        for type in other.types.indices { types[type].add(other.types[type]) }
        for index in channels.indices { channels[index].add(other.channels[index]) }
    }
}

/// Where the laps and parts of a workout end, entry by entry: the same both times that its entries are taken.
///
/// Every reading is in one stretch. A stretch ends where a lap does (its entry stands at its end), where a part begins, and
/// where the workout ends. A lap whose entry comes behind the beginning of the next part, and that ended by then, is the
/// stretch before: parts and laps that change together are written in either order.
struct WorkoutStretches {
    enum Change: Equatable {
        case none
        /// The lap of this entry ended here, and another stretch begins.
        case ended
        /// A part begins; before it a stretch ended, where there was one.
        case part(endsStretch: Bool)
        /// The stretch that ended with the part before was this lap.
        case named
    }

    /// The stretch that the next reading is in, and its part.
    private(set) var stretch = 0
    private(set) var part = 0
    private(set) var hasNamedParts = false
    private var hasReadings = false
    private var isBehindPart = false
    private var partStart = Date.distantPast

    mutating func take(_ entry: SessionEntry) -> Change {
        switch entry.content {
        case .quantity, .beats: hasReadings = true
        // Of those that apps add it is not known the first time whether they stay.
        case .position(let position): hasReadings = hasReadings || !position.isAdded
        case .event(let event) where event.kind == .lap:
            if isBehindPart, event.end <= partStart {
                isBehindPart = false
                return .named
            }
            hasReadings = false
            isBehindPart = false
            stretch += 1
            return .ended
        case .activityBegan:
            let ends = hasReadings
            // The first part begins with the workout.
            if hasNamedParts || ends || stretch > 0 { part += 1 }
            if ends { stretch += 1 }
            hasNamedParts = true
            isBehindPart = ends
            hasReadings = false
            partStart = entry.date
            return .part(endsStretch: ends)
        default: break
        }
        return .none
    }
}
