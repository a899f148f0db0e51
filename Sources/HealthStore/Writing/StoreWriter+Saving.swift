import GRDB
import Recordings

extension StoreWriter {
    /// Notes a name under the settings; false when it is noted already.
    func note(_ mark: String) throws -> Bool {
        try db.execute(sql: "INSERT OR IGNORE INTO setting VALUES (?, x'01')", arguments: [mark])
        return db.changesCount > 0
    }

    func apply(_ change: StoreChange, from source: HKSourceRevision) throws {
        switch change {
        case .save(.objects(let objects)): try save(objects, from: source)
        case .save(.series(let sample, let content)): try save(sample, series: content, from: source)
        case .save(.workout(let workout, let log, let added)): try save(workout, log, added, from: source)
        case .collect(let samples, _): try collect(samples, from: source)
        case .join(let samples, let workout): try join(samples, workout: workout, from: source)
        case .relateEffort(let sample, let workout, let activity):
            try relateEffort(sample, workout: workout, activity: activity, from: source)
        case .attach(let attachment, let data, let object): try attach(attachment, data, to: object)
        }
    }

    fileprivate func save(_ objects: [HKObject], from source: HKSourceRevision) throws {
        var batch = SavedBatch(writer: self, source: source)
        // What may contain samples comes after them, and finds them there.
        for object in objects where object.isKeptInRuns { try batch.add(object) }
        try batch.store()
        for object in objects where !object.isKeptInRuns { try batch.add(object) }
    }

    fileprivate func save(_ sample: HKSample, series: SeriesContent, from source: HKSourceRevision) throws {
        var batch = SavedBatch(writer: self, source: source)
        try batch.add(sample, series: series)
        try batch.store()
    }

    fileprivate func save(
        _ workout: HKWorkout, _ log: any SessionEntries, _ added: AddedSeries, from source: HKSourceRevision
    ) throws {
        var batch = SavedBatch(writer: self, source: source)
        try batch.add(workout)
        try batch.store()
        guard let (row, _) = try find(workout.uuid) else { return }
        var contents = try WorkoutContents(workout, log: log, adding: added)
        var members = SavedBatch(writer: self, source: source, parent: row.id, session: workout.uuid)
        try contents.forEachBatch { batch in
            for column in batch.measured { try members.add(column) }
            try members.addOrAssociate(batch.added)
            try members.storeEarlier()
        } endHolds: { date, holder in
            try members.endHolds(at: date, of: holder)
        }
        try members.store()
        // One after the other: each is long.
        if let (series, beats) = contents.takeHeartbeats() { try members.add(series, series: .heartbeats(beats)) }
        if let (series, beats) = added.heartbeats { try members.add(series, series: .heartbeats(beats)) }
        if let (route, positions) = contents.takeRoute() { try members.add(route, along: positions) }
        try associate(contents.references, with: row.id)
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
