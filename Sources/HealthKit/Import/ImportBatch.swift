/// Samples of one type and one origin on their way from a file into the store, as columns.
// Sendable holds: metadata holds only immutable values, since it comes through `ImportedMetadata`.
struct ImportedColumns: @unchecked Sendable {
    var type: HKSampleType
    /// Nil for categories.
    var unit: HKUnit?
    var revision: HKSourceRevision
    var device: HKDevice?
    var metadata: [String: Any]?
    /// Seconds since the reference date.
    var starts: [Double] = []
    var ends: [Double] = []
    var values: [Double] = []
}

/// An object with a UUID that its content gives it: a workout, a correlation, a series.
struct ImportedObject: Sendable {
    var sample: HKSample
    var series: SeriesContent?
    /// The workout that it belongs to.
    var parent: UUID?
}

/// What goes into the store in one transaction.
struct ImportBatch: Sendable {
    var columns: [ImportedColumns] = []
    /// Samples that may be parts of correlations, known by UUIDs that their content gives them.
    var named: [HKSample] = []
    /// Parents before those that belong to them.
    private(set) var objects: [ImportedObject] = []
    /// Samples and what is in series.
    private(set) var count = 0

    /// When it is full.
    let fullCount: Int

    /// Large enough that runs are long and a commit costs nothing, small enough to be held twice.
    static let fullCount = 1 << 17
    private static let fullColumns = 1 << 14

    var isFull: Bool { count >= fullCount || columns.count + named.count + objects.count >= Self.fullColumns }
    var isEmpty: Bool { columns.isEmpty && named.isEmpty && objects.isEmpty }

    init(fullCount: Int) { self.fullCount = fullCount }

    mutating func add(_ object: ImportedObject) {
        objects.append(object)
        switch object.series {
        case .heartbeats(let beats): count += beats.count
        case .positions(let positions): count += positions.count
        case .quantities(let quantities): count += quantities.count
        case .voltages(let microvolts): count += microvolts.count
        case nil: break
        }
    }

    @inline(__always)
    mutating func add(_ value: Double, start: Double, end: Double, to index: Int) {
        columns[index].starts.append(start)
        columns[index].ends.append(end)
        columns[index].values.append(value)
        count += 1
    }
}
