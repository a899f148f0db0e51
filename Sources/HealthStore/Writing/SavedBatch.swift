/// Objects to be stored, gathered into runs.
struct SavedBatch {
    let writer: StoreWriter
    let source: HKSourceRevision
    private var parent: Parent
    /// The session of the samples, which still runs or whose workout is being saved.
    private let session: UUID?
    /// What the store already has of the session whose workout is being saved.
    private var collected: CollectedRows?
    /// The most samples in a row.
    private let longestRow: Int
    private var isCollecting: Bool { session != nil && parent == .none }
    /// Rows whose parent is not stored yet.
    private var waiting: [Int64] = []
    var groups: [SampleGroup] = []
    private var places: [Key: Int] = [:]
    private var known: [Known] = []
    var toAssociate: Set<UUID> = []
    /// The beginnings of UUIDs that the store does not have, so that no search is needed.
    private var newBases: Set<UUID> = []
    private var latestBase: UUID?
    /// Whether the caller knows that no object with a row of its own is stored.
    var hasOnlyNew = false

    /// What the samples belong to.
    enum Parent: Equatable {
        case none
        /// A workout that is stored after them: see ``belong(to:)``.
        case later
        case row(Int64)
    }

    private struct Key: Hashable {
        var type: HKSampleType
        var origin: StoredRun.Origin
        /// The beginning of the UUIDs of a running session's readings, which stay apart so that they are found when the workout is
        /// saved.
        var base: UUID?
    }

    /// The group of samples that share these very objects.
    private struct Known {
        /// A workout has about ten kinds of samples in turns.
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
    ///   - session: The session of the parent, a workout. The samples that were collected while it ran become part of the workout.
    ///     Without a parent, the session is still running.
    ///   - longestRow: The most samples of a row that grows.
    init(
        writer: StoreWriter, source: HKSourceRevision, parent: Parent = .none, session: UUID? = nil,
        longestRow: Int = SampleRun.longest
    ) {
        self.writer = writer
        self.source = source
        self.parent = parent
        self.session = session
        self.longestRow = longestRow
        if parent != .none { collected = session.map(CollectedRows.init) }
    }

    mutating func add(_ object: HKObject) throws { try add(object, 0) }

    /// - Parameter sequence: The number for a plain sample. 0 for any.
    private mutating func add(_ object: HKObject, _ sequence: Int64) throws {
        switch object {
        case let sample as HKQuantitySample where sample.count == 1:
            try add(sample, value: sample.quantity.value, unit: sample.quantity.unit, sequence: sequence)
        case let sample as HKCategorySample:
            try add(sample, value: Double(sample.value), unit: nil, sequence: sequence)
        case let sample as HKSample:
            try add(sample, series: nil)
        default:
            throw HKError.make(
                .errorInvalidArgument, "An object of class \(type(of: object)) cannot be saved: it is not a sample.")
        }
    }

    /// Adds a part of a workout's log. New samples are numbered in the order of the log, as in a running session.
    mutating func add(_ batch: WorkoutContents.Batch) throws {
        let first = writer.reserveSequences(batch.count)
        for column in batch.measured { try add(column, first) }
        try addOrAssociate(batch.added.map { ($0.sample, first + Int64($0.place)) })
    }

    /// Adds sensor readings of a workout. Samples that are already stored are found later.
    private mutating func add(_ column: MeasuredColumn, _ firstSequence: Int64) throws {
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
            return groups[group].append(column, numbered: column.places.map { firstSequence + Int64($0) })
        }
        for id in column.ids { try collected?.load(id, from: writer) }
        let deleted = column.ids.indices.filter { collected?.wasDeleted(column.ids[$0]) == true }
        let left = deleted.isEmpty ? column : column.without(Set(deleted))
        groups[group].append(
            left,
            numbered: zip(left.ids, left.places).map { id, place in
                collected?.sequence(of: id) ?? firstSequence + Int64(place)
            })
    }

    /// Adds samples of a workout, or associates them if they are already stored.
    mutating func addOrAssociate(_ samples: some Collection<HKSample>) throws {
        try addOrAssociate(samples.map { ($0, 0) })
    }

    /// - Parameter samples: With their numbers. 0 for any.
    private mutating func addOrAssociate(_ samples: [(sample: HKSample, sequence: Int64)]) throws {
        guard !samples.isEmpty else { return }
        let ids = Set(samples.map(\.sample.uuid))
        // Before the search, because this removes them from the store.
        if collected != nil { for id in ids { try collected?.load(id, from: writer) } }
        let found = try writer.find(ids)
        let free = collected == nil ? [:] : try writer.takeFree(found, of: source)
        toAssociate.formUnion(ids.subtracting(found.missing).subtracting(free.keys))
        let deleted =
            try collected?.deleted(samples.map(\.sample).filter { found.missing.contains($0.uuid) }, writer) ?? []
        for (sample, sequence) in samples {
            let id = sample.uuid
            if let stored = free[id] {
                let (run, reader) = (stored.run, writer.reader)
                let group = try group(reader.type(run.type), run.origin, reader.unit(run.origin.unit))
                groups[group].append(stored.samples, at: stored.index)
            } else if found.missing.contains(id), !deleted.contains(id), collected?.wasDeleted(id) != true {
                try add(sample, sequence)
            }
        }
    }

    private mutating func add(_ sample: HKSample, value: Double, unit: HKUnit?, sequence: Int64) throws {
        // A sensor may measure the same sample.
        if !newBases.isEmpty { newBases.remove(sample.uuid.base) }
        let group = try group(of: sample, unit: unit)
        guard let group else { return try addSynchronized(sample, value: value, unit: unit) }
        groups[group].starts.append(sample.startDate.timeIntervalSinceReferenceDate)
        groups[group].ends.append(sample.endDate.timeIntervalSinceReferenceDate)
        groups[group].values.append(value)
        let known = collected?.sequence(of: sample.uuid)
        groups[group].sequences.append(known ?? (isCollecting ? writer.reserveSequences(1) : sequence))
        groups[group].ids.append(sample.uuid)
    }

    /// Nil for a sample with a sync identifier, which is handled separately.
    private mutating func group(of sample: HKSample, unit: HKUnit?) throws -> Int? {
        let identity = sample.identity
        // Most samples are of the same kind as a recent one. Then no lookup is needed.
        if !isCollecting, identity.metadata == nil, let group = knownGroup(sample.sampleType, identity.device, unit) {
            return group
        }
        if try SyncIdentity(identity.metadata) != nil { return nil }
        return try group(sample.sampleType, identity.device, metadata: identity.metadata, unit, sample.uuid)
    }

    private func knownGroup(_ type: HKSampleType, _ device: HKDevice?, _ unit: HKUnit?) -> Int? {
        known.last { $0.says(type, device, unit) }?.group
    }

    private mutating func group(
        _ type: HKSampleType, _ device: HKDevice?, metadata: [String: Any]?, _ unit: HKUnit?, _ id: UUID? = nil
    ) throws -> Int {
        let origin = try writer.origin(source: source, device: device, metadata: metadata, unit: unit)
        guard !isCollecting else {
            let isReading = session.map { id?.isSample(of: $0) == true } == true
            return group(type, origin, unit, isReading ? id?.base : nil)
        }
        let group = group(type, origin, unit)
        if metadata == nil {
            if known.count == Known.most { known.removeFirst() }
            known.append(Known(type: type, device: device, unit: unit, group: group))
        }
        return group
    }

    private mutating func group(
        _ type: HKSampleType, _ origin: StoredRun.Origin, _ unit: HKUnit?, _ base: UUID? = nil
    ) -> Int {
        let key = Key(type: type, origin: origin, base: base)
        if let group = places[key] { return group }
        groups.append(SampleGroup(type: type, unit: unit, origin: origin))
        places[key] = groups.count - 1
        return groups.count - 1
    }

    // MARK: Runs

    mutating func store() throws {
        for group in groups {
            let typeID = try writer.id(of: group.type)
            var runs = group.runs
            if isCollecting { runs = try runs.filter { try !grow($0, group, typeID) } }
            if parent == .none, let first = runs.first, try append(first, typeID, group.origin) { runs.removeFirst() }
            for run in runs { try store(run, group.type, typeID, group.origin, group.unit) }
        }
        groups = []
        places = [:]
        known = []
        try associate()
    }

    /// Makes stored objects members.
    func associate() throws {
        if case .row(let row) = parent { try writer.associate(toAssociate, with: row) }
    }

    /// Makes a stored row a member.
    mutating func join(_ row: Int64) throws {
        switch parent {
        case .none: break
        case .later: waiting.append(row)
        case .row(let parent): try writer.add(row, to: parent)
        }
    }

    /// Makes everything stored so far members of this row.
    mutating func belong(to row: Int64) throws {
        parent = .row(row)
        if let first = waiting.min(), let last = waiting.max() {
            // A later version of an object in the same log may have replaced one.
            let left = Set(
                try Int64.fetchAll(
                    writer.db, sql: "SELECT id FROM run WHERE id BETWEEN ? AND ?", arguments: [first, last]))
            for member in waiting where left.contains(member) { try writer.add(member, to: row) }
            waiting = []
        }
        try associate()
    }

    /// Adds readings of a running session to a growing run. Returns false for many at once, which deserve a row of their own.
    private func grow(_ run: SampleRun, _ group: SampleGroup, _ typeID: Int64) throws -> Bool {
        var later = run
        later.ids = SampleIDs(recognizing: run.ids)
        guard later.ids.base != nil, 2 * run.count <= longestRow else { return false }
        // The caller leaves out what is stored.
        if let twice = later.ids.duplicate { throw taken(twice) }
        try writer.grow(later, group, typeID, longest: longestRow)
        return true
    }

    /// A group with more samples is stored before the others.
    private static let longestGroup = 2 * SampleRun.longest

    /// Stores long groups, except for their last run, which continues. Samples that arrive later and belong before it get runs of
    /// their own.
    mutating func storeEarlier() throws {
        for place in groups.indices where groups[place].count >= Self.longestGroup {
            let group = groups[place]
            let typeID = try writer.id(of: group.type)
            var runs = group.runs
            groups[place].keep(group.ids.isEmpty ? SampleRun() : runs.removeLast())
            for run in runs { try store(run, group.type, typeID, group.origin, group.unit) }
        }
    }

    /// Ends the hold of the last values at this date: those of one device, or all.
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

    mutating func store(
        _ run: SampleRun, _ type: HKSampleType, _ typeID: Int64, _ origin: StoredRun.Origin, _ unit: HKUnit?
    ) throws {
        guard var run = try withoutStored(run) else { return }
        if isCollecting { run.ids = SampleIDs(recognizing: run.ids) }
        number(&run, typeID)
        try join(
            writer.insert(
                run, unit == nil ? .categories : .quantities, type: type, typeID: typeID, origin: origin, unit: unit))
    }

    /// Numbers the samples that have no number, in order of their starts.
    private func number(_ run: inout SampleRun, _ typeID: Int64) {
        let new = run.sequences.indices.filter { run.sequences[$0] == 0 }
        if !new.isEmpty {
            let first = writer.reserveSequences(new.count)
            for (offset, index) in new.enumerated() { run.sequences[index] = first + Int64(offset) }
        }
        writer.noteAdded(run.sequences, of: typeID)
    }

    /// Appends samples to the latest run of their kind if they fit, so that an app that saves one sample at a time makes runs
    /// too. Returns whether it did.
    private func append(_ run: SampleRun, _ typeID: Int64, _ origin: StoredRun.Origin) throws -> Bool {
        var later = run
        if isCollecting { later.ids = SampleIDs(recognizing: run.ids) }
        guard run.count < SampleRun.shortestFullHour,
            let latest = try writer.latestRun(
                typeID, origin, room: longestRow - run.count,
                where: { latest in
                    // The readings of a session stay apart from samples of the app.
                    !isCollecting || latest.base == later.ids.base
                }),
            let first = run.starts.first, latest.lastStart <= first
        else { return false }
        try refuseTaken(later.ids)
        number(&later, typeID)
        try writer.append(later, to: latest)
        return true
    }

    /// Returns the samples that are not stored. Samples of a workout may be stored if they were saved before it, or stayed when
    /// it was deleted; they become its members. Nil if all are stored.
    private mutating func withoutStored(_ run: SampleRun) throws -> SampleRun? {
        if let base = run.ids.base, newBases.contains(base) { return run }
        guard try writer.find(anyOf: run.ids) != nil else { return run }
        guard parent != .none else {
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

    func refuseTaken(_ ids: SampleIDs) throws {
        if let found = try writer.find(anyOf: ids) { throw taken(found) }
    }

    private func taken(_ id: UUID) -> HKError {
        HKError.make(.errorInvalidArgument, "An object with the UUID \(id) is in the store already. Nothing was saved.")
    }
}
