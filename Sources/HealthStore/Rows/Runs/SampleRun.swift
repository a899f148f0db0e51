import SessionLog
import Units

/// Consecutive samples of one kind as columns: the content of a row.
///
/// Starts never descend. Times are seconds since the reference date, and values are in the run's unit. `sequences` give
/// the order in which the samples were stored, and `ids` their UUIDs.
struct SampleRun: Sendable, Equatable {
    var starts: [Double] = []
    var ends: [Double] = []
    var values: [Double] = []
    var sequences: [Int64] = []
    var ids: SampleIDs = .counted(base: UUID.zero, ordinals: [])
    /// The latest date until which the last value is held. Nil if unknown. It is stored in the row.
    var holdEnd: Double?

    /// A run is not extended beyond this many samples.
    static let longest = 4096
    /// An hour with at least this many samples is a run of its own, so that hours and days in most time zones are sums
    /// of whole runs.
    static let shortestFullHour = 256
    static let hourInSeconds = 3600.0
    /// A long run has the figures of its quarters, for all other time zones.
    static let partInSeconds = 900.0

    var count: Int { starts.count }

    func id(_ index: Int) -> UUID { ids[index] }

    /// Returns the samples at these indices, in the same order.
    func subset(_ indices: [Int]) -> SampleRun {
        SampleRun(
            starts: indices.map { starts[$0] }, ends: indices.map { ends[$0] }, values: indices.map { values[$0] },
            sequences: indices.map { sequences[$0] }, ids: ids.subset(indices), holdEnd: holdEnd)
    }

    /// Returns the samples at all other indices, in the same order.
    func without(_ indices: some Sequence<Int>) -> SampleRun {
        let gone = Set(indices)
        return subset(starts.indices.filter { !gone.contains($0) })
    }

    func subset(_ range: Range<Int>) -> SampleRun {
        range == 0..<count
            ? self
            : SampleRun(
                starts: Array(starts[range]), ends: Array(ends[range]), values: Array(values[range]),
                sequences: Array(sequences[range]), ids: ids.subset(range),
                holdEnd: range.upperBound == count ? holdEnd : nil)
    }

    /// Returns the figures of the samples, with values converted by `conversion`.
    func statistics(_ rule: AveragingRule, _ conversion: UnitConversion) -> RunningStatistics {
        var statistics = RunningStatistics(rule)
        let converted = conversion.isIdentity ? values : values.map { conversion($0) }
        statistics.add(converted, starts: starts, ends: ends, in: starts.indices)
        return statistics
    }
}

/// The UUIDs of the samples of a run.
enum SampleIDs: Sendable, Equatable {
    /// UUIDs that differ only in their ordinals.
    case counted(base: UUID, ordinals: [UInt16])
    /// UUIDs from elsewhere.
    case listed([UUID])

    init(_ ids: [UUID]) {
        guard let first = ids.first, ids.allSatisfy({ $0.sharesBase(with: first) }) else {
            self = .listed(ids)
            return
        }
        self = .counted(base: first.base, ordinals: ids.map(\.ordinal))
    }

    /// Recognizes counted UUIDs.
    init(recognizing ids: SampleIDs) {
        if case .listed(let list) = ids { self.init(list) } else { self = ids }
    }

    subscript(index: Int) -> UUID {
        switch self {
        case .counted(let base, let ordinals): base.with(ordinal: ordinals[index])
        case .listed(let ids): ids[index]
        }
    }

    var count: Int {
        switch self {
        case .counted(_, let ordinals): ordinals.count
        case .listed(let ids): ids.count
        }
    }

    /// Nil for UUIDs from elsewhere.
    var base: UUID? {
        if case .counted(let base, _) = self { base } else { nil }
    }

    var all: [UUID] { (0..<count).map { self[$0] } }

    func firstIndex(of id: UUID) -> Int? {
        switch self {
        case .counted(let base, let ordinals):
            id.sharesBase(with: base) ? ordinals.firstIndex(of: id.ordinal) : nil
        case .listed(let ids):
            ids.firstIndex(of: id)
        }
    }

    func subset(_ indices: [Int]) -> SampleIDs {
        switch self {
        case .counted(let base, let ordinals): .counted(base: base, ordinals: indices.map { ordinals[$0] })
        case .listed(let ids): SampleIDs(indices.map { ids[$0] })
        }
    }

    func subset(_ range: Range<Int>) -> SampleIDs {
        switch self {
        case .counted(let base, let ordinals): .counted(base: base, ordinals: Array(ordinals[range]))
        case .listed(let ids): SampleIDs(Array(ids[range]))
        }
    }

    func appending(_ other: SampleIDs) -> SampleIDs {
        if case .counted(let base, let ordinals) = self, case .counted(base, let more) = other {
            return .counted(base: base, ordinals: ordinals + more)
        }
        return .listed(all + other.all)
    }
}

extension SampleRun {
    /// Returns the samples in order of their start, cut into runs of the right length.
    ///
    /// An hour with at least ``shortestFullHour`` samples is a run of its own, or several of ``longest``: statistics by
    /// hours and days are then sums of whole runs. A sample that extends beyond the hour is in another run. Hours with
    /// fewer samples share a run. A run also ends where counted UUIDs start again.
    func cut() -> [SampleRun] {
        let sorted =
            isSorted ? self : subset(starts.indices.sorted { (starts[$0], ends[$0], $0) < (starts[$1], ends[$1], $1) })
        guard sorted.count > 1 else { return [sorted] }
        return sorted.cuts().map { sorted.subset($0).recognizingIDs() }
    }

    private var isSorted: Bool { zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 } }

    private func recognizingIDs() -> SampleRun {
        guard case .listed(let list) = ids else { return self }
        var copy = self
        copy.ids = SampleIDs(list)
        return copy
    }

    private func cuts() -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        /// The index after the samples that have a run.
        var done = 0
        func take(until end: Int) {
            var first = done
            for index in done..<end where index > first {
                guard index - first >= Self.longest || changesBase(at: index, from: first) else { continue }
                ranges.append(first..<index)
                first = index
            }
            if first < end { ranges.append(first..<end) }
            done = end
        }
        forEachCell(inSeconds: Self.hourInSeconds) { cell in
            if cell.count >= Self.shortestFullHour {
                take(until: cell.lowerBound)
                take(until: cell.upperBound)
            }
            return true
        }
        take(until: count)
        return ranges
    }

    /// Calls `body` with the ranges of consecutive samples that lie within the same hour, or another length of time,
    /// until it returns false.
    func forEachCell(inSeconds length: Double, _ body: (Range<Int>) -> Bool) {
        guard count > 0 else { return }
        var first = 0
        var cell = Cell(of: starts[0], ends[0], inSeconds: length)
        for index in 1..<count where !cell.surelyHolds(starts[index], ends[index]) {
            let next = Cell(of: starts[index], ends[index], inSeconds: length)
            guard next != cell else { continue }
            guard body(first..<index) else { return }
            (first, cell) = (index, next)
        }
        _ = body(first..<count)
    }

    /// The cells (hours or other lengths of time) in which a sample begins and ends.
    private struct Cell: Equatable {
        private let first: Double
        private let last: Double
        private let startsSurely: Range<Double>
        private let endsSurely: Range<Double>

        init(of start: Double, _ end: Double, inSeconds length: Double) {
            first = (start / length).rounded(.down)
            last = max(first, (end / length).rounded(.up) - 1)
            // Within a second of a bound, a division may round to the wrong cell.
            func inside(_ cell: Double) -> Range<Double> {
                let bounds = (cell * length + 1, (cell + 1) * length - 1)
                return bounds.0 < bounds.1 ? bounds.0..<bounds.1 : 0..<0
            }
            startsSurely = inside(first)
            endsSurely = inside(last)
        }

        static func == (a: Cell, b: Cell) -> Bool { a.first == b.first && a.last == b.last }

        /// Whether a sample is in this cell and far from its bounds. This avoids divisions and is several times faster.
        func surelyHolds(_ start: Double, _ end: Double) -> Bool {
            startsSurely.contains(start) && endsSurely.contains(end)
        }
    }

    /// Whether a row of counted UUIDs ends here, with many of them on at least one side. Other UUIDs end no row.
    private func changesBase(at index: Int, from first: Int) -> Bool {
        guard case .listed(let ids) = ids, !ids[index].sharesBase(with: ids[first]),
            ids[first].sharesBase(with: ids[index - 1])
        else { return false }
        let later = index + Self.manyCounted - 1
        return index - first >= Self.manyCounted || later < count && ids[later].sharesBase(with: ids[index])
    }

    private static let manyCounted = 16

    /// Returns a run with these samples and later ones.
    func appending(_ later: SampleRun) -> SampleRun {
        SampleRun(
            starts: starts + later.starts, ends: ends + later.ends, values: values + later.values,
            sequences: sequences + later.sequences, ids: ids.appending(later.ids), holdEnd: later.holdEnd)
    }
}
