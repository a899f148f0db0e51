import SessionLog

/// A row of `run`: everything about some samples except their values.
struct StoredRun {
    enum Kind: Int64 {
        case quantities, categories
        /// An archived object of a class without a kind of its own.
        case object
        /// An archived sample and the columns of its series.
        case quantitySeries
        /// The columns of the beats.
        case heartbeats
        /// The columns of the positions. Minimum and maximum are their number, or 0 in rows of earlier versions, which
        /// also have an archived sample.
        case route
        /// See ``WorkoutColumns``.
        case workout = 16
        /// Only its members.
        case correlation = 17

        var isColumns: Bool { self == .quantities || self == .categories }
    }

    var id: Int64 = 0
    var kind: Kind
    var type: Int64
    var origin: Origin
    var firstSequence: Int64
    var lastSequence: Int64
    var count: Int
    var start: Double
    var lastStart: Double
    var end: Double
    var minimum: Double
    var maximum: Double
    var base: UUID?
    /// The ordinal of the first UUID if ``base`` is not nil.
    var firstOrdinal: UInt16 = 0
    /// Nil for a lone sample and for objects without figures.
    var summary: RunSummary?

    /// Whether it grows while a session runs; see ``Schema``.
    var isGrowing: Bool { id < 0 }

    /// The values that all samples of a run share.
    struct Origin: Hashable {
        var source: Int64
        var revision: Int64
        var device: Int64?
        var metadata: Int64?
        var unit: Int64?
    }

    static let columns = """
        run.id, run.kind, run.type, run.source, run.revision, run.device, run.metadata, run.unit, run.firstSequence, \
        run.lastSequence, run.count, run.start, run.lastStart, run."end", run.minimum, run.maximum, run.base, run.summary, \
        run.firstOrdinal
        """

    /// A row with ``columns``.
    init(_ row: some SQLColumns) throws(SampleRunError) {
        func optional(_ column: Int) -> Int64? { row.isNull(column) ? nil : row.integer(column) }
        id = row.integer(0)
        guard let kind = Kind(rawValue: row.integer(1)) else { throw .damaged("a kind \(row.integer(1))") }
        self.kind = kind
        type = row.integer(2)
        origin = Origin(
            source: row.integer(3), revision: row.integer(4), device: optional(5), metadata: optional(6),
            unit: optional(7))
        firstSequence = row.integer(8)
        lastSequence = row.integer(9)
        count = Int(row.integer(10))
        start = row.real(11)
        lastStart = row.real(12)
        end = row.real(13)
        minimum = row.real(14)
        maximum = row.real(15)
        base = row.withBytes(16) { UUID(bytes: $0) } ?? nil
        summary = row.withBytes(17) { RunSummary($0) } ?? nil
        firstOrdinal = UInt16(truncatingIfNeeded: row.integer(18))
    }

    /// Creates a run to be stored.
    init(kind: Kind, type: Int64, origin: Origin, samples run: SampleRun) {
        self.kind = kind
        self.type = type
        self.origin = origin
        firstSequence = run.sequences.min() ?? 0
        lastSequence = run.sequences.max() ?? 0
        count = run.count
        start = run.starts.first ?? 0
        lastStart = run.starts.last ?? 0
        end = run.ends.max() ?? 0
        minimum = 0
        maximum = 0
        base = run.ids.base
    }

    /// The figures of all samples, in the type's recording unit.
    func statistics(_ rule: AveragingRule) -> RunningStatistics {
        if let summary {
            return summary.statistics(rule, count: count, minimum: minimum, maximum: maximum, start: start)
        }
        var statistics = RunningStatistics(rule)
        statistics.add(
            minimum, start: Date(timeIntervalSinceReferenceDate: start), end: Date(timeIntervalSinceReferenceDate: end))
        return statistics
    }
}
