import SessionLog

/// An entry and its place in the log: what has one date is in order of its rank.
struct PlacedEntry: Comparable {
    var date: Date
    var rank: Int
    var content: SessionEntry.Content
    /// Of what stands ahead of the pause that it is dated in.
    var own = Date.distantPast

    static func < (a: PlacedEntry, b: PlacedEntry) -> Bool { (a.date, a.rank, a.own) < (b.date, b.rank, b.own) }
    static func == (a: PlacedEntry, b: PlacedEntry) -> Bool { (a.date, a.rank, a.own) == (b.date, b.rank, b.own) }

    /// The ranks, in order.
    static let resume = 0, part = 2, quantity = 3, beats = 4, position = 5, event = 6, absence = 6, pause = 8
    /// What was covered until the next part began is of the one before.
    static let untilPart = 1
    /// Dated within the pause that begins here.
    static let inPause = 7
    /// A lap ends behind all of its last moment: its readings, and the lengths that end with it.
    static let lap = 9
}

extension [PlacedEntry] {
    /// Both in one order. Of what has one place, this array's comes first.
    func merged(with others: ArraySlice<PlacedEntry>) -> [PlacedEntry] {
        if others.isEmpty { return self }
        if isEmpty { return Array(others) }
        var merged: [PlacedEntry] = []
        merged.reserveCapacity(count + others.count)
        var next = others.startIndex
        for element in self {
            while next < others.endIndex, others[next] < element {
                merged.append(others[next])
                next += 1
            }
            merged.append(element)
        }
        merged += others[next...]
        return merged
    }
}

/// The positions of a route on their way into the log.
struct RouteReading {
    private var route: StoredRoute
    private var read: [(date: Date, position: PositionReading)] = []
    private var next = 0

    init(_ route: StoredRoute) {
        self.route = route
    }

    /// The next positions whose places are before a limit.
    mutating func positions(
        before limit: PlacedEntry, _ place: (Date, SessionEntry.Content) -> PlacedEntry
    ) throws -> [PlacedEntry] {
        var found: [PlacedEntry] = []
        while true {
            while next < read.count {
                let placed = place(read[next].date, .position(read[next].position))
                guard placed < limit else { return found }
                found.append(placed)
                next += 1
            }
            guard let more = try route.next() else { return found }
            (read, next) = (more, 0)
        }
    }
}

/// By what measurements are put in order: sorting these is faster than sorting what they stand for. Of what has one place, the order is
/// that of the starts, and then that of the store.
struct MeasurementOrder: Comparable {
    var date: Date
    var rank: Int
    var own: Date
    var start: Double
    var sequence: Int64
    var number: Int

    init(_ placed: PlacedEntry, _ measurement: StoredMeasurement, _ number: Int) {
        (date, rank, own) = (placed.date, placed.rank, placed.own)
        (start, sequence) = (measurement.start, measurement.sequence)
        self.number = number
    }

    static func < (a: MeasurementOrder, b: MeasurementOrder) -> Bool {
        if a.date != b.date { return a.date < b.date }
        if a.rank != b.rank { return a.rank < b.rank }
        return (a.own, a.start, a.sequence, a.number) < (b.own, b.start, b.sequence, b.number)
    }
}
