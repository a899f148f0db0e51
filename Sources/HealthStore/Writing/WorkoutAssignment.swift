import Analytics
import SessionLog

// An Apple Health export does not contain which samples belong to a workout. HealthKit associates what the workout's own source
// measured meanwhile, or for an app on a watch, what the watch measured. The statistics of a workout in the file are those of its
// samples, so they show which types it has.

/// Finds the samples of imported workouts by source and time. Types of which a workout has samples already stay as they are.
struct WorkoutAssignment {
    /// In order of their starts.
    private var workouts: [Candidate] = []

    private struct Candidate {
        var id: UUID
        var row: Int64
        var source: Int64
        var start: Double
        var end: Double
        /// The types to look for.
        var types: Set<HKQuantityType>
        /// Whether the file states the types. If so, other sources may have measured them.
        var statesTypes: Bool
    }

    /// Samples of one row that lie within a workout.
    private struct Match {
        var workout: Int
        var indices: Range<Int>
    }

    init(_ ids: Set<UUID>, _ reader: StoreReader) throws {
        let rows = try reader.find(ids).rows
        let known = try Self.typesOfMembers(of: rows.keys, reader)
        for (run, _) in rows.values {
            guard let workout = try reader.workout(run) else { continue }
            let stated = Set(workout.allStatistics.keys)
            let types = stated.isEmpty ? Self.usualTypes(of: workout) : stated
            workouts.append(
                Candidate(
                    id: workout.uuid, row: run.id, source: run.origin.source, start: run.start, end: run.end,
                    types: types.subtracting(known[run.id] ?? []), statesTypes: !stated.isEmpty))
        }
        workouts.sort { ($0.start, $0.row) < ($1.start, $1.row) }
    }

    /// Exports of iOS 15 and earlier have no statistics.
    private static func usualTypes(of workout: HKWorkout) -> Set<HKQuantityType> {
        let measured: Set = [
            HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned), HKQuantityType(.basalEnergyBurned),
        ]
        return workout.workoutActivityType.distanceType.map { measured.union([$0]) } ?? measured
    }

    /// Returns the types of which workouts have samples already, by their rows.
    private static func typesOfMembers(
        of workouts: some Sequence<Int64>, _ reader: StoreReader
    ) throws -> [Int64: Set<HKQuantityType>] {
        var types: [Int64: Set<HKQuantityType>] = [:]
        try reader.db.forEachRow(
            sql: """
                SELECT DISTINCT parent, type FROM member JOIN run ON run.id = member.run
                WHERE parent IN (\(reader.db.numbersInList))
                """, arguments: [StoreReader.list(workouts)]
        ) { row in
            guard let type = try reader.type(row.integer(1)) as? HKQuantityType else { return true }
            types[row.integer(0), default: []].insert(type)
            return true
        }
        return types
    }

    /// The types of which workouts may get samples.
    var types: Set<HKQuantityType> { workouts.reduce(into: []) { $0.formUnion($1.types) } }

    /// Makes samples of a type members of their workouts: those of the workout's own source, or else those of the source
    /// that measured most often meanwhile.
    /// - Returns: The rows of the workouts that got samples.
    func assign(_ type: HKQuantityType, _ writer: StoreWriter) throws -> Set<Int64> {
        var workouts = workouts.filter { $0.types.contains(type) }
        // Another process may have replaced some of them.
        let rows = try writer.find(Set(workouts.map(\.id))).rows
        workouts.removeAll { rows[$0.row] == nil }
        guard let id = try writer.reader.id(of: type), let first = workouts.first else { return [] }
        let last = workouts.reduce(first.end) { max($0, $1.end) }
        let longest = workouts.reduce(0) { max($0, $1.end - $1.start) }
        let runs = try writer.reader.runs(
            "WHERE type = ? AND kind = ? AND start <= ? AND \"end\" >= ? ORDER BY start",
            [id, StoredRun.Kind.quantities.rawValue, last, first.start], among: .complete)
        var found: [(run: StoredRun, matches: [Match])] = []
        /// By workout and source.
        var counts: [Int: [Int64: Int]] = [:]
        for run in runs {
            let near =
                workouts.partitioningIndex {
                    $0.start >= run.start - longest
                }..<workouts.partitioningIndex {
                    $0.start > run.end
                }
            let matches = try matches(run, near.filter { workouts[$0].end >= run.start }, workouts, writer)
            guard !matches.isEmpty else { continue }
            found.append((run, matches))
            for match in matches {
                counts[match.workout, default: [:]][run.origin.source, default: 0] += match.indices.count
            }
        }
        let sources = counts.map { workout, counts in
            let own = workouts[workout].source
            return (workout, counts[own] != nil ? own : counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key)
        }
        let chosen = Dictionary(uniqueKeysWithValues: sources)
        var assigned: Set<Int64> = []
        for (run, matches) in found {
            let members = matches.filter { chosen[$0.workout] == run.origin.source }
            try add(run, members.map { (workouts[$0.workout].row, $0.indices) }, writer)
            assigned.formUnion(members.map { workouts[$0.workout].row })
        }
        // The sums of cumulative types are the totals of old files.
        guard type.aggregationStyle != .cumulative else { return assigned }
        for workout in workouts where assigned.contains(workout.row) && !workout.statesTypes {
            if let run = rows[workout.row]?.run { try state(type, of: run, writer) }
        }
        return assigned
    }

    /// Gives a workout the statistics of its samples of a type, as newer files state them.
    private func state(_ type: HKQuantityType, of row: StoredRun, _ writer: StoreWriter) throws {
        let reader = writer.reader
        guard let stored = try reader.workout(row) else { return }
        var total = RunningStatistics(type.averagingRule)
        let members = try reader.runs(
            "WHERE type = ? AND id IN (SELECT run FROM member WHERE parent = ?) ORDER BY start",
            [try writer.id(of: type), row.id], among: .complete)
        for run in members { total.merge(run.statistics(type.averagingRule)) }
        let statistics = HKStatistics(
            quantityType: type, startDate: stored.startDate, endDate: stored.endDate,
            options: [.discreteAverage, .discreteMin, .discreteMax], unit: type.recordingUnit, total: total)
        try writer.db.execute(
            sql: "UPDATE content SET columns = ? WHERE run = ?",
            arguments: [Data(try WorkoutColumns(stored.stating(statistics), writer).bytes), row.id])
    }

    /// Returns the samples of a row that lie within each workout, unless they belong to a workout of another source.
    /// - Parameter places: The workouts that overlap the row.
    private func matches(
        _ run: StoredRun, _ places: [Int], _ workouts: [Candidate], _ writer: StoreWriter
    ) throws -> [Match] {
        var places = places.filter { workouts[$0].statesTypes || workouts[$0].source == run.origin.source }
        // Another workout's samples stay its own.
        if places.contains(where: { workouts[$0].source != run.origin.source }), try !writer.parents(of: run.id).isEmpty
        {
            places.removeAll { workouts[$0].source != run.origin.source }
        }
        guard !places.isEmpty else { return [] }
        let samples = try writer.reader.columns(run)
        return places.flatMap { place in
            let workout = workouts[place]
            let first = samples.starts.partitioningIndex { $0 >= workout.start }
            let last = samples.starts.partitioningIndex { $0 > workout.end }
            // Spans that end later are left out.
            let within = samples.ends[first..<max(first, last)].indices { $0 <= workout.end }
            return within.ranges.map { Match(workout: place, indices: $0) }
        }
    }

    /// Makes some of a row's samples members, and cuts the row where its parents change.
    private func add(
        _ run: StoredRun, _ members: [(parent: Int64, indices: Range<Int>)], _ writer: StoreWriter
    ) throws {
        guard !members.isEmpty else { return }
        let bounds = Set(members.flatMap { [$0.indices.lowerBound, $0.indices.upperBound] } + [0, run.count]).sorted()
        let parts = zip(bounds, bounds.dropFirst()).map { $0..<$1 }
        var rows = [run.id]
        if parts.count > 1 {
            let samples = try writer.reader.columns(run)
            rows = try writer.replace(run, with: parts.map { samples.subset($0) })
        }
        for (row, part) in zip(rows, parts) {
            for member in members where member.indices.contains(part.lowerBound) {
                try writer.add(row, to: member.parent)
            }
        }
    }
}

extension StoreReader {
    /// Nil if the row is not that of a workout.
    fileprivate func workout(_ row: StoredRun) throws -> HKWorkout? {
        try sample(row, placeholder(row), 0) as? HKWorkout
    }
}
