import HealthKit

/// A store that fails as the test requests, and otherwise passes calls on to the real one.
struct FaultyDatabase: HealthDatabase {
    let whole: any HealthDatabase
    private let faults: Faults

    init(_ whole: any HealthDatabase, _ faults: Faults) {
        self.whole = whole
        self.faults = faults
    }

    // MARK: Writing

    func apply(_ changes: [StoreChange], from source: HKSourceRevision, once mark: String?) throws {
        try faults.checkSaving()
        try whole.apply(changes, from: source, once: mark)
    }

    func remove(_ removal: StoreRemoval, owner: String?) throws -> Int {
        try faults.checkSaving()
        return try whole.remove(removal, owner: owner)
    }

    func undo(changeOf workout: UUID?, owner: String?, at date: Date) throws -> UndoableChange? {
        try faults.checkSaving()
        return try whole.undo(changeOf: workout, owner: owner, at: date)
    }

    func merge(
        _ batch: ImportBatch, own: inout ImportedSequences, isEnded: @escaping @Sendable () -> Bool
    ) throws -> [String: ImportCount] {
        try faults.checkSaving()
        return try whole.merge(batch, own: &own, isEnded: isEnded)
    }

    func assignSamples(toWorkouts ids: Set<UUID>, isEnded: () -> Bool) throws -> Int {
        try faults.checkSaving()
        return try whole.assignSamples(toWorkouts: ids, isEnded: isEnded)
    }

    // MARK: Reading

    func samples(_ selections: [SampleSelection], sortedBy: [SampleSort], limit: Int?) throws -> [HKSample] {
        try faults.checkReading()
        return try whole.samples(selections, sortedBy: sortedBy, limit: limit)
    }

    func measurements(_ selections: [SampleSelection]) throws -> [StoredMeasurement] {
        try faults.checkReading()
        return try whole.measurements(selections)
    }

    func sampledTypes(ofWorkout workout: UUID) throws -> [SampledType] {
        try faults.checkReading()
        return try whole.sampledTypes(ofWorkout: workout)
    }

    func measurementRows(ofWorkout workout: UUID, _ types: Set<HKQuantityType>) throws -> [MeasurementRow] {
        try faults.checkReading()
        return try whole.measurementRows(ofWorkout: workout, types)
    }

    func measurements(in row: MeasurementRow) throws -> [StoredMeasurement]? {
        try faults.checkReading()
        return try whole.measurements(in: row)
    }

    func changes(_ selections: [SampleSelection], after anchor: Int64, limit: Int?) throws -> SampleChanges {
        try faults.checkReading()
        return try whole.changes(selections, after: anchor, limit: limit)
    }

    func changedTimes(_ type: HKSampleType, after mark: Int64) throws -> ChangedTimes {
        try whole.changedTimes(type, after: mark)
    }

    func statistics(
        _ selection: SampleSelection, bounds: StatisticsBounds, separatingSources: Bool
    ) throws -> [StatisticsBucket] {
        try faults.checkReading()
        return try whole.statistics(selection, bounds: bounds, separatingSources: separatingSources)
    }

    func extent(_ selection: SampleSelection) throws -> SampleExtent? { try whole.extent(selection) }

    func stored(_ ids: Set<UUID>) throws -> Set<UUID> { try whole.stored(ids) }

    func contents(of samples: Set<UUID>) throws -> [UUID: SeriesContent] {
        try faults.checkReading()
        return try whole.contents(of: samples)
    }

    func bytes(ofRoute route: UUID, from offset: Int, atMost count: Int) throws -> [UInt8] {
        try faults.checkReading()
        return try whole.bytes(ofRoute: route, from: offset, atMost: count)
    }

    func holds(_ selection: SampleSelection) throws -> [StoredHold] {
        try faults.checkReading()
        return try whole.holds(selection)
    }

    func effortLinks(after sequence: Int64) throws -> [EffortLink] { try whole.effortLinks(after: sequence) }

    func attachments(of object: UUID) throws -> [HKAttachment] { try whole.attachments(of: object) }

    func attachmentData(_ attachment: UUID) throws -> Data? { try whole.attachmentData(attachment) }

    func successors(of workout: UUID) throws -> Set<UUID> { try whole.successors(of: workout) }

    func workouts(beginningWith digits: String) throws -> Set<UUID> {
        try whole.workouts(beginningWith: digits)
    }

    func replacedWorkouts(beginningWith digits: String) throws -> Set<UUID> {
        try whole.replacedWorkouts(beginningWith: digits)
    }

    func predecessors(of workout: UUID) throws -> Set<UUID> { try whole.predecessors(of: workout) }

    func undoableChanges(at date: Date) throws -> [UndoableChange] { try whole.undoableChanges(at: date) }

    // MARK: Beside that

    func observe(
        askingSessions asksSessions: Bool, _ changed: @escaping @Sendable (Set<HKSampleType>) -> Void
    ) -> HealthObservation {
        whole.observe(askingSessions: asksSessions, changed)
    }

    func whenObserved(_ done: @escaping @Sendable () -> Void) { whole.whenObserved(done) }

    func deliveries(to bundleIdentifier: String?) throws -> [AppDeliveries] {
        try whole.deliveries(to: bundleIdentifier)
    }

    func updateDeliveries(
        of types: Set<HKSampleType>?, to bundleIdentifier: String, registering app: DeliveryApp?,
        _ change: (_ type: HKSampleType, _ latest: Int64, _ state: inout DeliveryState?) -> Void
    ) throws {
        try whole.updateDeliveries(of: types, to: bundleIdentifier, registering: app, change)
    }

    func setting(_ name: String) throws -> Data? { try whole.setting(name) }

    func updateSetting(_ name: String, _ change: (Data?) throws -> Data?) throws {
        try whole.updateSetting(name, change)
    }

    func checkIntegrity() throws -> [String] { try whole.checkIntegrity() }
}
