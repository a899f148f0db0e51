import Units

/// Reads the store at one moment: turns rows into samples, and reads shared values once.
package final class StoreReader: SharedValues {
    let db: any SQLDatabase
    private var types: [Int64: HKSampleType] = [:]
    private var units: [Int64: HKUnit] = [:]
    private var identities: [StoredRun.Origin: ObjectIdentity] = [:]
    private var revisions: [Int64: HKSourceRevision] = [:]
    private var sources: [Int64: HKSource] = [:]
    private var membership: [UUID: Set<Int64>] = [:]
    private var contained: Set<Int64>?
    private var evaluated: [SharedKey: [(filter: SampleFilter, matches: Bool)]] = [:]
    private var measured: [SharedKey: SharedByMeasurements] = [:]

    /// Nil if reading one row is as fast as reading many.
    private var ahead: ReadAhead?

    private struct SharedKey: Hashable {
        var origin: StoredRun.Origin
        var type: Int64
    }

    /// - Parameter readsAhead: Whether contents are read before they are needed. They must not change meanwhile.
    package init(_ db: any SQLDatabase, readsAhead: Bool = false) {
        self.db = db
        ahead = readsAhead ? ReadAhead() : nil
    }

    var readsAhead: Bool { ahead != nil }

    /// Announces the rows that will be opened next, in order.
    func expect(_ runs: some Sequence<StoredRun>) { ahead?.expect(runs) }

    // MARK: Shared values

    /// Nil if the type was never stored.
    func id(of type: HKSampleType) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT id FROM type WHERE identifier = ?", arguments: [type.identifier])
    }

    func type(_ id: Int64) throws -> HKSampleType {
        if let type = types[id] { return type }
        let identifier = try String.fetchOne(db, sql: "SELECT identifier FROM type WHERE id = ?", arguments: [id])
        guard let identifier, let type = TypeCatalogue.objectType(identifier: identifier) as? HKSampleType else {
            throw SampleRunError.damaged("the unknown type \(identifier ?? "\(id)")")
        }
        types[id] = type
        return type
    }

    func unit(_ id: Int64?) throws -> HKUnit? {
        guard let id else { return nil }
        if let unit = units[id] { return unit }
        let text = try String.fetchOne(db, sql: "SELECT string FROM unit WHERE id = ?", arguments: [id])
        guard let text, let unit = try? HKUnit.parse(text) else {
            throw SampleRunError.damaged("the unknown unit \(text ?? "\(id)")")
        }
        units[id] = unit
        return unit
    }

    func revision(_ id: Int64) throws -> HKSourceRevision {
        if let revision = revisions[id] { return revision }
        let row = try SQLRow.fetchOne(
            db,
            sql: """
                SELECT name, bundleIdentifier, version, productType, major, minor, patch
                FROM revision JOIN source ON source.id = revision.source WHERE revision.id = ?
                """, arguments: [id])
        guard let row else { throw SampleRunError.damaged("no source revision \(id)") }
        let revision = HKSourceRevision(
            source: HKSource(name: row[0], bundleIdentifier: row[1]), version: row[2], productType: row[3],
            operatingSystemVersion: OperatingSystemVersion(
                majorVersion: row[4], minorVersion: row[5], patchVersion: row[6]))
        revisions[id] = revision
        return revision
    }

    /// Nil for the number 0.
    func metadata(_ id: Int64) throws -> [String: Any]? {
        guard id != 0 else { return nil }
        let content = try Data.fetchOne(db, sql: "SELECT content FROM metadata WHERE id = ?", arguments: [id])
        guard let content else { throw SampleRunError.damaged("no metadata \(id)") }
        let decoded = try StoredMetadata.decoded(content)
        return decoded.isEmpty ? nil : decoded
    }

    func source(_ id: Int64) throws -> HKSource {
        if let source = sources[id] { return source }
        let row = try SQLRow.fetchOne(
            db, sql: "SELECT name, bundleIdentifier FROM source WHERE id = ?", arguments: [id])
        guard let row else { throw SampleRunError.damaged("no source \(id)") }
        let source = HKSource(name: row[0], bundleIdentifier: row[1])
        sources[id] = source
        return source
    }

    /// The identity of the samples of a run, except for the UUID.
    func identity(_ origin: StoredRun.Origin) throws -> ObjectIdentity {
        if let identity = identities[origin] { return identity }
        let device = try origin.device.flatMap {
            try Data.fetchOne(db, sql: "SELECT properties FROM device WHERE id = ?", arguments: [$0])
        }
        let metadata = try origin.metadata.flatMap {
            try ahead?.metadata($0)
                ?? Data.fetchOne(db, sql: "SELECT content FROM metadata WHERE id = ?", arguments: [$0])
        }
        let identity = try ObjectIdentity(
            uuid: .zero, sourceRevision: try revision(origin.revision), device: try device.map(StoredDevice.decoded),
            metadata: try metadata.map(StoredMetadata.decoded))
        identities[origin] = identity
        return identity
    }

    // MARK: Rows and samples

    /// The rows that a query reads.
    enum Rows: String {
        case all = "anyRun"
        /// The rows that do not grow, which include all members of other objects.
        case complete = "run"
        case growing = "growingRun"
    }

    /// Calls `body` with each row until it returns false. `sql` follows `SELECT columns FROM run`.
    func eachRun(
        _ sql: String, _ arguments: SQLArguments, _ body: (StoredRun) throws -> Bool
    ) throws {
        try db.forEachRow(
            sql: "SELECT \(StoredRun.columns) FROM \(Rows.all.rawValue) AS run \(sql)", arguments: arguments,
            mayEndEarly: true
        ) { try body(StoredRun($0)) }
    }

    func runs(_ sql: String, _ arguments: SQLArguments, among rows: Rows = .all) throws -> [StoredRun] {
        var runs: [StoredRun] = []
        try db.forEachRow(
            sql: "SELECT \(StoredRun.columns) FROM \(rows.rawValue) AS run \(sql)", arguments: arguments
        ) {
            runs.append(try StoredRun($0))
            return true
        }
        return runs
    }

    /// Calls `body` with the bytes of a row's content, valid until it returns.
    func withColumns<Result>(
        of run: StoredRun, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try ahead?.read(run, db)
        if let content = ahead?.takeContent(of: run) { return try content.withUnsafeBytes(body) }
        var result: Result?
        func read(_ bytes: UnsafeRawBufferPointer) throws { result = try body(bytes) }
        let hasContent =
            run.isGrowing
            ? try db.withBytes(sql: "SELECT columns FROM growingRun WHERE id = ?", run.id, read)
            : try db.withContent(of: run.id, read)
        guard hasContent, let result else { throw SampleRunError.damaged("no content of row \(run.id)") }
        return result
    }

    /// False for an object that is only an archive.
    func hasColumns(_ run: StoredRun) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT columns IS NOT NULL FROM content WHERE run = ?", arguments: [run.id])
            ?? false
    }

    func columns(_ run: StoredRun) throws -> SampleRun {
        var samples = try withColumns(of: run) {
            try SampleRun($0, firstSequence: run.firstSequence, base: run.base ?? .zero)
        }
        samples.holdEnd = run.summary?.holdEnd
        guard samples.count == run.count || !run.kind.isColumns else {
            throw SampleRunError.damaged("a wrong count of samples")
        }
        return samples
    }

    /// The times and values of a range of a run, converted.
    func timedValues(_ run: StoredRun, in range: Range<Int>, _ conversion: UnitConversion) throws -> TimedValues {
        var values = try withColumns(of: run) { try TimedValues($0, in: range) }
        values.convert(conversion)
        return values
    }

    /// The columns of a single object, from its row.
    func placeholder(_ run: StoredRun) -> SampleRun {
        SampleRun(
            starts: [run.start], ends: [run.end], values: [run.minimum], sequences: [run.firstSequence],
            ids: .counted(base: run.base ?? .zero, ordinals: [run.firstOrdinal]))
    }

    /// The times, sequence numbers and UUIDs of the samples of a row.
    func members(_ run: StoredRun) throws -> SampleRun {
        run.kind.isColumns ? try columns(run) : placeholder(run)
    }

    func sample(_ run: StoredRun, _ samples: SampleRun, _ index: Int) throws -> HKSample {
        try ahead?.read(run, db)
        switch run.kind {
        case .quantities:
            guard let type = try type(run.type) as? HKQuantityType, let unit = try unit(run.origin.unit),
                samples.starts[index] <= samples.ends[index]
            else { throw SampleRunError.damaged("a value without a unit or time") }
            var identity = try identity(run.origin)
            identity.uuid = samples.id(index)
            return HKQuantitySample.makeMember(
                identity, type: type, quantity: HKQuantity(unit: unit, doubleValue: samples.values[index]),
                start: Date(timeIntervalSinceReferenceDate: samples.starts[index]),
                end: Date(timeIntervalSinceReferenceDate: samples.ends[index]))
        case .categories:
            guard let type = try type(run.type) as? HKCategoryType, let value = Int(exactly: samples.values[index])
            else { throw SampleRunError.damaged("a category without a value") }
            var identity = try identity(run.origin)
            identity.uuid = samples.id(index)
            return try HKCategorySample.validated(
                identity, type: type, value: value,
                start: Date(timeIntervalSinceReferenceDate: samples.starts[index]),
                end: Date(timeIntervalSinceReferenceDate: samples.ends[index]))
        case .workout:
            let identity = try ownIdentity(run)
            return try withColumns(of: run) { bytes in
                var columns = WorkoutColumnsReader(bytes, self)
                return try columns.workout(identity, run)
            }
        case .heartbeats:
            return try HKHeartbeatSeriesSample.validated(
                try ownIdentity(run), count: try withColumns(of: run) { try SampleRun.count(in: $0) },
                start: Date(timeIntervalSinceReferenceDate: run.start),
                end: Date(timeIntervalSinceReferenceDate: run.end))
        case .correlation: return try correlation(run)
        case .route where run.maximum > 0:
            return try HKWorkoutRoute.validated(
                try ownIdentity(run), count: Int(run.maximum), start: Date(timeIntervalSinceReferenceDate: run.start),
                end: Date(timeIntervalSinceReferenceDate: run.end))
        // Routes of earlier versions are archives.
        case .object, .quantitySeries, .route: return try object(run)
        }
    }

    /// The identity of the one object in a row.
    private func ownIdentity(_ run: StoredRun) throws -> ObjectIdentity {
        var identity = try identity(run.origin)
        identity.uuid = (run.base ?? .zero).with(ordinal: run.firstOrdinal)
        return identity
    }

    private func correlation(_ run: StoredRun) throws -> HKCorrelation {
        guard let type = try type(run.type) as? HKCorrelationType else {
            throw SampleRunError.damaged("a correlation of another type")
        }
        let members = try runs("JOIN member ON member.run = run.id WHERE member.parent = ?", [run.id], among: .complete)
        return try HKCorrelation.validated(
            try ownIdentity(run), type: type, start: Date(timeIntervalSinceReferenceDate: run.start),
            end: Date(timeIntervalSinceReferenceDate: run.end),
            objects: Set(try members.map { try sample($0, try self.members($0), 0) }))
    }

    private func object(_ run: StoredRun) throws -> HKSample {
        let data = try Data.fetchOne(db, sql: "SELECT archive FROM content WHERE run = ?", arguments: [run.id])
        guard let data else { throw SampleRunError.damaged("no content of row \(run.id)") }
        return try ObjectArchive.decoded(data)
    }

    // MARK: Finding by UUID

    func find(_ id: UUID, searchesForeignIDs: Bool = true) throws -> (run: StoredRun, index: Int)? {
        let counted = try runs(
            "WHERE base = ? AND firstOrdinal <= ? AND lastOrdinal >= ?",
            [id.base.data, Int64(id.ordinal), Int64(id.ordinal)])
        for run in counted {
            if !run.kind.isColumns { return (run, 0) }
            if let index = try columns(run).ids.firstIndex(of: id) { return (run, index) }
        }
        guard searchesForeignIDs else { return nil }
        let listed = try runs(
            "JOIN foreignID ON foreignID.run = run.id WHERE fingerprint = ?", [id.fingerprint], among: .complete)
        for run in listed {
            if let index = try columns(run).ids.firstIndex(of: id) { return (run, index) }
        }
        return nil
    }

    /// Returns one of the ordinals that is stored.
    func takenOrdinal(_ base: UUID, _ ordinals: [UInt16]) throws -> UInt16? {
        guard let first = ordinals.min(), let last = ordinals.max() else { return nil }
        let rows = try runs(
            "WHERE base = ? AND firstOrdinal <= ? AND lastOrdinal >= ?", [base.data, Int64(last), Int64(first)])
        guard !rows.isEmpty else { return nil }
        let new = Set(ordinals)
        for row in rows {
            guard case .counted(_, let taken) = try members(row).ids else { continue }
            if let both = taken.first(where: new.contains) { return both }
        }
        return nil
    }

    // MARK: Membership

    /// The rows of the members of a workout or correlation.
    func members(of parent: UUID) throws -> Set<Int64> {
        if let known = membership[parent] { return known }
        var rows: Set<Int64> = []
        if let (run, _) = try find(parent) {
            rows = try Set(
                Int64.fetchAll(db, sql: "SELECT run FROM member WHERE parent = ?", arguments: [run.id]))
        }
        membership[parent] = rows
        return rows
    }

    /// Whether a row belongs to a correlation.
    func isContained(_ row: Int64) throws -> Bool {
        if let contained { return contained.contains(row) }
        let rows = try Set(
            Int64.fetchAll(
                db,
                sql: """
                    SELECT member.run FROM member JOIN run ON run.id = member.parent JOIN type ON type.id = run.type
                    WHERE type.identifier LIKE 'HKCorrelationType%'
                    """))
        contained = rows
        return rows.contains(row)
    }

    /// Whether samples of this origin match a filter on their shared values.
    func matchesShared(_ filter: SampleFilter, _ run: StoredRun) throws -> Bool {
        let key = SharedKey(origin: run.origin, type: run.type)
        if let known = evaluated[key]?.first(where: { $0.filter == filter }) { return known.matches }
        let result = filter.matches(try sample(run, try members(run), 0))
        evaluated[key, default: []].append((filter, result))
        return result
    }
}

extension StoreReader {
    typealias SharedByMeasurements = (StoredMeasurement.Shared, UnitConversion)

    /// The shared values of the measurements of a row, and the conversion to the type's recording unit. Nil for a row without
    /// quantities.
    func shared(_ run: StoredRun) throws -> SharedByMeasurements? {
        let key = SharedKey(origin: run.origin, type: run.type)
        if let known = measured[key] { return known }
        guard let type = try type(run.type) as? HKQuantityType else { return nil }
        let own = try unit(run.origin.unit) ?? type.canonicalUnit
        guard let conversion = own.converter(to: type.recordingUnit) else {
            throw SampleRunError.damaged("a value in \(own.unitString)")
        }
        let identity = try identity(run.origin)
        let shared = (
            StoredMeasurement.Shared(
                type: type, device: identity.device, source: identity.sourceRevision.source,
                hasMetadata: identity.metadata != nil), conversion
        )
        measured[key] = shared
        return shared
    }
}
