import SessionLog

/// The place of an entry in the log. Entries of the same date are in order of their rank.
struct EntryPlace: Comparable {
    var date: Date
    var rank: Int
    /// The entry's own date, if it comes before the pause that it is dated in.
    var own = Date.distantPast

    static func < (a: EntryPlace, b: EntryPlace) -> Bool {
        if a.date != b.date { return a.date < b.date }
        if a.rank != b.rank { return a.rank < b.rank }
        return a.own < b.own
    }

    /// The ranks, in order.
    static let resume = 0, part = 3, quantity = 4, beats = 5, position = 6, event = 7, absence = 7, pause = 9
    /// Readings up to the start of a leg belong to the leg before, and so does its last lap.
    static let untilPart = 1, lapUntilPart = 2
    /// Entries dated within the pause that begins here.
    static let inPause = 8
    /// A lap ends after everything of its last moment: its readings, and the lengths that end with it.
    static let lap = 10
    /// A leg ends after its last lap.
    static let partEnd = 11
}

/// An entry and its place in the log.
struct PlacedEntry {
    var place: EntryPlace
    var content: SessionEntry.Content

    init(_ place: EntryPlace, _ content: SessionEntry.Content) {
        self.place = place
        self.content = content
    }

    init(date: Date, rank: Int, content: SessionEntry.Content) {
        self.init(EntryPlace(date: date, rank: rank), content)
    }
}

extension [PlacedEntry] {
    /// A stable sort: entries of the same place stay in their order.
    func inOrder() -> [PlacedEntry] {
        enumerated().sorted { a, b in
            a.element.place == b.element.place ? a.offset < b.offset : a.element.place < b.element.place
        }.map(\.element)
    }
}

/// The positions of a route that are not in the log yet.
struct RouteReading {
    private var route: StoredRoute
    private var read: [(date: Date, position: PositionReading)] = []
    private var next = 0

    /// Reads the first positions.
    init(_ route: StoredRoute) throws {
        self.route = route
        try readOn()
    }

    /// Nil at the end.
    var first: (date: Date, position: PositionReading)? { next < read.count ? read[next] : nil }

    mutating func removeFirst() throws {
        next += 1
        try readOn()
    }

    private mutating func readOn() throws {
        while next == read.count {
            guard let more = try route.next() else { return }
            (read, next) = (more, 0)
        }
    }
}

/// Measurements in the order of the log. At the same place, the order is that of the starts, and then that of the store.
///
/// A measurement becomes an entry when it is removed: entries are several times as large, and sorting moves everything.
struct MeasurementQueue {
    private struct Item: Comparable {
        var place: EntryPlace
        var start: Double
        var sequence: Int64
        var number: Int
        var kind: Int
        var hasOrigin: Bool

        static func < (a: Item, b: Item) -> Bool {
            if a.place != b.place { return a.place < b.place }
            return (a.start, a.sequence, a.number) < (b.start, b.sequence, b.number)
        }
    }

    private var measurements: [StoredMeasurement] = []
    private var kinds: [ReadingKind] = []
    private var items: [Item] = []
    private var next = 0

    /// Nil if it is empty.
    var firstPlace: EntryPlace? { next < items.count ? items[next].place : nil }

    /// Replaces what is in the queue.
    ///
    /// - Parameters:
    ///   - kind: The kind of readings of measurements that were stored together.
    ///   - placing: The place of a measurement, and whether its entry contains the UUID of its sample.
    mutating func fill(
        _ new: [StoredMeasurement], kind: (StoredMeasurement.Shared) -> ReadingKind,
        place placing: (StoredMeasurement) -> (EntryPlace, hasOrigin: Bool)
    ) {
        measurements = new
        next = 0
        kinds.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        items.reserveCapacity(new.count)
        var latest: StoredMeasurement.Shared?
        for (number, measurement) in new.enumerated() {
            if measurement.shared !== latest {
                latest = measurement.shared
                kinds.append(kind(measurement.shared))
            }
            let (place, hasOrigin) = placing(measurement)
            items.append(
                Item(
                    place: place, start: measurement.start, sequence: measurement.sequence, number: number,
                    kind: kinds.count - 1, hasOrigin: hasOrigin))
        }
        items.sort()
    }

    /// Nil if it is empty.
    mutating func popFirst() -> SessionEntry? {
        guard next < items.count else { return nil }
        let item = items[next]
        next += 1
        let measurement = measurements[item.number]
        let reading = QuantityReading(
            kinds[item.kind], measurement.value, start: Date(timeIntervalSinceReferenceDate: measurement.start),
            end: Date(timeIntervalSinceReferenceDate: measurement.end),
            origin: item.hasOrigin ? SampleOrigin(id: measurement.sample) : nil)
        return SessionEntry(item.place.date, .quantity(reading))
    }
}
