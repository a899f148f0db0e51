import Foundation
import SessionLog
import UniformTypeIdentifiers

extension StoreWriter {
    /// Notes a name among the settings. Returns false if it was noted before.
    func note(_ mark: String) throws -> Bool {
        try db.execute(
            sql: "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", arguments: [mark, Data([1])])
            > 0
    }

    func apply(_ change: StoreChange, from source: HKSourceRevision) throws {
        switch change {
        case .save(.objects(let objects)): try save(objects, from: source)
        case .save(.series(let sample, let content)): try save(sample, series: content, from: source)
        case .save(.workout(let workout, let log, let added)): try save(workout, log, added, from: source)
        case .save(.recording(let id, let log, let finish)): try save(id, log, finish, from: source)
        case .collect(let samples, let session, _): try collect(samples, of: session, from: source)
        case .setDevice(let device, let samples): try setDevice(device, of: samples)
        case .join(let samples, let workout): try join(samples, workout: workout, from: source)
        case .relateEffort(let sample, let workout, let activity):
            try relateEffort(sample, workout: workout, activity: activity, from: source)
        case .attach(let attachment, let data, let object): try attach(attachment, data, to: object)
        case .replace(let replacement, let owner): try replace(replacement, owner: owner)
        }
    }

    fileprivate func save(_ objects: [HKObject], from source: HKSourceRevision) throws {
        var batch = SavedBatch(writer: self, source: source)
        // Objects that may contain samples come after them, and find them stored.
        for object in objects where object.isKeptInRuns { try batch.add(object) }
        try batch.store()
        for object in objects where !object.isKeptInRuns { try batch.add(object) }
    }

    fileprivate func save(_ sample: HKSample, series: SeriesContent, from source: HKSourceRevision) throws {
        var batch = SavedBatch(writer: self, source: source)
        try batch.add(sample, series: series)
        try batch.store()
    }

    func save(
        _ workout: HKWorkout, _ log: any SessionEntries, _ added: AddedSeries, from source: HKSourceRevision
    ) throws {
        guard let row = try store(workout, from: source) else { return }
        var contents = try WorkoutContents(of: workout.uuid, log: log)
        var members = SavedBatch(writer: self, source: source, parent: .row(row), session: workout.uuid)
        try members.add(&contents)
        try save(&contents, of: workout, added, to: &members, in: row, from: source)
    }

    fileprivate func save(
        _ id: UUID, _ log: any SessionEntries, _ finish: ([StoredSensor]) throws -> FinishedRecording,
        from source: HKSourceRevision
    ) throws {
        var contents = try WorkoutContents(of: id, log: log)
        var members = SavedBatch(writer: self, source: source, parent: .later, session: id)
        try members.add(&contents)
        let finished = try finish(contents.sensors)
        guard let row = try store(finished.workout, from: source) else { return }
        try members.belong(to: row)
        try save(&contents, of: finished.workout, finished.added, to: &members, in: row, from: source)
    }

    /// Returns the row of the workout. Nil if the store keeps another version.
    private func store(_ workout: HKWorkout, from source: HKSourceRevision) throws -> Int64? {
        var batch = SavedBatch(writer: self, source: source)
        try batch.add(workout)
        try batch.store()
        return try find(workout.uuid)?.run.id
    }

    /// Stores the series of a log, whose samples are stored.
    private func save(
        _ contents: inout WorkoutContents, of workout: HKWorkout, _ added: AddedSeries, to members: inout SavedBatch,
        in row: Int64, from source: HKSourceRevision
    ) throws {
        /// Whether a series is stored: its workout was deleted without its samples. It belongs to the new one then.
        func isKept(_ series: HKSample) throws -> Bool { try associate([series.uuid], with: row) }
        // One after the other, because each is long.
        if let (series, beats) = contents.takeHeartbeats(of: workout), try !isKept(series) {
            try members.add(series, series: .heartbeats(beats))
        }
        for (sample, voltages) in contents.takeElectrocardiograms(of: workout) where try !isKept(sample) {
            try members.add(sample, series: .voltages(inMicrovolts: voltages))
        }
        if let (series, beats) = added.heartbeats { try members.add(series, series: .heartbeats(beats)) }
        if let (route, positions) = try contents.takeRoute(of: workout, added.routeMetadata), try !isKept(route) {
            try members.add(route, along: positions)
        }
        try associate(contents.references, with: row)
        if let effort = added.effort { try relateEffort(effort, workout: workout.uuid, activity: nil, from: source) }
    }
}

extension SavedBatch {
    /// Stores the samples of a workout's log.
    fileprivate mutating func add(_ contents: inout WorkoutContents) throws {
        try contents.forEachBatch { batch in
            try add(batch)
            try storeEarlier()
        } endHolds: { date, holder in
            try endHolds(at: date, of: holder)
        }
        try store()
    }
}

extension HKObject {
    var isKeptInRuns: Bool {
        switch self {
        case let sample as HKQuantitySample: sample.count == 1
        default: self is HKCategorySample
        }
    }
}

extension StoreWriter {
    func attach(_ attachment: HKAttachment, _ data: Data, to object: UUID) throws {
        guard try find(object) != nil else {
            throw HKError.make(
                .errorInvalidArgument, "The object \(object) is not in the store: save it before its attachments.")
        }
        try db.execute(
            sql: """
                INSERT INTO attachment (identifier, object, name, contentType, created, metadata, data)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                attachment.identifier.data, object.data, attachment.name, attachment.contentType.identifier,
                attachment.creationDate.timeIntervalSinceReferenceDate,
                attachment.metadata.map { try StoredMetadata.encoded($0) }, data,
            ])
    }

    /// - Returns: Whether the object had the attachment.
    func detach(_ attachment: UUID, from object: UUID) throws -> Bool {
        try db.execute(
            sql: "DELETE FROM attachment WHERE identifier = ? AND object = ?",
            arguments: [attachment.data, object.data]) > 0
    }
}

extension StoreWriter {
    func relateEffort(
        _ sample: HKSample, workout: UUID, activity: UUID?, from source: HKSourceRevision
    ) throws {
        try join([(sample, nil)], workout: workout, from: source)
        try noteEffort(sample.uuid, workout: workout, activity: activity)
    }

    /// Relates an effort to a workout or to one of its activities. The latest relation counts, and has the next number.
    func noteEffort(_ sample: UUID, workout: UUID, activity: UUID?) throws {
        try db.execute(
            sql: "DELETE FROM effort WHERE sample = ? AND workout = ?", arguments: [sample.data, workout.data])
        try db.execute(
            sql: "INSERT INTO effort (workout, activity, sample) VALUES (?, ?, ?)",
            arguments: [workout.data, activity?.data, sample.data])
    }

    /// - Returns: Whether they were related.
    func unrelateEffort(_ sample: UUID, workout: UUID, activity: UUID?) throws -> Bool {
        let about = RunCondition.all([
            RunCondition("sample = ? AND workout = ?", [sample.data, workout.data]),
            RunCondition("activity", equalTo: activity?.data),
        ])
        guard try db.execute(sql: "DELETE FROM effort WHERE \(about.sql)", arguments: about.arguments) > 0 else {
            return false
        }
        guard let (parent, _) = try find(workout), let (run, index) = try find(sample) else { return true }
        var row = run.id
        if run.count > 1 {
            let samples = try reader.members(run)
            let others = samples.starts.indices.filter { $0 != index }
            row = try replace(run, with: [samples.subset([index]), samples.subset(others)])[0]
        }
        try db.execute(sql: "DELETE FROM member WHERE parent = ? AND run = ?", arguments: [parent.id, row])
        return true
    }
}

extension StoreWriter {
    func join(
        _ samples: [(sample: HKSample, series: SeriesContent?)], workout: UUID, from source: HKSourceRevision
    ) throws {
        var members = SavedBatch(writer: self, source: source, parent: .row(try row(ofWorkout: workout)))
        for (sample, series) in samples {
            if let series {
                try members.add(sample, series: series)
            } else {
                try members.addOrAssociate([sample])
            }
        }
        try members.store()
    }

    func row(ofWorkout workout: UUID) throws -> Int64 {
        guard let (row, _) = try find(workout), try reader.type(row.type) is HKWorkoutType else {
            throw HKError.make(
                .errorInvalidArgument,
                "The workout \(workout) is not in the store. Save it before what belongs to it.")
        }
        return row.id
    }
}
