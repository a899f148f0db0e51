import GRDB
import GRDBSQLite

/// A row of `run`: everything about some samples but themselves.
struct StoredRun {
    enum Kind: Int64 {
        case quantities, categories
        /// An object of a class that has no kind of its own, archived.
        case object
        /// An archived sample and the columns of its series.
        case quantitySeries
        /// The columns of the beats.
        case heartbeats
        /// An archived sample and the columns of its positions.
        case route
        /// See ``WorkoutColumns``.
        case workout = 16
        /// Nothing but its members.
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
    /// Of the first UUID, where ``base`` is not nil.
    var firstOrdinal: UInt16 = 0
    /// Nil for a lone sample and for what has no figures.
    var summary: RunSummary?

    /// Whether a running session adds to it; see ``Schema``.
    var isGrowing: Bool { id < 0 }

    /// What all samples of a run share.
    struct Origin: Hashable {
        var source: Int64
        var revision: Int64
        var device: Int64?
        var metadata: Int64?
        var unit: Int64?
    }

    static let columns = """
        run.id, run.kind, run.type, run.source, run.revision, run.device, run.metadata, run.unit, run.firstSequence, \
        run.lastSequence, run.count, run.start, run.lastStart, run.end, run.minimum, run.maximum, run.base, run.summary, \
        run.firstOrdinal
        """

    /// The row that the statement stands at. Straight from SQLite: statistics of years go through tens of thousands.
    init(_ statement: OpaquePointer) throws(SampleRunError) {
        func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(statement, index) }
        func optional(_ index: Int32) -> Int64? {
            sqlite3_column_type(statement, index) == SQLITE_NULL ? nil : integer(index)
        }
        func real(_ index: Int32) -> Double { sqlite3_column_double(statement, index) }
        func blob(_ index: Int32) -> UnsafeRawBufferPointer? {
            guard let start = sqlite3_column_blob(statement, index) else { return nil }
            return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
        }
        id = integer(0)
        guard let kind = Kind(rawValue: integer(1)) else { throw .damaged("a kind \(integer(1))") }
        self.kind = kind
        type = integer(2)
        origin = Origin(
            source: integer(3), revision: integer(4), device: optional(5), metadata: optional(6), unit: optional(7))
        firstSequence = integer(8)
        lastSequence = integer(9)
        count = Int(integer(10))
        start = real(11)
        lastStart = real(12)
        end = real(13)
        minimum = real(14)
        maximum = real(15)
        base = blob(16).flatMap { UUID(bytes: $0) }
        summary = blob(17).flatMap(RunSummary.init)
        firstOrdinal = UInt16(truncatingIfNeeded: integer(18))
    }

    /// A run that is about to be stored.
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
