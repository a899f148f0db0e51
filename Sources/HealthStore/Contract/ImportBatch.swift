/// Samples of one type and one origin from a file, as columns.
// Sendable holds: metadata holds only immutable values, since it comes through `ImportedMetadata`.
package struct ImportedColumns: @unchecked Sendable {
    package var type: HKSampleType
    /// Nil for categories.
    package var unit: HKUnit?
    package var revision: HKSourceRevision
    package var device: HKDevice?
    package var metadata: [String: Any]?
    /// Seconds since the reference date.
    package var starts: [Double] = []
    package var ends: [Double] = []
    package var values: [Double] = []

    package init(
        type: HKSampleType, unit: HKUnit?, revision: HKSourceRevision, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.type = type
        self.unit = unit
        self.revision = revision
        self.device = device
        self.metadata = metadata
    }
}

/// An object whose UUID comes from its content: a workout, a correlation, a series.
package struct ImportedObject: Sendable {
    package var sample: HKSample
    package var series: SeriesContent?
    /// The workout that it belongs to.
    package var parent: UUID?

    package init(sample: HKSample, series: SeriesContent? = nil, parent: UUID? = nil) {
        self.sample = sample
        self.series = series
        self.parent = parent
    }
}

/// The objects of one transaction.
package struct ImportBatch: Sendable {
    package var columns: [ImportedColumns] = []
    /// Samples that may be parts of correlations, with UUIDs derived from their content.
    package var named: [HKSample] = []
    /// Parents come before their members.
    private(set) var objects: [ImportedObject] = []
    /// The number of samples, including those in series.
    private(set) var count = 0

    /// Whether it is full.
    package let fullCount: Int

    /// Large enough for long runs and few commits, small enough to be in memory twice.
    package static let fullCount = 1 << 17
    private static let fullColumns = 1 << 14

    package init(fullCount: Int) { self.fullCount = fullCount }

    package var isFull: Bool { count >= fullCount || columns.count + named.count + objects.count >= Self.fullColumns }
    package var isEmpty: Bool { columns.isEmpty && named.isEmpty && objects.isEmpty }

    package mutating func add(_ object: ImportedObject) {
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
    package mutating func add(_ value: Double, start: Double, end: Double, to index: Int) {
        columns[index].starts.append(start)
        columns[index].ends.append(end)
        columns[index].values.append(value)
        count += 1
    }
}

/// The numbers of imported objects of a type.
package struct ImportCount: Sendable, Equatable {
    package var added = 0
    /// The number of objects that were already stored.
    package var known = 0

    package init(added: Int = 0, known: Int = 0) {
        self.added = added
        self.known = known
    }

    package static func += (count: inout ImportCount, other: ImportCount) {
        count.added += other.added
        count.known += other.known
    }
}
