import GRDB

/// Objects on their way into the store, gathered into runs.
struct SavedBatch {
    private let writer: StoreWriter
    private let source: HKSourceRevision
    private let parent: Int64?
    /// What the store holds already of the session whose workout is saved.
    private var collected: CollectedRows?
    /// Rows take no more samples than these.
    private let longestRow: Int
    private var isCollecting: Bool { longestRow < SampleRun.longest }
    private var groups: [SampleGroup] = []
    private var places: [Key: Int] = [:]
    private var known: [Known] = []
    private var toAssociate: Set<UUID> = []
    /// What UUIDs of measured samples begin with of which the store had none: nothing need be looked for.
    private var newBases: Set<UUID> = []
    private var latestBase: UUID?

    private struct Key: Hashable {
        var type: HKSampleType
        var origin: StoredRun.Origin
    }

    /// Which group the samples are in that say what they are by these very objects.
    private struct Known {
        /// A workout has some ten kinds of samples in turns.
        static let most = 16

        var type: HKSampleType
        var device: HKDevice?
        var unit: HKUnit?
        var group: Int

        func says(_ type: HKSampleType, _ device: HKDevice?, _ unit: HKUnit?) -> Bool {
            self.type === type && self.device === device && self.unit === unit
        }
    }

    /// - Parameters:
    ///   - parent: The row that the samples belong to.
    ///   - session: The session whose workout the parent is. What the store collected of it while it ran is stored anew, as part
    ///     of the workout.
    ///   - longestRow: How long a row may become by what is added at its end.
    init(
        writer: StoreWriter, source: HKSourceRevision, parent: Int64? = nil, session: UUID? = nil,
        longestRow: Int = SampleRun.longest
    ) {
        self.writer = writer
        self.source = source
        self.parent = parent
        self.longestRow = longestRow
        collected = session.map(CollectedRows.init)
    }

    mutating func add(_ object: HKObject) throws {
        switch object {
        case let sample as HKQuantitySample where sample.count == 1:
            try add(sample, value: sample.quantity.value, unit: sample.quantity.unit)
        case let sample as HKCategorySample:
            try add(sample, value: Double(sample.value), unit: nil)
        case let sample as HKSample:
            try add(sample, series: nil)
        default:
            throw HKError.make(
                .errorInvalidArgument, "An object of class \(type(of: object)) cannot be saved: it is not a sample.")
        }
    }

    /// What a workout's sensors measured. What of it is in the store already is found when it is stored.
    mutating func add(_ column: MeasuredColumn) throws {
        guard let first = column.ids.first, let last = column.ids.last else { return }
        for base in [first.base, last.base] where base != latestBase {
            latestBase = base
            if try !writer.mayHold(base) { newBases.insert(base) }
        }
        let group: Int
        if let known = knownGroup(column.type, column.device, column.unit) {
            group = known
        } else {
            group = try self.group(column.type, column.device, metadata: nil, column.unit)
        }
        guard collected != nil, !newBases.contains(first.base) || !newBases.contains(last.base) else {
            return groups[group].append(column, [Int64](repeating: 0, count: column.ids.count))
        }
        for id in column.ids { try collected?.load(id, from: writer) }
        let deleted = column.ids.indices.filter { collected?.wasDeleted(column.ids[$0]) == true }
        let left = deleted.isEmpty ? column : column.without(Set(deleted))
        groups[group].append(left, left.ids.map { collected?.sequence(of: $0) ?? 0 })
    }

    /// Samples of a workout that may be in the store already.
    mutating func addOrAssociate(_ samples: some Collection<HKSample>) throws {
        let ids = Set(samples.map(\.uuid))
        // Before the store is searched: it does not hold them any more.
        if collected != nil { for sample in samples { try collected?.load(sample.uuid, from: writer) } }
        let missing = try writer.find(ids).missing
        toAssociate.formUnion(ids.subtracting(missing))
        for sample in samples where missing.contains(sample.uuid) && collected?.wasDeleted(sample.uuid) != true {
            try add(sample)
        }
    }

    private mutating func add(_ sample: HKSample, value: Double, unit: HKUnit?) throws {
        // It may be one that is measured, too.
        if !newBases.isEmpty { newBases.remove(sample.uuid.base) }
        let group = try group(of: sample, unit: unit)
        guard let group else { return try addSynchronized(sample, value: value, unit: unit) }
        groups[group].starts.append(sample.startDate.timeIntervalSinceReferenceDate)
        groups[group].ends.append(sample.endDate.timeIntervalSinceReferenceDate)
        groups[group].values.append(value)
        groups[group].sequences.append(collected?.sequence(of: sample.uuid) ?? 0)
        groups[group].ids.append(sample.uuid)
    }

    /// Nil for a sample with a sync identifier, which goes its own way.
    private mutating func group(of sample: HKSample, unit: HKUnit?) throws -> Int? {
        let identity = sample.identity
        // Most samples are like one shortly before; then nothing need be looked up.
        if identity.metadata == nil, let group = knownGroup(sample.sampleType, identity.device, unit) { return group }
        if try SyncIdentity(identity.metadata) != nil { return nil }
        return try group(sample.sampleType, identity.device, metadata: identity.metadata, unit)
    }

    private func knownGroup(_ type: HKSampleType, _ device: HKDevice?, _ unit: HKUnit?) -> Int? {
        known.last { $0.says(type, device, unit) }?.group
    }

    private mutating func group(
        _ type: HKSampleType, _ device: HKDevice?, metadata: [String: Any]?, _ unit: HKUnit?
    ) throws -> Int {
        let origin = try writer.origin(source: source, device: device, metadata: metadata, unit: unit)
        let key = Key(type: type, origin: origin)
        let group = places[key] ?? groups.count
        if group == groups.count {
            groups.append(SampleGroup(type: type, unit: unit, origin: origin))
            places[key] = group
        }
        if metadata == nil {
            if known.count == Known.most { known.removeFirst() }
            known.append(Known(type: type, device: device, unit: unit, group: group))
        }
        return group
    }

    // MARK: Runs

    mutating func store() throws {
        for group in groups {
            let typeID = try writer.id(of: group.type)
            var runs = group.runs
            if parent == nil, try append(runs[0], typeID, group.origin) { runs.removeFirst() }
            for run in runs { try store(run, group.type, typeID, group.origin, group.unit) }
        }
        groups = []
        places = [:]
        known = []
        if let parent { try writer.associate(toAssociate, with: parent) }
    }

    /// More samples of a kind than these do not wait for the others.
    private static let longestGroup = 2 * SampleRun.longest

    /// Stores what has come of long groups of members but for their last run, which goes on. Samples that come so late that
    /// they belong before it make runs of their own.
    mutating func storeEarlier() throws {
        for place in groups.indices where groups[place].count >= Self.longestGroup {
            let group = groups[place]
            let typeID = try writer.id(of: group.type)
            var runs = group.runs
            groups[place].keep(group.ids.isEmpty ? SampleRun() : runs.removeLast())
            for run in runs { try store(run, group.type, typeID, group.origin, group.unit) }
        }
    }

    /// The last values so far are held no longer than until then: those of one device, or all.
    mutating func endHolds(at date: Date, of holder: WorkoutContents.Holder) throws {
        let isMeant: (StoredRun.Origin) -> Bool
        switch holder {
        case .all: isMeant = { _ in true }
        case .device(let device):
            let row = try device.map { try writer.id(of: $0) }
            isMeant = { $0.device == row }
        }
        for place in groups.indices where isMeant(groups[place].origin) {
            groups[place].endHold(at: date.timeIntervalSinceReferenceDate)
        }
    }

    private mutating func store(
        _ run: SampleRun, _ type: HKSampleType, _ typeID: Int64, _ origin: StoredRun.Origin, _ unit: HKUnit?
    ) throws {
        guard var run = try withoutStored(run) else { return }
        if isCollecting { run.ids = SampleIDs(recognizing: run.ids) }
        let new = run.sequences.indices.filter { run.sequences[$0] == 0 }
        if !new.isEmpty {
            let first = writer.takeSequences(new.count, for: typeID)
            for (offset, index) in new.enumerated() { run.sequences[index] = first + Int64(offset) }
        }
        try writer.insert(
            run, unit == nil ? .categories : .quantities, type: type, typeID: typeID, origin: origin, unit: unit,
            members: parent.map { [$0] } ?? [])
    }

    /// Puts samples at the end of the latest run of their kind, where they fit: an app that saves one sample at a time
    /// makes runs, too.
    private func append(_ run: SampleRun, _ typeID: Int64, _ origin: StoredRun.Origin) throws -> Bool {
        guard run.count < SampleRun.shortestFullHour,
            let latest = try writer.latestRun(typeID, origin, room: longestRow - run.count),
            let first = run.starts.first, latest.lastStart <= first
        else { return false }
        var later = run
        if isCollecting {
            later.ids = SampleIDs(recognizing: run.ids)
            // Rows of a session stay apart from others, so that they are found when its workout is saved.
            guard latest.base == later.ids.base else { return false }
        }
        try refuseTaken(later.ids)
        let sequence = writer.takeSequences(run.count, for: typeID)
        for index in later.sequences.indices { later.sequences[index] = sequence + Int64(index) }
        try writer.append(later, to: latest)
        return true
    }

    /// The samples that are not in the store. A workout's are there if they were saved before it, or stayed when it was deleted:
    /// they become its members. Nil if all are there.
    private mutating func withoutStored(_ run: SampleRun) throws -> SampleRun? {
        if let base = run.ids.base, newBases.contains(base) { return run }
        guard try writer.find(anyOf: run.ids) != nil else { return run }
        guard parent != nil else {
            try refuseTaken(run.ids)
            return run
        }
        let ids = Set(run.ids.all)
        let missing = try writer.find(ids).missing
        toAssociate.formUnion(ids.subtracting(missing))
        let new = run.subset(run.starts.indices.filter { missing.contains(run.id($0)) })
        try refuseTaken(new.ids)
        return new.count > 0 ? new : nil
    }

    private func refuseTaken(_ ids: SampleIDs) throws {
        guard let taken = try writer.find(anyOf: ids) else { return }
        throw HKError.make(
            .errorInvalidArgument, "An object with the UUID \(taken) is in the store already. Nothing was saved.")
    }

    // MARK: Single objects

    /// Replaces the app's own object of the same sync identifier when its version is lower. An object whose version is
    /// not higher than the stored one's is passed over without an error: saving again what is there is no mistake.
    private func addSynchronized(_ sample: HKSample, value: Double, unit: HKUnit?) throws {
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
        try writer.insert(
            run, unit == nil ? .categories : .quantities, type: sample.sampleType, typeID: typeID, origin: origin,
            unit: unit, sync: sync, members: replaced + (parent.map { [$0] } ?? []))
    }

    /// The parents of the object that was replaced; nil when the stored one stays.
    private func replaceOlder(
        of sample: HKSample, _ typeID: Int64, _ origin: StoredRun.Origin
    ) throws -> [Int64]? {
        guard let sync = try SyncIdentity(sample.metadata) else { return [] }
        let older = try writer.reader.runs(
            "WHERE syncIdentifier = ? AND type = ? AND source = ?", [sync.identifier, typeID, origin.source])
        guard let older = older.first else { return [] }
        let version = try Double.fetchOne(
            writer.db.cachedStatement(sql: "SELECT syncVersion FROM run WHERE id = ?"), arguments: [older.id])
        guard let version, version < sync.version else { return nil }
        let parents = try writer.parents(of: older.id)
        try writer.delete(older, [0])
        return parents
    }

    private func origin(of sample: HKSample, unit: HKUnit?) throws -> StoredRun.Origin {
        try writer.origin(source: source, device: sample.device, metadata: sample.metadata, unit: unit)
    }

    /// A route of many positions, which need no objects.
    mutating func add(_ route: HKWorkoutRoute, along positions: PositionColumns) throws {
        try add(route, inside: .route(positions))
    }

    /// Workouts, correlations, series and whatever else: a row of its own.
    mutating func add(_ sample: HKSample, series: SeriesContent?) throws {
        try add(sample, inside: series.map(Inside.series) ?? .nothing)
    }

    /// What is in a row besides the sample itself.
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
        try refuseTaken(SampleIDs([sample.uuid]))
        let row = try insert(
            sample, inside, typeID, origin, unit, SyncIdentity(sample.metadata),
            members: replaced + (parent.map { [$0] } ?? []))
        guard let correlation = sample as? HKCorrelation else { return }
        var contents = SavedBatch(writer: writer, source: source, parent: row)
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
        case .series(.positions(let positions)):
            run.kind = .route
            isArchived = true
            columns = PositionColumns(positions).encoded
        case .route(let positions):
            run.kind = .route
            isArchived = true
            columns = positions.encoded
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
        return try writer.insert(
            run, ids: lone.ids, columns: columns, archive: archive, sync: sync, members: members)
    }

    /// Every sample in a row of its own: what is inside a correlation.
    private mutating func storeEachAlone() throws {
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
        if let parent { try writer.associate(toAssociate, with: parent) }
    }
}
