/// Collects matching samples of several selections in an order, reading no more rows than a limit needs.
struct SampleGathering {
    private let reader: StoreReader
    private let sorts: [SampleSort]
    private let limit: Int?
    private var found: [Found] = []
    private var seen: Set<Int64> = []

    /// A sample that is not made yet.
    private struct Found {
        var run: StoredRun
        var samples: SampleRun
        var index: Int
        /// Made early where the order needs it.
        var sample: HKSample?

        var sequence: Int64 { samples.sequences[index] }
    }

    init(_ reader: StoreReader, sortedBy sorts: [SampleSort], limit: Int?) {
        self.reader = reader
        self.sorts = sorts
        self.limit = limit
    }

    mutating func add(_ selection: SampleSelection) throws {
        var count = 0
        let order = RunOrder(sorts.first)
        try reader.eachCandidate(selection, order: limit == nil ? "" : order.sql) { run, filter in
            if let limit, count >= limit, isBeyond(run, order, limit) { return false }
            let samples = try reader.members(run)
            let indices = try reader.matches(run, samples, filter)
            count += indices.count
            for index in indices where seen.isEmpty || !seen.contains(samples.sequences[index]) {
                found.append(Found(run: run, samples: samples, index: index))
            }
            try cut()
            return true
        }
        for one in found { seen.insert(one.sequence) }
    }

    /// Whether no sample of a row, nor of those after it, can be among the first `limit`.
    private func isBeyond(_ run: StoredRun, _ order: RunOrder, _ limit: Int) -> Bool {
        guard found.count >= limit, let last = found.last else { return false }
        switch order {
        case .sequence: return run.firstSequence > last.sequence
        case .startAscending: return run.start > last.samples.starts[last.index]
        case .endAscending: return run.start > last.samples.ends[last.index]
        case .startDescending: return run.end < last.samples.starts[last.index]
        case .endDescending: return run.end < last.samples.ends[last.index]
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
            for index in found.indices where found[index].sample == nil {
                let one = found[index]
                found[index].sample = try reader.sample(one.run, one.samples, one.index)
            }
        }
        found.sort { a, b in
            for sort in sorts {
                let order = sort.key.compare(a.run, a.samples, a.index, a.sample, b.run, b.samples, b.index, b.sample)
                if order != .orderedSame { return (order == .orderedAscending) == sort.ascending }
            }
            return a.sequence < b.sequence
        }
    }

    mutating func samples() throws -> [HKSample] {
        try sort()
        return try found.prefix(limit ?? .max).map {
            try $0.sample ?? reader.sample($0.run, $0.samples, $0.index)
        }
    }
}

/// In which order rows are read, so that reading can stop early.
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

    /// No sample ends before it starts: a row's start is the least that its ends can be, its end the most that its starts
    /// can be.
    var sql: String {
        switch self {
        case .sequence: "ORDER BY firstSequence"
        case .startAscending, .endAscending: "ORDER BY start"
        case .startDescending, .endDescending: "ORDER BY end DESC"
        case .none: ""
        }
    }
}

extension SampleSort.Key {
    fileprivate var isInColumns: Bool { self == .startDate || self == .endDate || self == .uuid }

    fileprivate func compare(
        _ runA: StoredRun, _ a: SampleRun, _ indexA: Int, _ sampleA: HKSample?, _ runB: StoredRun, _ b: SampleRun,
        _ indexB: Int, _ sampleB: HKSample?
    ) -> ComparisonResult {
        switch self {
        case .startDate: Self.order(a.starts[indexA], b.starts[indexB])
        case .endDate: Self.order(a.ends[indexA], b.ends[indexB])
        case .uuid: Self.order(a.id(indexA).uuidString, b.id(indexB).uuidString)
        case .quantity:
            Self.order((sampleA as? HKQuantitySample)?.quantity, (sampleB as? HKQuantitySample)?.quantity)
        case .categoryValue:
            Self.order((sampleA as? HKCategorySample)?.value ?? 0, (sampleB as? HKCategorySample)?.value ?? 0)
        case .workoutDuration:
            Self.order((sampleA as? HKWorkout)?.duration ?? 0, (sampleB as? HKWorkout)?.duration ?? 0)
        case .workoutTotalDistance:
            Self.order((sampleA as? HKWorkout)?.totalDistance, (sampleB as? HKWorkout)?.totalDistance)
        case .workoutTotalEnergyBurned:
            Self.order((sampleA as? HKWorkout)?.totalEnergyBurned, (sampleB as? HKWorkout)?.totalEnergyBurned)
        case .workoutTotalSwimmingStrokeCount:
            Self.order(
                (sampleA as? HKWorkout)?.totalSwimmingStrokeCount, (sampleB as? HKWorkout)?.totalSwimmingStrokeCount)
        case .workoutTotalFlightsClimbed:
            Self.order((sampleA as? HKWorkout)?.totalFlightsClimbed, (sampleB as? HKWorkout)?.totalFlightsClimbed)
        }
    }

    private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> ComparisonResult {
        a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
    }

    /// A sample without the quantity comes before those that have it, as nil does in a sorted array of objects.
    private static func order(_ a: HKQuantity?, _ b: HKQuantity?) -> ComparisonResult {
        switch (a, b) {
        case (nil, nil): .orderedSame
        case (nil, _): .orderedAscending
        case (_, nil): .orderedDescending
        case (let a?, let b?): a.is(compatibleWith: b.unit) ? a.compare(b) : .orderedSame
        }
    }
}
