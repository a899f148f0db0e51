/// Collects matching samples of several selections in an order, and reads no more rows than the limit needs.
struct LimitedSampleReader {
    private let reader: StoreReader
    private let sorts: [SampleSort]
    private let limit: Int?
    private var found: [Found] = []
    private var seen: Set<Int64> = []

    /// The opened rows.
    fileprivate final class Opened {
        let run: StoredRun
        let samples: SampleRun

        init(_ run: StoredRun, _ samples: SampleRun) {
            self.run = run
            self.samples = samples
        }
    }

    /// A sample without its object.
    fileprivate struct Found {
        var row: Opened
        var index: Int
        // Stored here because sorting needs them often, and reading the row's columns costs more.
        var sequence: Int64
        var start: Double
        var end: Double
        /// The object, if the order needs it.
        var sample: HKSample?

        init(_ row: Opened, _ samples: SampleRun, _ index: Int) {
            self.row = row
            self.index = index
            sequence = samples.sequences[index]
            start = samples.starts[index]
            end = samples.ends[index]
        }
    }

    init(_ reader: StoreReader, sortedBy sorts: [SampleSort], limit: Int?) {
        self.reader = reader
        self.sorts = sorts
        self.limit = limit
    }

    /// - Parameter hasMore: Whether another selection follows, which may contain the same samples.
    mutating func add(_ selection: SampleSelection, hasMore: Bool) throws {
        var count = 0
        let order = RunOrder(sorts.first)
        try reader.eachCandidate(selection, order: limit == nil ? "" : order.sql, opening: true) { run, filter in
            if let limit, count >= limit, isBeyond(run, order, limit) { return false }
            let samples = try reader.members(run)
            let indices = try reader.matches(run, samples, filter)
            count += indices.count
            let row = Opened(run, samples)
            for index in indices where seen.isEmpty || !seen.contains(samples.sequences[index]) {
                found.append(Found(row, samples, index))
            }
            try cut()
            return true
        }
        if hasMore { for one in found { seen.insert(one.sequence) } }
    }

    /// Whether no sample of this row and later ones can be among the first `limit`.
    private func isBeyond(_ run: StoredRun, _ order: RunOrder, _ limit: Int) -> Bool {
        guard found.count >= limit, let last = found.last else { return false }
        switch order {
        case .sequence: return run.firstSequence > last.sequence
        case .startAscending: return run.start > last.start
        case .endAscending: return run.start > last.end
        case .startDescending: return run.end < last.start
        case .endDescending: return run.end < last.end
        case .none: return false
        }
    }

    /// Keeps the first `limit`, in order.
    private mutating func cut() throws {
        guard let limit, found.count >= limit else { return }
        try sort()
        found.removeLast(found.count - limit)
    }

    private mutating func sort() throws {
        if sorts.contains(where: { !$0.key.isInColumns }) {
            if limit == nil { reader.expect(found.lazy.filter { $0.sample == nil }.map(\.row.run)) }
            for index in found.indices where found[index].sample == nil {
                let one = found[index]
                found[index].sample = try reader.sample(one.row.run, one.row.samples, one.index)
            }
        }
        found.sort { a, b in
            for sort in sorts {
                let order = sort.key.compare(a, b)
                if order != .orderedSame { return (order == .orderedAscending) == sort.ascending }
            }
            return a.sequence < b.sequence
        }
    }

    mutating func samples() throws -> [HKSample] {
        try sort()
        let kept = found.prefix(limit ?? .max)
        reader.expect(kept.lazy.filter { $0.sample == nil && !$0.row.run.kind.isColumns }.map(\.row.run))
        return try kept.map {
            try $0.sample ?? reader.sample($0.row.run, $0.row.samples, $0.index)
        }
    }
}

/// The order of reading rows, which allows an early stop.
private enum RunOrder {
    case sequence, startAscending, startDescending, endAscending, endDescending, none

    init(_ sort: SampleSort?) {
        switch (sort?.key, sort?.ascending) {
        case (nil, _): self = .sequence
        case (.startDate, true): self = .startAscending
        case (.startDate, _): self = .startDescending
        case (.endDate, true): self = .endAscending
        case (.endDate, _): self = .endDescending
        default: self = .none
        }
    }

    /// No sample ends before it starts. So a row's start is the lower bound of its ends, and its end the upper bound of its
    /// starts.
    var sql: String {
        switch self {
        case .sequence: "ORDER BY firstSequence"
        case .startAscending, .endAscending: "ORDER BY start"
        case .startDescending, .endDescending: "ORDER BY \"end\" DESC"
        case .none: ""
        }
    }
}

extension SampleSort.Key {
    fileprivate var isInColumns: Bool { self == .startDate || self == .endDate || self == .uuid }

    fileprivate func compare(_ a: LimitedSampleReader.Found, _ b: LimitedSampleReader.Found) -> ComparisonResult {
        switch self {
        case .startDate: Self.order(a.start, b.start)
        case .endDate: Self.order(a.end, b.end)
        case .uuid: Self.order(a.row.samples.id(a.index).uuidString, b.row.samples.id(b.index).uuidString)
        case .quantity:
            Self.order((a.sample as? HKQuantitySample)?.quantity, (b.sample as? HKQuantitySample)?.quantity)
        case .categoryValue:
            Self.order((a.sample as? HKCategorySample)?.value ?? 0, (b.sample as? HKCategorySample)?.value ?? 0)
        case .workoutDuration:
            Self.order((a.sample as? HKWorkout)?.duration ?? 0, (b.sample as? HKWorkout)?.duration ?? 0)
        case .workoutTotalDistance:
            Self.order((a.sample as? HKWorkout)?.totalDistance, (b.sample as? HKWorkout)?.totalDistance)
        case .workoutTotalEnergyBurned:
            Self.order((a.sample as? HKWorkout)?.totalEnergyBurned, (b.sample as? HKWorkout)?.totalEnergyBurned)
        case .workoutTotalSwimmingStrokeCount:
            Self.order(
                (a.sample as? HKWorkout)?.totalSwimmingStrokeCount, (b.sample as? HKWorkout)?.totalSwimmingStrokeCount)
        case .workoutTotalFlightsClimbed:
            Self.order((a.sample as? HKWorkout)?.totalFlightsClimbed, (b.sample as? HKWorkout)?.totalFlightsClimbed)
        }
    }

    private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> ComparisonResult {
        a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
    }

    /// A sample without the quantity comes first, like nil in a sorted array of objects.
    private static func order(_ a: HKQuantity?, _ b: HKQuantity?) -> ComparisonResult {
        switch (a, b) {
        case (nil, nil): .orderedSame
        case (nil, _): .orderedAscending
        case (_, nil): .orderedDescending
        case (let a?, let b?): a.is(compatibleWith: b.unit) ? a.compare(b) : .orderedSame
        }
    }
}
