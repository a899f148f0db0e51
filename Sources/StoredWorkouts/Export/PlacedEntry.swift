import SessionLog

/// An entry and its place in the log. Entries of the same date are in order of their rank.
struct PlacedEntry: Comparable {
    var date: Date
    var rank: Int
    var content: SessionEntry.Content
    /// The entry's own date, if it comes before the pause that it is dated in.
    var own = Date.distantPast

    static func < (a: PlacedEntry, b: PlacedEntry) -> Bool { (a.date, a.rank, a.own) < (b.date, b.rank, b.own) }
    static func == (a: PlacedEntry, b: PlacedEntry) -> Bool { (a.date, a.rank, a.own) == (b.date, b.rank, b.own) }

    /// The ranks, in order.
    static let resume = 0, part = 2, quantity = 3, beats = 4, position = 5, event = 6, absence = 6, pause = 8
    /// Readings up to the start of a leg belong to the leg before.
    static let untilPart = 1
    /// Entries dated within the pause that begins here.
    static let inPause = 7
    /// A lap ends after everything of its last moment: its readings, and the lengths that end with it.
    static let lap = 9
}

extension [PlacedEntry] {
    /// Merges both in order. If places are equal, this array's entries come first.
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

/// The positions of a route that are not in the log yet.
struct RouteReading {
    private var route: StoredRoute
    private var read: [(date: Date, position: PositionReading)] = []
    private var next = 0

    init(_ route: StoredRoute) {
        self.route = route
    }

    /// Returns the next positions with places before a limit.
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

/// The sort key of measurements. Sorting keys is faster than sorting entries. At the same place, the order is that of
/// the starts, and then that of the store.
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
