/// Objects with a row of their own.
extension SavedBatch {
    /// Replaces the app's own object with the same sync identifier if its version is lower. An object whose version is not
    /// higher is ignored, because saving something twice is not an error.
    mutating func addSynchronized(_ sample: HKSample, value: Double, unit: HKUnit?) throws {
        let typeID = try writer.id(of: sample.sampleType)
        let origin = try origin(of: sample, unit: unit)
        guard let replaced = try replaceOlder(of: sample, typeID, origin) else { return }
        let sync = try SyncIdentity(sample.metadata)
        var run = SampleRun(
            starts: [sample.startDate.timeIntervalSinceReferenceDate],
            ends: [sample.endDate.timeIntervalSinceReferenceDate], values: [value], sequences: [0],
            ids: SampleIDs([sample.uuid]))
        try refuseTaken(run.ids)
        run.sequences = [writer.takeSequences(1, for: typeID)]
        try join(
            writer.insert(
                run, unit == nil ? .categories : .quantities, type: sample.sampleType, typeID: typeID, origin: origin,
                unit: unit, sync: sync, members: replaced))
    }

    /// Returns the parents of the replaced object. Nil if the stored object stays.
    private func replaceOlder(
        of sample: HKSample, _ typeID: Int64, _ origin: StoredRun.Origin
    ) throws -> [Int64]? {
        guard let sync = try SyncIdentity(sample.metadata) else { return [] }
        let older = try writer.reader.runs(
            "WHERE syncIdentifier = ? AND type = ? AND source = ?", [sync.identifier, typeID, origin.source],
            among: .complete)
        guard let older = older.first else { return [] }
        let version = try Double.fetchOne(
            writer.db, sql: "SELECT syncVersion FROM run WHERE id = ?", arguments: [older.id])
        guard let version, version < sync.version else { return nil }
        let parents = try writer.parents(of: older.id)
        try writer.delete(older, [0])
        return parents
    }

    private func origin(of sample: HKSample, unit: HKUnit?) throws -> StoredRun.Origin {
        try writer.origin(source: source, device: sample.device, metadata: sample.metadata, unit: unit)
    }

    /// Adds a route with many positions, without an object for each.
    mutating func add(_ route: HKWorkoutRoute, along positions: PositionColumns) throws {
        try add(route, inside: .route(positions))
    }

    /// Adds a workout, a correlation, a series or another object, in a row of its own.
    mutating func add(_ sample: HKSample, series: SeriesContent?) throws {
        if case .positions(let positions) = series {
            try add(sample, inside: .route(PositionColumns(positions)))
        } else {
            try add(sample, inside: series.map(Inside.series) ?? .nothing)
        }
    }

    /// The content of a row beside the sample.
    private enum Inside {
        case nothing
        case series(SeriesContent)
        case route(PositionColumns)
    }

    private mutating func add(_ sample: HKSample, inside: Inside) throws {
        let typeID = try writer.id(of: sample.sampleType)
        let unit = (sample as? HKQuantitySample)?.quantity.unit
        let origin = try origin(of: sample, unit: unit)
        guard let replaced = try replaceOlder(of: sample, typeID, origin) else { return }
        if !hasOnlyNew { try refuseTaken(SampleIDs([sample.uuid])) }
        let row = try insert(
            sample, inside, typeID, origin, unit, SyncIdentity(sample.metadata), members: replaced)
        try join(row)
        guard let correlation = sample as? HKCorrelation else { return }
        var contents = SavedBatch(writer: writer, source: source, parent: .row(row))
        try contents.addOrAssociate(correlation.objects)
        try contents.storeEachAlone()
    }

    private func insert(
        _ sample: HKSample, _ inside: Inside, _ typeID: Int64, _ origin: StoredRun.Origin, _ unit: HKUnit?,
        _ sync: SyncIdentity?, members: [Int64]
    ) throws -> Int64 {
        let sequence = writer.takeSequences(1, for: typeID)
        let lone = SampleRun(
            starts: [sample.startDate.timeIntervalSinceReferenceDate],
            ends: [sample.endDate.timeIntervalSinceReferenceDate], values: [0], sequences: [sequence],
            ids: SampleIDs([sample.uuid]))
        var run = StoredRun(kind: .object, type: typeID, origin: origin, samples: lone)
        var columns: [UInt8]?
        var route: SpooledBytes?
        var isArchived = false
        switch inside {
        case .series(.quantities(let quantities)):
            run.kind = .quantitySeries
            isArchived = true
            let inside = SampleRun(quantities, unit: unit)
            run.describe(inside, of: sample.sampleType, in: unit)
            columns = inside.encoded(firstSequence: 0)
        case .series(.heartbeats(let beats)):
            run.kind = .heartbeats
            columns = SampleRun(beats).encoded(firstSequence: 0)
        case .route(let positions):
            run.kind = .route
            route = positions.bytes
            // The row holds everything. Without positions it would look like a row of an earlier version, which has an archive.
            run.minimum = Double((sample as? HKWorkoutRoute)?.count ?? 0)
            run.maximum = run.minimum
            isArchived = run.maximum == 0
        case .series(.positions): break  // It is already a route.
        case .series(.voltages(let microvolts)):
            isArchived = true
            columns = SampleRun(voltages: microvolts).encoded(firstSequence: 0)
        case .nothing:
            switch sample {
            case let workout as HKWorkout:
                run.kind = .workout
                run.minimum = Double(workout.workoutActivityType.rawValue)
                run.maximum = run.minimum
                columns = try WorkoutColumns(workout, writer).bytes
            case is HKCorrelation:
                run.kind = .correlation
            case let sample as HKQuantitySample:
                let alone = StoredQuantity(quantity: sample.quantity, start: sample.startDate, end: sample.endDate)
                run.kind = .quantitySeries
                isArchived = true
                let inside = SampleRun([alone], unit: unit)
                run.describe(inside, of: sample.sampleType, in: unit)
                columns = inside.encoded(firstSequence: 0)
            default: isArchived = true
            }
        }
        let archive =
            isArchived ? try ObjectArchive.encoded(sample.with(sample.identity.with(sourceRevision: source))) : nil
        let row = try writer.insert(
            run, ids: lone.ids, columns: columns, archive: archive, sync: sync, members: members)
        if let route { try writer.db.setContent(of: row, route) }
        return row
    }

    /// Adds the samples of a correlation, each in a row of its own.
    fileprivate mutating func storeEachAlone() throws {
        for group in groups {
            let typeID = try writer.id(of: group.type)
            for index in group.ids.indices {
                let run = SampleRun(
                    starts: [group.starts[index]], ends: [group.ends[index]], values: [group.values[index]],
                    sequences: [0], ids: SampleIDs([group.ids[index]]))
                try store(run, group.type, typeID, group.origin, group.unit)
            }
        }
        groups = []
        try associate()
    }
}
