// Exports have no UUIDs, so only its content identifies a sample. UUIDs computed from the content would cost 16 bytes that do
// not compress, and an index entry, for every sample of every year. So plain samples get UUIDs that count upwards, like the
// store's own. A sample is known if the store has one of the same type, origin, time and value. Exact duplicates within a file
// are all kept: an import does not compare with what it added itself, but with what others add meanwhile, in any process.

struct ImportMerge {
    let writer: StoreWriter
    let own: ImportedSequences
    let isEnded: () -> Bool
    /// The state before the batch.
    let lastSequence: Int64
    var counts: [String: ImportCount] = [:]

    private struct Key: Hashable {
        var type: Int64
        var origin: StoredRun.Origin
    }

    private struct Content: Hashable {
        var start: Double
        var end: Double
        var value: Double
    }

    init(writer: StoreWriter, own: ImportedSequences, isEnded: @escaping () -> Bool) {
        self.writer = writer
        self.own = own
        self.isEnded = isEnded
        lastSequence = writer.lastSequence
    }

    // MARK: Plain samples

    mutating func add(_ columns: [ImportedColumns]) throws {
        // Equal metadata may be several objects.
        var places: [Key: Int] = [:]
        var joined: [(key: Key, columns: ImportedColumns)] = []
        for next in columns {
            if isEnded() { return }
            let origin = try writer.origin(
                source: next.revision, device: next.device, metadata: next.metadata, unit: next.unit)
            let key = Key(type: try writer.id(of: next.type), origin: origin)
            if let place = places[key] {
                joined[place].columns.starts += next.starts
                joined[place].columns.ends += next.ends
                joined[place].columns.values += next.values
            } else {
                places[key] = joined.count
                joined.append((key, next))
            }
        }
        let stored = try stored(joined)
        for (key, columns) in joined where !isEnded() { try add(columns, key, stored[key] ?? [:]) }
    }

    private mutating func add(_ columns: ImportedColumns, _ key: Key, _ stored: [Content: Int]) throws {
        let all = columns.starts.count
        let new = new(columns, stored)
        counts[columns.type.identifier, default: .init()] += .init(added: new.count, known: all - new.count)
        guard new.count > 0 else { return }
        for var run in new.cut() {
            let first = UUID.next(run.count)
            run.ids = .counted(base: first.base, ordinals: (0..<run.count).map { first.ordinal + UInt16($0) })
            let sequence = writer.takeSequences(run.count, for: key.type)
            run.sequences = (0..<run.count).map { sequence + Int64($0) }
            try writer.insert(
                run, columns.unit == nil ? .categories : .quantities, type: columns.type, typeID: key.type,
                origin: key.origin, unit: columns.unit)
        }
    }

    /// Returns the samples without those that others have stored.
    private func new(_ columns: ImportedColumns, _ stored: [Content: Int]) -> SampleRun {
        var run = SampleRun(starts: columns.starts, ends: columns.ends, values: columns.values)
        var stored = stored
        if !stored.isEmpty {
            let indices = run.starts.indices.filter { index in
                let content = Content(start: run.starts[index], end: run.ends[index], value: run.values[index])
                guard let count = stored[content], count > 0 else { return true }
                stored[content] = count - 1
                return false
            }
            run.starts = indices.map { columns.starts[$0] }
            run.ends = indices.map { columns.ends[$0] }
            run.values = indices.map { columns.values[$0] }
        }
        run.sequences = [Int64](repeating: 0, count: run.count)
        run.ids = .counted(base: .zero, ordinals: [UInt16](repeating: 0, count: run.count))
        return run
    }

    /// Counts how often others have stored each content.
    ///
    /// Reads the rows of a type once for all origins together, since each origin alone would have to pass those of all
    /// others.
    private func stored(_ joined: [(key: Key, columns: ImportedColumns)]) throws -> [Key: [Content: Int]] {
        guard own.count < lastSequence else { return [:] }
        var spans: [Key: ClosedRange<Double>] = [:]
        var types: [Int64: ClosedRange<Double>] = [:]
        for (key, columns) in joined {
            guard let first = columns.starts.min(), let last = columns.starts.max() else { continue }
            spans[key] = first...last
            types[key.type] =
                types[key.type].map { min($0.lowerBound, first)...max($0.upperBound, last) } ?? first...last
        }
        var stored: [Key: [Content: Int]] = [:]
        for (type, whole) in types {
            try eachForeignRun(type, whole) { run in
                let key = Key(type: type, origin: run.origin)
                guard run.kind.isColumns, let span = spans[key], run.start <= span.upperBound,
                    run.lastStart >= span.lowerBound
                else { return }
                let samples = try writer.reader.columns(run)
                for index in samples.starts.indices where !own.contains(samples.sequences[index]) {
                    let start = samples.starts[index]
                    guard span.contains(start) else { continue }
                    let content = Content(start: start, end: samples.ends[index], value: samples.values[index])
                    stored[key, default: [:]][content, default: 0] += 1
                }
            }
        }
        return stored
    }

    /// Returns the rows that this import did not write completely.
    private func eachForeignRun(
        _ type: Int64, _ span: ClosedRange<Double>, _ body: (StoredRun) throws -> Void
    ) throws {
        // To read the import's own rows would double its time.
        let latest = own.latest
        var arguments: SQLArguments = [type, span.upperBound, span.lowerBound]
        for range in latest { arguments += [range.lowerBound, range.upperBound] }
        let sql =
            "WHERE type = ? AND start <= ? AND lastStart >= ?"
            + latest.map { _ in " AND NOT (firstSequence >= ? AND lastSequence < ?)" }.joined()
        try writer.reader.eachRun(sql, arguments) { run in
            if !own.contains(run.firstSequence) || !own.contains(run.lastSequence) { try body(run) }
            return !isEnded()
        }
    }

    // MARK: Samples and objects with UUIDs of their own

    mutating func add(named samples: [HKSample]) throws {
        var batches: [HKSourceRevision: SavedBatch] = [:]
        var missing = try writer.find(Set(samples.map(\.uuid))).missing
        for sample in samples where !isEnded() {
            let revision = sample.sourceRevision
            guard missing.remove(sample.uuid) != nil else {
                count(sample, isNew: false)
                continue
            }
            let before = writer.lastSequence
            try batches[revision, default: SavedBatch(writer: writer, source: revision)].add(sample)
            // An object with a sync identifier is saved at once, or replaced by a later version.
            let isSynchronized = sample.metadata?[HKMetadataKeySyncIdentifier] != nil
            count(sample, isNew: !isSynchronized || writer.lastSequence > before)
        }
        for revision in batches.keys { try batches[revision]?.store() }
    }

    mutating func add(_ objects: [ImportedObject]) throws {
        var missing = try writer.find(Set(objects.map(\.sample.uuid))).missing
        let correlations = objects.compactMap { $0.sample as? HKCorrelation }.filter { missing.contains($0.uuid) }
        try writer.separate(Set(correlations.flatMap(\.objects).map(\.uuid)))
        for object in objects where !isEnded() {
            guard missing.remove(object.sample.uuid) != nil, try !wasReplaced(object) else {
                count(object.sample, isNew: false)
                continue
            }
            let before = writer.lastSequence
            let parent = try object.parent.flatMap { try writer.find($0)?.run.id }
            var batch = SavedBatch(
                writer: writer, source: object.sample.sourceRevision, parent: parent.map { .row($0) } ?? .none)
            batch.hasOnlyNew = true
            try batch.add(object.sample, series: object.series)
            // It is stored with the other one.
            if let correlation = object.sample as? HKCorrelation {
                missing.subtract(correlation.objects.map(\.uuid))
            }
            count(object.sample, isNew: writer.lastSequence > before)
        }
    }

    /// Whether the user has edited the workout. Then its replacement holds everything that should stay.
    private func wasReplaced(_ object: ImportedObject) throws -> Bool {
        guard let workout = object.sample is HKWorkout ? object.sample.uuid : object.parent else { return false }
        return try writer.find(workout) == nil && !writer.reader.storedSuccessors(of: workout).isEmpty
    }

    private mutating func count(_ sample: HKSample, isNew: Bool) {
        counts[sample.sampleType.identifier, default: .init()] += .init(added: isNew ? 1 : 0, known: isNew ? 0 : 1)
    }
}
