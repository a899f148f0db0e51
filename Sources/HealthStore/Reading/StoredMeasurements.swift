import Analytics

/// What sensors and apps measured during a stored workout, span by span in order of time: however long the workout, it takes little memory.
///
/// Its rows are looked for once, and each of them is read once.
package struct StoredMeasurements {
    private let workout: UUID
    private let types: Set<HKQuantityType>
    private let database: any HealthDatabase
    /// In order of their starts, those ahead of ``nextRow`` were read.
    private var rows: [MeasurementRow]
    private var nextRow = 0
    /// Of rows that were read, what was not handed out yet.
    private var waiting: [Waiting] = []
    /// What ended by then, in seconds since the reference date, was handed out.
    private var handedOut = -Double.infinity

    /// The rest of a row. Its measurements are handed out from the front as long as they end in order, as nearly all rows do.
    private struct Waiting {
        var measurements: ArraySlice<StoredMeasurement>
        let endsAreInOrder: Bool

        init(_ measurements: [StoredMeasurement]) {
            self.measurements = measurements[...]
            endsAreInOrder = measurements.indices.dropFirst().allSatisfy {
                measurements[$0 - 1].end <= measurements[$0].end
            }
        }

        mutating func take(until bound: Double, into found: inout [StoredMeasurement]) {
            if endsAreInOrder {
                let rest = measurements.partitioningIndex { $0.end > bound }
                found += measurements[..<rest]
                measurements = measurements[rest...]
            } else {
                found += measurements.filter { $0.end <= bound }
                measurements.removeAll { $0.end <= bound }
            }
        }
    }

    package init(ofWorkout workout: UUID, _ types: Set<HKQuantityType>, in database: any HealthDatabase) throws {
        self.workout = workout
        self.types = types
        self.database = database
        rows = try database.measurementRows(ofWorkout: workout, types)
    }

    /// What ended since the last call, row by row.
    /// - Parameter end: That instant included; nil for all of the rest.
    package mutating func next(until end: Date?) throws -> [StoredMeasurement] {
        let bound = end?.timeIntervalSinceReferenceDate ?? .infinity
        try read(until: bound)
        var found: [StoredMeasurement] = []
        for place in waiting.indices { waiting[place].take(until: bound, into: &found) }
        waiting.removeAll(where: \.measurements.isEmpty)
        handedOut = bound
        return found
    }

    /// What ended since the last call, until the next row begins; nil at the end. There may be none.
    package mutating func next() throws -> [StoredMeasurement]? {
        guard nextRow < rows.count || !waiting.isEmpty else { return nil }
        let bound = nextRow + 1 < rows.count ? rows[nextRow + 1].start : nil
        return try next(until: bound.map(Date.init(timeIntervalSinceReferenceDate:)))
    }

    /// Reads the rows that begin by then.
    private mutating func read(until bound: Double) throws {
        while nextRow < rows.count, rows[nextRow].start <= bound {
            guard let measurements = try database.measurements(in: rows[nextRow]) else {
                // Somebody has changed the workout meanwhile.
                rows = try database.measurementRows(ofWorkout: workout, types).filter { $0.end > handedOut }
                nextRow = 0
                waiting = []
                continue
            }
            // Only rows that were looked for again began before.
            let isNew = rows[nextRow].start > handedOut
            let new = isNew ? measurements : measurements.filter { $0.end > handedOut }
            if !new.isEmpty { waiting.append(Waiting(new)) }
            nextRow += 1
        }
    }
}

extension MeasurementRow {
    init(_ run: StoredRun) {
        id = run.id
        type = run.type
        firstSequence = run.firstSequence
        count = run.count
        start = run.start
        end = run.end
    }
}
