import SessionLog

/// The numbers of the values that a store keeps once, such as types and units. They never change.
package struct KnownNumbers: Sendable {
    fileprivate var types: [HKSampleType: Int64] = [:]
    fileprivate var units: [HKUnit: Int64] = [:]
    fileprivate var devices: [HKDevice: Int64] = [:]
    /// Whether the store is known to have no UUIDs of apps. Valid until the store changes, other than by running sessions.
    fileprivate(set) var hasNoForeignIDs = false
    /// By revision and name of the source, because the name may change.
    fileprivate var revisions: [HKSourceRevision: (name: String, source: Int64, revision: Int64)] = [:]

    package init() {}

    /// Forgets what another writer may have changed. Numbers never change.
    package mutating func othersChanged() {
        hasNoForeignIDs = false
        revisions = [:]
    }

    /// An import may have thousands of devices, a session one or two.
    package var isSmall: Bool { types.count + units.count + devices.count + revisions.count <= 64 }
}

/// One write transaction: assigns sequence numbers, stores shared values once, and collects what has changed.
package final class StoreWriter: SharedNumbers {
    let db: any SQLDatabase
    package private(set) var lastSequence: Int64
    /// The last number before this transaction.
    private let formerLastSequence: Int64
    private var changedTypes: [Int64: Int64] = [:]
    /// The numbers looked up or assigned so far.
    package private(set) var known: KnownNumbers
    private var sourceIDs: [HKSource: Int64] = [:]
    private var metadataIDs: [Data: Int64] = [:]
    private(set) lazy var reader = StoreReader(db)
    /// Whether the store has UUIDs of apps. Usually it has none, and no search is needed.
    private var hasForeignIDs: Bool { !known.hasNoForeignIDs }

    /// - Parameter known: The numbers of an earlier, committed transaction of the same person, if they are still valid.
    package init(_ db: any SQLDatabase, known: KnownNumbers = KnownNumbers()) throws {
        self.db = db
        self.known = known
        let others = known.hasNoForeignIDs ? "false" : "EXISTS (SELECT 1 FROM foreignID)"
        let row = try SQLRow.fetchOne(db, sql: "SELECT last, \(others) FROM latestSequence")
        lastSequence = row?[0] ?? 0
        let hasForeignIDs: Bool = row?[1] ?? true
        self.known.hasNoForeignIDs = !hasForeignIDs
        formerLastSequence = lastSequence
    }

    /// Whether the transaction changes the store, other than by samples of running sessions.
    package var changes: Bool { !changedTypes.isEmpty }

    /// Call it before the commit.
    package func finish() throws {
        guard !changedTypes.isEmpty else { return }
        try db.execute(sql: "UPDATE sequence SET last = ?", arguments: [lastSequence])
        for (type, sequence) in changedTypes {
            try db.execute(
                sql: "UPDATE type SET lastChange = ? WHERE id = ? AND lastChange < ?",
                arguments: [sequence, type, sequence])
        }
    }

    /// Reserves `count` sequence numbers for an addition or a deletion, and returns the first.
    func takeSequences(_ count: Int, for type: Int64) -> Int64 {
        let first = reserveSequences(count)
        if count > 0 { changedTypes[type] = lastSequence }
        return first
    }

    /// Reserves `count` sequence numbers for samples of several types, and returns the first. Report the used ones to
    /// ``noteAdded(_:of:)``.
    func reserveSequences(_ count: Int) -> Int64 {
        defer { lastSequence += Int64(count) }
        return lastSequence + 1
    }

    /// Notes the numbers of stored samples of a type. Numbers of earlier transactions are not changes.
    func noteAdded(_ sequences: [Int64], of type: Int64) {
        guard let last = sequences.max(), last > formerLastSequence else { return }
        noteChange(last, of: type)
    }

    /// Notes a change of a sample of `type`.
    func noteChange(_ sequence: Int64, of type: Int64) {
        changedTypes[type] = max(changedTypes[type] ?? 0, sequence)
    }

    // MARK: Shared values

    func id(of type: HKSampleType) throws -> Int64 {
        if let id = known.types[type] { return id }
        let id = try kept("type", "identifier", type.identifier)
        known.types[type] = id
        return id
    }

    func id(of unit: HKUnit) throws -> Int64 {
        if let id = known.units[unit] { return id }
        let id = try kept("unit", "string", unit.unitString)
        known.units[unit] = id
        return id
    }

    func id(of device: HKDevice) throws -> Int64 {
        if let id = known.devices[device] { return id }
        let id = try kept("device", "properties", try StoredDevice.encoded(device))
        known.devices[device] = id
        return id
    }

    func id(ofMetadata metadata: [String: Any]) throws -> Int64 {
        let data = try StoredMetadata.encoded(metadata)
        if let id = metadataIDs[data] { return id }
        let id = try kept("metadata", "content", data)
        metadataIDs[data] = id
        return id
    }

    private func kept(_ table: String, _ column: String, _ value: some SQLValue) throws -> Int64 {
        let known = try Int64.fetchOne(
            db, sql: "SELECT id FROM \(table) WHERE \(column) = ?", arguments: [value])
        return try known ?? db.insert(sql: "INSERT INTO \(table) (\(column)) VALUES (?)", arguments: [value])
    }

    func ids(of revision: HKSourceRevision) throws -> (source: Int64, revision: Int64) {
        let name = revision.source.name
        if let ids = known.revisions[revision], ids.name == name { return (ids.source, ids.revision) }
        let source = try id(of: revision.source)
        let system = revision.operatingSystemVersion
        let values: SQLArguments = [
            source, revision.version, revision.productType, system.majorVersion, system.minorVersion,
            system.patchVersion,
        ]
        let columns = ["source", "version", "productType", "major", "minor", "patch"]
        let known = zip(columns, values).map { RunCondition($0, equalTo: $1) }
        let condition = RunCondition.all(known)
        let id =
            try Int64.fetchOne(
                db, sql: "SELECT id FROM revision WHERE \(condition.sql)", arguments: condition.arguments)
            ?? db.insert(
                sql:
                    "INSERT INTO revision (source, version, productType, major, minor, patch) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: values)
        self.known.revisions[revision] = (name, source, id)
        return (source, id)
    }

    /// Stores the latest name of a source.
    func id(of source: HKSource) throws -> Int64 {
        if let id = sourceIDs[source] { return id }
        let row = try SQLRow.fetchOne(
            db, sql: "SELECT id, name FROM source WHERE bundleIdentifier = ?", arguments: [source.bundleIdentifier])
        guard let row else {
            let id = try db.insert(
                sql: "INSERT INTO source (bundleIdentifier, name) VALUES (?, ?)",
                arguments: [source.bundleIdentifier, source.name])
            sourceIDs[source] = id
            return id
        }
        let id: Int64 = row[0]
        sourceIDs[source] = id
        if source.name != row[1] {
            try db.execute(sql: "UPDATE source SET name = ? WHERE id = ?", arguments: [source.name, id])
        }
        return id
    }

    func origin(
        source: HKSourceRevision, device: HKDevice?, metadata: [String: Any]?, unit: HKUnit?
    ) throws -> StoredRun.Origin {
        let ids = try ids(of: source)
        return StoredRun.Origin(
            source: ids.source, revision: ids.revision, device: try device.map { try id(of: $0) },
            metadata: try metadata.map { try id(ofMetadata: $0) }, unit: try unit.map { try id(of: $0) })
    }

    // MARK: Rows

    /// Stores a row and its content. Its UUIDs must be new, or removed before.
    @discardableResult
    func insert(
        _ run: StoredRun, ids: SampleIDs, columns: [UInt8]?, archive: Data?, sync: SyncIdentity? = nil,
        members parents: [Int64] = []
    ) throws -> Int64 {
        let ordinals = ids.ordinals
        let id = try db.insert(
            NewRow(
                values: [
                    run.kind.rawValue, run.type, run.origin.source, run.origin.revision, run.origin.device,
                    run.origin.metadata, run.origin.unit, run.firstSequence, run.lastSequence, run.count, run.start,
                    run.lastStart, run.end, run.minimum.storable, run.maximum.storable, run.summary?.data,
                    run.base?.data, ordinals?.first, ordinals?.last, sync?.identifier, sync?.version,
                ], columns: columns.map { Data($0) }, archive: archive))
        if case .listed(let list) = ids { try keepForeign(list, in: id) }
        for parent in parents {
            try add(id, to: parent)
        }
        return id
    }

    /// Stores samples, which have sequence numbers, in a row of the right kind.
    @discardableResult
    func insert(
        _ samples: SampleRun, _ kind: StoredRun.Kind, type: HKSampleType, typeID: Int64, origin: StoredRun.Origin,
        unit: HKUnit?, archive: Data? = nil, sync: SyncIdentity? = nil, members: [Int64] = []
    ) throws -> Int64 {
        var run = StoredRun(kind: kind, type: typeID, origin: origin, samples: samples)
        let columns = samples.encoded(firstSequence: run.firstSequence)
        run.describe(samples, of: type, in: unit)
        return try insert(
            run, ids: samples.ids, columns: columns, archive: archive, sync: sync, members: members)
    }

    /// Returns the run to which samples of this kind can be appended: the latest of its type that belongs to nothing and has
    /// room.
    /// - Parameter isMeant: Whether a row of this kind is acceptable.
    func latestRun(
        _ type: Int64, _ origin: StoredRun.Origin, room: Int, where isMeant: (StoredRun) -> Bool
    ) throws -> StoredRun? {
        // Several apps or devices may save in turn, so check the latest few.
        let latest = try reader.runs("WHERE type = ? ORDER BY lastSequence DESC LIMIT 4", [type], among: .complete)
        let found = latest.first { $0.origin == origin && $0.kind.isColumns && isMeant($0) }
        guard let run = found, run.count <= room,
            try parents(of: run.id).isEmpty, try !isSynchronized(run.id)
        else { return nil }
        return run
    }

    /// Whether a row holds an object with a sync identifier.
    func isSynchronized(_ row: Int64) throws -> Bool {
        try String.fetchOne(db, sql: "SELECT syncIdentifier FROM run WHERE id = ?", arguments: [row]) != nil
    }

    /// Appends later samples, which have sequence numbers, to a run. The row keeps its ID if possible.
    func append(_ later: SampleRun, to run: StoredRun) throws {
        let before = try reader.columns(run)
        let parts = before.appending(later).cut()
        guard parts.count == 1 else {
            try replace(run, with: parts)
            return
        }
        let samples = parts[0]
        var changed = StoredRun(kind: run.kind, type: run.type, origin: run.origin, samples: samples)
        changed.describe(samples, of: try reader.type(run.type), in: try reader.unit(run.origin.unit))
        let ordinals = samples.ids.ordinals
        try db.execute(
            sql: """
                UPDATE run SET firstSequence = ?, lastSequence = ?, count = ?, lastStart = ?, "end" = ?, minimum = ?,
                    maximum = ?, summary = ?, firstOrdinal = ?, lastOrdinal = ? WHERE id = ?
                """,
            arguments: [
                changed.firstSequence, changed.lastSequence, changed.count, changed.lastStart, changed.end,
                changed.minimum.storable, changed.maximum.storable, changed.summary?.data,
                ordinals?.first, ordinals?.last, run.id,
            ])
        // Setting it also writes its index.
        if changed.base != run.base {
            try db.execute(sql: "UPDATE run SET base = ? WHERE id = ?", arguments: [changed.base?.data, run.id])
        }
        try db.execute(
            sql: "UPDATE content SET columns = ? WHERE run = ?",
            arguments: [Data(samples.encoded(firstSequence: changed.firstSequence)), run.id])
        if case .listed(let list) = samples.ids {
            try keepForeign(run.base == nil ? Array(list[before.count...]) : list, in: run.id)
        }
    }

    private func keepForeign(_ ids: [UUID], in row: Int64) throws {
        for fingerprint in ids.map(\.fingerprint).sorted() {
            try db.execute(
                sql: "INSERT INTO foreignID (fingerprint, run) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [fingerprint, row])
        }
        known.hasNoForeignIDs = false
    }

    func removeRow(_ id: Int64) throws {
        try db.execute(sql: "DELETE FROM run WHERE id = ?", arguments: [id])
    }

    // MARK: Finding by UUID

    /// Returns the row that holds an object, and its index there. Nil if it is not stored.
    func find(_ id: UUID) throws -> (run: StoredRun, index: Int)? {
        try reader.find(id, searchesForeignIDs: hasForeignIDs)
    }

    /// Whether the store may have objects whose UUIDs begin with `base`.
    func mayHold(_ base: UUID) throws -> Bool {
        try hasForeignIDs
            || Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM anyRun WHERE base = ?)", arguments: [base.data])
                ?? true
    }

    func find(_ ids: Set<UUID>) throws -> ObjectLocations {
        try reader.find(ids, searchesForeignIDs: hasForeignIDs)
    }

    /// Returns a UUID that is already stored, or that occurs twice.
    func find(anyOf ids: SampleIDs) throws -> UUID? {
        if let twice = ids.duplicate { return twice }
        if case .counted(let base, let ordinals) = ids {
            if let taken = try reader.takenOrdinal(base, ordinals) { return base.with(ordinal: taken) }
            guard hasForeignIDs else { return nil }
        }
        let all = ids.all
        let missing = try find(Set(all)).missing
        return missing.count == all.count ? nil : all.first { !missing.contains($0) }
    }
}

extension SampleIDs {
    /// A UUID that occurs twice.
    var duplicate: UUID? {
        guard case .counted(let base, let ordinals) = self else { return all.firstDuplicate }
        let isAscending = zip(ordinals, ordinals.dropFirst()).allSatisfy { $0 < $1 }
        return isAscending ? nil : ordinals.firstDuplicate.map { base.with(ordinal: $0) }
    }

    /// The range of the ordinals. Nil for UUIDs of apps.
    var ordinals: (first: Int64, last: Int64)? {
        guard case .counted(_, let all) = self, let first = all.min(), let last = all.max() else { return nil }
        return (Int64(first), Int64(last))
    }
}

extension Double {
    /// Replaces NaN, which SQLite would store as NULL.
    var storable: Double { isNaN ? 0 : self }
}

extension Sequence where Element: Hashable {
    fileprivate var firstDuplicate: Element? {
        var seen = Set<Element>()
        return first { !seen.insert($0).inserted }
    }
}

extension StoredRun {
    /// Sets the figures of the values.
    mutating func describe(_ samples: SampleRun, of type: HKSampleType, in unit: HKUnit?) {
        guard let type = type as? HKQuantityType, let unit, let conversion = unit.converter(to: type.recordingUnit)
        else {
            minimum = samples.values.min() ?? 0
            maximum = samples.values.max() ?? 0
            return
        }
        let statistics = samples.statistics(type.averagingRule, conversion)
        minimum = statistics.minimum
        maximum = statistics.maximum
        let isLone =
            samples.count == 1 && kind == .quantities && statistics.sum.isFinite && samples.holdEnd == nil
        summary = isLone ? nil : RunSummary(samples, statistics, conversion)
        summary?.parts = samples.parts(type.averagingRule, conversion)
    }
}

extension StoreWriter {
    /// Rewrites workouts, correlations and heartbeat series that an earlier version stored as keyed archives, which are a hundred times
    /// slower to read. One that cannot be read stays as it is, and reading it is an error, as before.
    func unarchiveObjects() throws {
        let ids = try Int64.fetchAll(
            db,
            sql: """
                SELECT content.run FROM content JOIN run ON run.id = content.run
                WHERE content.archive IS NOT NULL AND run.kind IN (?, ?)
                """, arguments: [StoredRun.Kind.object.rawValue, StoredRun.Kind.heartbeats.rawValue])
        func setKind(_ kind: StoredRun.Kind, _ id: Int64) throws {
            try db.execute(sql: "UPDATE run SET kind = ? WHERE id = ?", arguments: [kind.rawValue, id])
        }
        func removeArchive(_ id: Int64) throws {
            try db.execute(sql: "UPDATE content SET archive = NULL WHERE run = ?", arguments: [id])
        }
        for id in ids {
            let archive = try Data.fetchOne(db, sql: "SELECT archive FROM content WHERE run = ?", arguments: [id])
            switch try? archive.map(ObjectArchive.decoded) {
            case let workout as HKWorkout:
                try db.execute(
                    sql: "UPDATE content SET columns = ?, archive = NULL WHERE run = ?",
                    arguments: [Data(try WorkoutColumns(workout, self).bytes), id])
                try setKind(.workout, id)
            case is HKCorrelation:
                try removeArchive(id)
                try setKind(.correlation, id)
            case is HKHeartbeatSeriesSample where try hasColumns(id):
                try removeArchive(id)
            default: break
            }
        }
    }

    /// Empty for a series that was saved without beats.
    private func hasColumns(_ row: Int64) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT columns IS NOT NULL FROM content WHERE run = ?", arguments: [row]) ?? false
    }
}
