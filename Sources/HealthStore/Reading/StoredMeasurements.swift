import Analytics

/// The measurements of a stored workout, span by span in order of time, in little memory however long the workout is.
///
/// Its rows are found once, and each is read once.
package struct StoredMeasurements {
    private let workout: UUID
    private let types: Set<HKQuantityType>
    private let database: any HealthDatabase
    /// The rows in order of their starts. Those before ``nextRow`` were read.
    private var rows: [MeasurementRow]
    private var nextRow = 0
    /// The measurements that were read and not returned yet, by row.
    private var waiting: [Waiting] = []
    /// Measurements that ended by this time were returned. In seconds since the reference date.
    private var handedOut = -Double.infinity

    /// The rest of a row. Its measurements are returned from the front if they end in order, as in nearly all rows.
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

    /// Returns the measurements that ended since the last call, row by row.
    /// - Parameter end: The end, inclusive. Nil for all the rest.
    package mutating func next(until end: Date?) throws -> [StoredMeasurement] {
        let bound = end?.timeIntervalSinceReferenceDate ?? .infinity
        try read(until: bound)
        var found: [StoredMeasurement] = []
        for place in waiting.indices { waiting[place].take(until: bound, into: &found) }
        waiting.removeAll(where: \.measurements.isEmpty)
        handedOut = bound
        return found
    }

    /// Returns the measurements that ended since the last call, up to the start of the next row. May be empty. Nil at the end.
    package mutating func next() throws -> [StoredMeasurement]? {
        guard nextRow < rows.count || !waiting.isEmpty else { return nil }
        let bound = nextRow + 1 < rows.count ? rows[nextRow + 1].start : nil
        return try next(until: bound.map(Date.init(timeIntervalSinceReferenceDate:)))
    }

    /// Reads the rows that begin by this time.
    private mutating func read(until bound: Double) throws {
        while nextRow < rows.count, rows[nextRow].start <= bound {
            guard let measurements = try database.measurements(in: rows[nextRow]) else {
                // The workout has changed meanwhile.
                rows = try database.measurementRows(ofWorkout: workout, types).filter { $0.end > handedOut }
                nextRow = 0
                waiting = []
                continue
            }
            // Only rows that were found again can begin earlier.
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
