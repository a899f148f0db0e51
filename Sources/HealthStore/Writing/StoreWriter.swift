/// The numbers that a store has given to what it keeps once. They never change.
package struct KnownNumbers: Sendable {
    fileprivate var types: [HKSampleType: Int64] = [:]
    fileprivate var units: [HKUnit: Int64] = [:]
    fileprivate var devices: [HKDevice: Int64] = [:]
    /// That no UUID from elsewhere is in the store; false if that is not known. Holds until somebody changes the store, which does not
    /// mean what sessions collect.
    fileprivate(set) var hasNoForeignIDs = false
    /// With the name of the source, which may change.
    fileprivate var revisions: [HKSourceRevision: (name: String, source: Int64, revision: Int64)] = [:]

    package init() {}

    /// Forgets what another writer may have changed. Numbers stay what they are.
    package mutating func othersChanged() {
        hasNoForeignIDs = false
        revisions = [:]
    }

    /// An import may know thousands of devices; a session knows one or two.
    package var isSmall: Bool { types.count + units.count + devices.count + revisions.count <= 64 }
}

/// One write transaction: gives out sequence numbers, keeps shared things once, and tells what changed.
package final class StoreWriter: SharedNumbers {
    let db: any SQLDatabase
    package private(set) var lastSequence: Int64
    /// Before this transaction.
    private let formerLastSequence: Int64
    private var changedTypes: [Int64: Int64] = [:]
    /// What was looked up or stored so far.
    package private(set) var known: KnownNumbers
    private var sourceIDs: [HKSource: Int64] = [:]
    private var metadataIDs: [Data: Int64] = [:]
    private(set) lazy var reader = StoreReader(db)
    /// Whether any UUID from elsewhere is in the store: as a rule none is, and none need be looked for.
    private var hasForeignIDs: Bool { !known.hasNoForeignIDs }

    /// - Parameter known: What an earlier transaction of the same person knew, if it was committed and is still in the store.
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

    /// Whether the store changes, apart from what sessions collect.
    package var changes: Bool { !changedTypes.isEmpty }

    /// Must be called before the commit.
    package func finish() throws {
        guard !changedTypes.isEmpty else { return }
        try db.execute(sql: "UPDATE sequence SET last = ?", arguments: [lastSequence])
        for (type, sequence) in changedTypes {
            try db.execute(
                sql: "UPDATE type SET lastChange = ? WHERE id = ? AND lastChange < ?",
                arguments: [sequence, type, sequence])
        }
    }

    /// The first of `count` new sequence numbers, for an addition or a deletion.
    func takeSequences(_ count: Int, for type: Int64) -> Int64 {
        let first = reserveSequences(count)
        if count > 0 { changedTypes[type] = lastSequence }
        return first
    }

    /// The first of `count` numbers for samples of several types. ``noteAdded(_:of:)`` names those that are used.
    func reserveSequences(_ count: Int) -> Int64 {
        defer { lastSequence += Int64(count) }
        return lastSequence + 1
    }

    /// What samples of a type were stored under; numbers of earlier transactions are no change.
    func noteAdded(_ sequences: [Int64], of type: Int64) {
        guard let last = sequences.max(), last > formerLastSequence else { return }
        noteChange(last, of: type)
    }

    /// `type` is to hold this change of one of its samples.
    func noteChange(_ sequence: Int64, of type: Int64) {
        changedTypes[type] = max(changedTypes[type] ?? 0, sequence)
    }

    // MARK: What is kept once

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

    /// A source that changed its name has the latest one.
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

    /// Stores a row and its content. The UUIDs in it have to be new, or to have been removed before.
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

    /// Stores samples, whose sequences are set, in a row of the right kind.
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

    /// The run that samples of this kind were saved in last, if it is the latest of its type, belongs to nothing, and has
    /// room for more.
    /// - Parameter isMeant: Which of the rows of this kind count.
    func latestRun(
        _ type: Int64, _ origin: StoredRun.Origin, room: Int, where isMeant: (StoredRun) -> Bool
    ) throws -> StoredRun? {
        // Several apps or devices may save in turn, so the latest few are looked at.
        let latest = try reader.runs("WHERE type = ? ORDER BY lastSequence DESC LIMIT 4", [type], among: .complete)
        let found = latest.first { $0.origin == origin && $0.kind.isColumns && isMeant($0) }
        guard let run = found, run.count <= room,
            try parents(of: run.id).isEmpty, try !isSynchronized(run.id)
        else { return nil }
        return run
    }

    /// Whether a row is an object with a sync identifier.
    func isSynchronized(_ row: Int64) throws -> Bool {
        try String.fetchOne(db, sql: "SELECT syncIdentifier FROM run WHERE id = ?", arguments: [row]) != nil
    }

    /// Puts later samples, whose sequences are set, at the end of a run. The row stays where it can.
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
        // To set it writes its index, too.
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

    /// The row that holds an object, and its place there; nil when it is not in the store.
    func find(_ id: UUID) throws -> (run: StoredRun, index: Int)? {
        try reader.find(id, searchesForeignIDs: hasForeignIDs)
    }

    /// Whether the store may hold objects whose UUIDs begin so.
    func mayHold(_ base: UUID) throws -> Bool {
        try hasForeignIDs
            || Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM anyRun WHERE base = ?)", arguments: [base.data])
                ?? true
    }

    func find(_ ids: Set<UUID>) throws -> ObjectLocations {
        try reader.find(ids, searchesForeignIDs: hasForeignIDs)
    }

    /// One of the UUIDs that is in the store already, or that is there twice.
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

    /// From where to where the ordinals go; nil for UUIDs from elsewhere.
    var ordinals: (first: Int64, last: Int64)? {
        guard case .counted(_, let all) = self, let first = all.min(), let last = all.max() else { return nil }
        return (Int64(first), Int64(last))
    }
}

extension Double {
    /// SQLite has no NaN: it would become NULL.
    var storable: Double { isNaN ? 0 : self }
}

extension Sequence where Element: Hashable {
    fileprivate var firstDuplicate: Element? {
        var seen = Set<Element>()
        return first { !seen.insert($0).inserted }
    }
}

extension StoredRun {
    /// Fills in what the row says of the values.
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
    /// Workouts, correlations and heartbeat series were keyed archives once, a hundred times slower to read. One that
    /// cannot be read stays what it is, and is an error where somebody asks for it, as before.
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

    /// One that was saved without its beats has none.
    private func hasColumns(_ row: Int64) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT columns IS NOT NULL FROM content WHERE run = ?", arguments: [row]) ?? false
    }
}
