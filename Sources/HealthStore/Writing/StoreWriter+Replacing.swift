import Foundation

// A replacement first saves the new workouts, which take over samples of the old ones. Samples that no new workout takes over are
// removed with the old workout. So one rule serves an edit (samples are taken over), a trim (they are saved again from a log)
// and a deletion (there is no new workout).

extension StoreWriter {
    private struct Replaced {
        var id: UUID
        var row: StoredRun
        var syncIdentifier: String?
    }

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a workout that is not stored,
    ///   ``HKError/Code/errorAuthorizationDenied`` for a workout of another app.
    func replace(_ replacement: WorkoutReplacement, owner: String?) throws {
        try purgeChanges(at: replacement.date)
        let old = try replacement.old.map { try replaced($0, owner) }
        let takesOver = replacement.new.contains { $0.log == nil }
        let change = try db.insert(
            sql: "INSERT INTO change (date, name, takesOver, firstSequence, lastSequence) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                replacement.date.timeIntervalSinceReferenceDate, replacement.name, takesOver, lastSequence + 1,
                lastSequence + 1,
            ])
        let first = lastSequence + 1
        for workout in old {
            try keepRelations(of: workout.id, change)
            try keep(workout.row, of: workout.id, change)
            // A new workout with the sync identifier of an old one would be ignored.
            try setSyncIdentifier(nil, ofRow: workout.row.id)
        }
        var newRows: [Int64] = []
        for successor in replacement.new { newRows.append(try save(successor, insteadOf: old, change)) }
        if let first = replacement.new.first {
            for workout in old {
                try db.execute(
                    sql: "UPDATE attachment SET object = ? WHERE object = ?",
                    arguments: [first.workout.uuid.data, workout.id.data])
            }
        }
        for workout in old {
            for row in try members(of: workout.row.id) {
                if try isMember(row.id, ofOneOf: newRows) {
                    if !takesOver { try keepMembership(of: row, in: workout.id, change) }
                } else if row.origin.source == workout.row.origin.source, !(replacement.keepsSamples && newRows.isEmpty)
                {
                    try keep(row, of: workout.id, change)
                    try delete(row, Array(0..<row.count))
                } else {
                    try keepMembership(of: row, in: workout.id, change)
                }
            }
            try setSyncIdentifier(workout.syncIdentifier, ofRow: workout.row.id)
            try delete(workout.row, [0])
        }
        try db.execute(sql: "UPDATE change SET lastSequence = ? WHERE id = ?", arguments: [lastSequence, change])
        try noteMade(first...max(first, lastSequence), change)
    }

    private func noteMade(_ sequences: ClosedRange<Int64>, _ change: Int64) throws {
        try db.execute(
            sql: "INSERT INTO madeRange (change, firstSequence, lastSequence) VALUES (?, ?, ?)",
            arguments: [change, sequences.lowerBound, sequences.upperBound])
    }

    private func replaced(_ id: UUID, _ owner: String?) throws -> Replaced {
        guard let (row, _) = try find(id), row.kind == .workout else {
            throw HKError.make(.errorInvalidArgument, "The workout \(id) is not in the store. Nothing was changed.")
        }
        guard try owns(row, owner) else {
            throw HKError.make(
                .errorAuthorizationDenied,
                "The workout \(id) was saved by another app, which alone may change it. Nothing was changed.")
        }
        let sync = try String.fetchOne(db, sql: "SELECT syncIdentifier FROM run WHERE id = ?", arguments: [row.id])
        return Replaced(id: id, row: row, syncIdentifier: sync)
    }

    private func setSyncIdentifier(_ identifier: String?, ofRow row: Int64) throws {
        try db.execute(sql: "UPDATE run SET syncIdentifier = ? WHERE id = ?", arguments: [identifier, row])
    }

    private func save(
        _ successor: WorkoutReplacement.Successor, insteadOf old: [Replaced], _ change: Int64
    ) throws -> Int64 {
        let workout = successor.workout
        let source = workout.sourceRevision
        let added = AddedSeries(routeMetadata: try MetadataCoding.metadata(successor.routeMetadata))
        try save(workout, successor.log ?? [], added, from: source)
        let row = try row(ofWorkout: workout.uuid)
        for old in old {
            try db.execute(
                sql: "INSERT INTO successor (old, new, change) VALUES (?, ?, ?)",
                arguments: [old.id.data, workout.uuid.data, change])
            if successor.log == nil {
                for member in try members(of: old.row.id)
                where try successor.effort == nil || !isOwnEffort(member, of: old) { try add(member.id, to: row) }
            }
            try relateEfforts(of: old, to: successor, row)
        }
        guard let effort = successor.effort else { return row }
        try relateEffort(effort, workout: workout.uuid, activity: nil, from: source)
        return row
    }

    /// Whether an effort is a score that the app of the old workout saved.
    private func isOwnEffort(_ row: StoredRun, of old: Replaced) throws -> Bool {
        try row.origin.source == old.row.origin.source && reader.type(row.type) == HKQuantityType(.workoutEffortScore)
    }

    private func relateEfforts(of old: Replaced, to successor: WorkoutReplacement.Successor, _ row: Int64) throws {
        let activities = successor.workout.workoutActivities.map(\.uuid)
        for link in try SQLRow.fetchAll(
            db, sql: "SELECT activity, sample FROM effort WHERE workout = ? ORDER BY id", arguments: [old.id.data])
        {
            guard let sample = UUID(data: link[1]), let (stored, _) = try find(sample),
                try successor.effort == nil || !isOwnEffort(stored, of: old)
            else { continue }
            var activity = (link[0] as Data?).flatMap(UUID.init(data:))
            if let about = activity, !activities.contains(about) {
                // A single activity has a new UUID. With several activities, a missing one was cut away.
                guard activities.count == 1 else { continue }
                activity = activities[0]
            }
            try associate([sample], with: row)
            try noteEffort(sample, workout: successor.workout.uuid, activity: activity)
        }
    }

    private func members(of row: Int64) throws -> [StoredRun] {
        try reader.runs("WHERE id IN (SELECT run FROM member WHERE parent = ?) ORDER BY id", [row])
    }

    private func isMember(_ row: Int64, ofOneOf parents: [Int64]) throws -> Bool {
        try self.parents(of: row).contains { parents.contains($0) }
    }

    private static let keptColumns = """
        kind, type, source, revision, device, metadata, unit, firstSequence, start, "end", minimum, maximum, summary, base, \
        firstOrdinal, syncIdentifier, syncVersion
        """

    private func keep(_ row: StoredRun, of workout: UUID, _ change: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO keptRun (change, workout, \(Self.keptColumns), columns, archive)
                SELECT ?, ?, \(Self.keptColumns), content.columns, content.archive
                FROM run LEFT JOIN content ON content.run = run.id WHERE run.id = ?
                """, arguments: [change, workout.data, row.id])
    }

    private func keepMembership(of row: StoredRun, in workout: UUID, _ change: Int64) throws {
        for sample in try reader.members(row).ids.all {
            try db.execute(
                sql: "INSERT INTO keptMember (change, workout, sample) VALUES (?, ?, ?)",
                arguments: [change, workout.data, sample.data])
        }
    }

    /// Keeps the efforts and attachments of a workout, for an undo.
    private func keepRelations(of workout: UUID, _ change: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO keptEffort (change, workout, activity, sample)
                SELECT ?, workout, activity, sample FROM effort WHERE workout = ? ORDER BY id
                """, arguments: [change, workout.data])
        try db.execute(
            sql: """
                INSERT INTO keptAttachment (change, identifier, object, name, contentType, created, metadata, data)
                SELECT ?, identifier, object, name, contentType, created, metadata, data FROM attachment
                WHERE object = ? ORDER BY id
                """, arguments: [change, workout.data])
    }

    private func purgeChanges(at date: Date) throws {
        let oldest = date - Double(WorkoutReplacement.keptDays) * 86_400
        try db.execute(sql: "DELETE FROM change WHERE date < ?", arguments: [oldest.timeIntervalSinceReferenceDate])
    }
}

// MARK: - Undoing

extension StoreReader {
    func undoableChanges(at date: Date) throws -> [UndoableChange] {
        let oldest = date - Double(WorkoutReplacement.keptDays) * 86_400
        let rows = try SQLRow.fetchAll(
            db, sql: "SELECT id, name, date FROM change WHERE date >= ? ORDER BY id DESC",
            arguments: [oldest.timeIntervalSinceReferenceDate])
        return try rows.map { row in
            let id: Int64 = row[0]
            let old = try Data.fetchAll(
                db, sql: "SELECT workout FROM keptRun WHERE change = ? AND kind = ? ORDER BY id",
                arguments: [id, StoredRun.Kind.workout.rawValue])
            let new = try Data.fetchAll(
                db, sql: "SELECT DISTINCT new FROM successor WHERE change = ?", arguments: [id])
            return UndoableChange(
                id: id, name: row[1], date: Date(timeIntervalSinceReferenceDate: row[2]),
                old: old.compactMap(UUID.init(data:)), new: new.compactMap(UUID.init(data:)))
        }
    }

    func storedSuccessors(of workout: UUID) throws -> Set<UUID> {
        let later = try Data.fetchAll(
            db,
            sql: """
                WITH RECURSIVE later(id) AS (
                    SELECT new FROM successor WHERE old = ?
                    UNION SELECT successor.new FROM successor JOIN later ON successor.old = later.id)
                SELECT id FROM later
                """, arguments: [workout.data])
        let ids = Set(later.compactMap(UUID.init(data:)))
        return ids.isEmpty ? [] : ids.subtracting(try find(ids).missing)
    }
}

extension StoreWriter {
    func undo(changeOf workout: UUID?, owner: String?, at date: Date) throws -> UndoableChange? {
        try purgeChanges(at: date)
        let changes = try reader.undoableChanges(at: date)
        let candidates = workout.map { Array(UndoableChange.lastFirst(of: $0, in: changes).prefix(1)) } ?? changes
        let change = try candidates.first { try owner == nil || owner == ownerOfKept($0.id) }
        guard let change else { return nil }
        // Their deletion is undone, so a reader that has not seen it will not see it.
        try db.execute(
            sql: """
                DELETE FROM deleted WHERE sequence >= (SELECT firstSequence FROM change WHERE id = ?)
                AND sequence <= (SELECT lastSequence FROM change WHERE id = ?)
                """, arguments: [change.id, change.id])
        let made = try SQLRow.fetchAll(
            db, sql: "SELECT firstSequence, lastSequence FROM madeRange WHERE change = ?", arguments: [change.id]
        ).map { ($0[0] as Int64)...($0[1] as Int64) }
        let kept = Set(
            try Data.fetchAll(db, sql: "SELECT sample FROM keptMember WHERE change = ?", arguments: [change.id]))
        var rows: [UUID: Int64] = [:]
        try restore(of: change.id, isWorkout: true, in: &rows)
        for id in change.new {
            guard let (row, _) = try find(id) else { continue }
            if let first = change.old.first {
                try db.execute(
                    sql: "UPDATE attachment SET object = ? WHERE object = ?", arguments: [first.data, id.data])
            }
            for member in try members(of: row.id) {
                // Samples that stayed join their old workout again below.
                if !kept.isEmpty, try reader.members(member).ids.all.allSatisfy({ kept.contains($0.data) }) { continue }
                let isMade = made.contains { $0.contains(member.firstSequence) && $0.contains(member.lastSequence) }
                if isMade, member.origin.source == row.origin.source {
                    try delete(member, Array(0..<member.count))
                } else {
                    try give(member, to: rows)
                }
            }
            try delete(row, [0])
        }
        let first = lastSequence + 1
        try restore(of: change.id, isWorkout: false, in: &rows)
        if first <= lastSequence { try noteMadeBefore(change, first...lastSequence) }
        try restoreRelations(of: change.id, rows)
        try db.execute(sql: "DELETE FROM successor WHERE change = ?", arguments: [change.id])
        try db.execute(sql: "DELETE FROM change WHERE id = ?", arguments: [change.id])
        return change
    }

    /// Notes that the restored samples were made by the earlier changes that made their workouts.
    ///
    /// A change that took samples over made none. They belong to the changes before it.
    private func noteMadeBefore(_ change: UndoableChange, _ sequences: ClosedRange<Int64>) throws {
        var workouts = change.old.map(\.data)
        var noted: Set<Int64> = []
        while let workout = workouts.popLast() {
            let earlier = try SQLRow.fetchAll(
                db,
                sql: """
                    SELECT change.id, change.takesOver, successor.old FROM change
                    JOIN successor ON successor.change = change.id WHERE successor.new = ?
                    """, arguments: [workout])
            for row in earlier {
                if row[1] {
                    workouts.append(row[2])
                } else if noted.insert(row[0]).inserted {
                    try noteMade(sequences, row[0])
                }
            }
        }
    }

    /// The app whose workouts were changed. Nil for several apps.
    private func ownerOfKept(_ change: Int64) throws -> String? {
        let owners = try String.fetchAll(
            db,
            sql:
                "SELECT DISTINCT bundleIdentifier FROM source WHERE id IN (SELECT source FROM keptRun WHERE change = ?)",
            arguments: [change])
        return owners.count == 1 ? owners[0] : nil
    }

    /// Returns samples that a workout had taken over to their old workouts: if there are several, to the one at that time.
    private func give(_ member: StoredRun, to workouts: [UUID: Int64]) throws {
        guard workouts.count > 1 else { return try workouts.values.forEach { try add(member.id, to: $0) } }
        let samples = try reader.members(member)
        let parents = try workouts.values.map { row in try reader.runs("WHERE id = ?", [row])[0] }
            .sorted { $0.start < $1.start }
        for (place, parent) in parents.enumerated() {
            let next = place + 1 < parents.count ? parents[place + 1].start : .infinity
            let begin = place == 0 ? -Double.infinity : parent.start
            let own = samples.starts.indices.filter { samples.starts[$0] >= begin && samples.starts[$0] < next }
            try associate(Set(own.map { samples.id($0) }), with: parent.id)
        }
    }

    /// Restores rows that were kept, with new sequence numbers. Samples that were saved again meanwhile stay as they are.
    private func restore(of change: Int64, isWorkout: Bool, in workouts: inout [UUID: Int64]) throws {
        let kept = try SQLRow.fetchAll(
            db,
            sql: """
                SELECT workout, \(Self.keptColumns), columns, archive FROM keptRun
                WHERE change = ? AND kind \(isWorkout ? "=" : "<>") ? ORDER BY firstSequence
                """, arguments: [change, StoredRun.Kind.workout.rawValue])
        for row in kept {
            guard let workout = UUID(data: row[0]), let kind = StoredRun.Kind(rawValue: row[1]) else { continue }
            let restored = try restore(row, kind, members: isWorkout ? [] : workouts[workout].map { [$0] } ?? [])
            if isWorkout { workouts[workout] = try restored ?? find(workout)?.run.id }
        }
    }

    /// - Returns: The row. Nil if all its samples are stored.
    private func restore(_ row: SQLRow, _ kind: StoredRun.Kind, members: [Int64]) throws -> Int64? {
        let typeID: Int64 = row[2]
        let origin = StoredRun.Origin(source: row[3], revision: row[4], device: row[5], metadata: row[6], unit: row[7])
        let base = (row[14] as Data?).flatMap(UUID.init(data:))
        let columns: Data? = row[18]
        let sync = (row[16] as String?).map { SyncIdentity(identifier: $0, version: row[17] ?? 0) }
        if kind.isColumns {
            let summary = (row[13] as Data?).flatMap { $0.withUnsafeBytes { RunSummary($0) } }
            var samples = try (columns ?? Data()).withUnsafeBytes {
                try SampleRun($0, firstSequence: row[8] as Int64, base: base ?? .zero)
            }
            samples.holdEnd = summary?.holdEnd
            let missing = try find(Set(samples.ids.all)).missing
            if missing.count < samples.count {
                for id in samples.ids.all where !missing.contains(id) {
                    for parent in members { try associate([id], with: parent) }
                }
                samples = samples.subset(samples.starts.indices.filter { missing.contains(samples.id($0)) })
            }
            guard samples.count > 0 else { return nil }
            let first = takeSequences(samples.count, for: typeID)
            // In their old order, which distinguishes values of one moment.
            let order = samples.starts.indices.sorted { samples.sequences[$0] < samples.sequences[$1] }
            for (place, index) in order.enumerated() { samples.sequences[index] = first + Int64(place) }
            return try insert(
                samples, kind, type: try reader.type(typeID), typeID: typeID, origin: origin,
                unit: try reader.unit(origin.unit), sync: sync, members: members)
        }
        let id = (base ?? .zero).with(ordinal: UInt16(truncatingIfNeeded: row[15] as Int64? ?? 0))
        guard try find(id) == nil else {
            for parent in members { try associate([id], with: parent) }
            return nil
        }
        let lone = SampleRun(
            starts: [row[9]], ends: [row[10]], values: [0], sequences: [takeSequences(1, for: typeID)],
            ids: SampleIDs([id]))
        var run = StoredRun(kind: kind, type: typeID, origin: origin, samples: lone)
        run.minimum = row[11]
        run.maximum = row[12]
        run.summary = (row[13] as Data?).flatMap { $0.withUnsafeBytes { RunSummary($0) } }
        return try insert(
            run, ids: lone.ids, columns: columns.map { [UInt8]($0) }, archive: row[19], sync: sync, members: members)
    }

    private func restoreRelations(of change: Int64, _ workouts: [UUID: Int64]) throws {
        for (workout, row) in workouts {
            let samples = try Data.fetchAll(
                db, sql: "SELECT sample FROM keptMember WHERE change = ? AND workout = ?",
                arguments: [change, workout.data])
            try associate(Set(samples.compactMap(UUID.init(data:))), with: row)
        }
        try db.execute(
            sql: """
                INSERT INTO effort (workout, activity, sample)
                SELECT workout, activity, sample FROM keptEffort WHERE change = ? ON CONFLICT DO NOTHING
                """, arguments: [change])
        try db.execute(
            sql: """
                INSERT INTO attachment (identifier, object, name, contentType, created, metadata, data)
                SELECT identifier, object, name, contentType, created, metadata, data FROM keptAttachment WHERE change = ?
                ON CONFLICT DO NOTHING
                """, arguments: [change])
    }
}
