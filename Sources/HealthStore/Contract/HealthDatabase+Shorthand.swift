package import SessionLog

// Methods for single objects, by those of the contract for sets and ranges.

extension HealthDatabase {
    // MARK: Changes

    /// Observes changes, also of running sessions, within a second.
    package func observe(_ changed: @escaping @Sendable (Set<HKSampleType>) -> Void) -> HealthObservation {
        observe(askingSessions: true, changed)
    }

    // MARK: Writing

    package func apply(_ change: StoreChange, from source: HKSourceRevision) throws {
        try apply([change], from: source, once: nil)
    }

    /// Saves all objects or none; see ``StoreWrite/objects(_:)``.
    package func save(_ objects: [HKObject], from source: HKSourceRevision) throws {
        try apply(.save(.objects(objects)), from: source)
    }

    /// Saves a finished workout; see ``StoreWrite/workout(_:log:adding:)``.
    package func save(
        _ workout: HKWorkout, log: any SessionEntries, adding added: AddedSeries = AddedSeries(),
        from source: HKSourceRevision
    ) throws {
        try apply(.save(.workout(workout, log: log, adding: added)), from: source)
    }

    /// Saves the sample of a series with its content.
    package func save(_ sample: HKSample, series: SeriesContent, from source: HKSourceRevision) throws {
        try apply(.save(.series(sample, series)), from: source)
    }

    /// See ``StoreChange/join(_:workout:)``.
    package func add(
        _ samples: [(sample: HKSample, series: SeriesContent?)], toWorkout workout: UUID, from source: HKSourceRevision
    ) throws {
        try apply(.join(samples, workout: workout), from: source)
    }

    /// See ``StoreChange/relateEffort(_:workout:activity:)``.
    package func relateEffort(
        _ sample: HKSample, toWorkout workout: UUID, activity: UUID?, from source: HKSourceRevision
    ) throws {
        try apply(.relateEffort(sample, workout: workout, activity: activity), from: source)
    }

    /// Removes the relation. The sample stays.
    /// - Returns: Whether they were related.
    package func unrelateEffort(_ sample: UUID, fromWorkout workout: UUID, activity: UUID?) throws -> Bool {
        try remove(.effort(sample, workout: workout, activity: activity), owner: nil) > 0
    }

    /// - Returns: The number of deleted objects.
    package func delete(_ ids: Set<UUID>, owner: String?) throws -> Int { try remove(.objects(ids), owner: owner) }

    /// Deletes matching samples of `owner`.
    package func delete(_ selection: SampleSelection, owner: String?) throws -> Int {
        try remove(.matches(selection), owner: owner)
    }

    // MARK: Reading

    /// Whether an object with this UUID is stored.
    package func contains(_ id: UUID) throws -> Bool { try !stored([id]).isEmpty }

    /// Whether a workout or its replacement is stored.
    package func knowsWorkout(_ id: UUID) throws -> Bool { try contains(id) || !successors(of: id).isEmpty }

    package func sources(_ selection: SampleSelection) throws -> Set<HKSource> {
        try extent(selection)?.sources ?? []
    }

    /// The earliest start and the latest end of matching samples. Nil without any.
    package func dateRange(_ selection: SampleSelection) throws -> ClosedRange<Date>? { try extent(selection)?.dates }

    /// The beats of a heartbeat series in order, in seconds since its start.
    package func heartbeats(_ series: UUID) throws -> [StoredHeartbeat] {
        if case .heartbeats(let beats)? = try contents(of: [series])[series] { beats } else { [] }
    }

    /// The heartbeat series of a workout in order of time, each with its beats.
    package func heartbeatSeries(ofWorkout workout: UUID) throws -> [(sample: HKSample, beats: [StoredHeartbeat])] {
        try samples(
            [SampleSelection(HKSeriesType.heartbeat(), .workout(workout))], sortedBy: [SampleSort(.startDate)],
            limit: nil
        ).map { ($0, try heartbeats($0.uuid)) }
    }

    /// The positions of a route in order.
    package func positions(_ route: UUID) throws -> [(date: Date, position: PositionReading)] {
        if case .positions(let positions)? = try contents(of: [route])[route] { positions } else { [] }
    }

    /// The electrocardiograms of a workout, in order of time.
    package func electrocardiograms(ofWorkout workout: UUID) throws -> [HKElectrocardiogram] {
        try samples(
            [SampleSelection(HKObjectType.electrocardiogramType(), .workout(workout))],
            sortedBy: [SampleSort(.startDate)], limit: nil
        ).compactMap { $0 as? HKElectrocardiogram }
    }

    /// The voltages of an electrocardiogram in order, in microvolts. Empty if it was saved without them.
    package func voltages(_ electrocardiogram: UUID) throws -> [Double] {
        if case .voltages(let all)? = try contents(of: [electrocardiogram])[electrocardiogram] { all } else { [] }
    }

    /// The quantities of a series in order of time, or the quantity of a single sample.
    package func quantities(_ sample: UUID) throws -> [StoredQuantity] {
        if case .quantities(let all)? = try contents(of: [sample])[sample] { all } else { [] }
    }

    // MARK: Attachments

    /// See ``StoreChange/attach(_:data:to:)``.
    package func add(_ attachment: HKAttachment, data: Data, to object: UUID) throws {
        try apply(.attach(attachment, data: data, to: object), from: .current)
    }

    /// - Returns: Whether the object had the attachment.
    package func removeAttachment(_ attachment: UUID, from object: UUID) throws -> Bool {
        try remove(.attachment(attachment, of: object), owner: nil) > 0
    }

    // MARK: Background delivery

    /// Enables deliveries of a type to an app, or changes their frequency. Existing samples are not delivered.
    package func enableDelivery(of type: HKSampleType, _ frequency: HKUpdateFrequency, to app: DeliveryApp) throws {
        try updateDeliveries(of: [type], to: app.bundleIdentifier, registering: app) { _, latest, state in
            var enabled = state ?? DeliveryState(frequency: frequency, answered: latest)
            enabled.enabled(frequency)
            state = enabled
        }
    }

    /// Disables deliveries of a type. Nil disables all deliveries of the app.
    package func disableDelivery(of type: HKSampleType?, to bundleIdentifier: String) throws {
        try updateDeliveries(of: type.map { [$0] }, to: bundleIdentifier, registering: nil) { _, _, state in
            state = nil
        }
    }

    /// Changes the states of deliveries of some types to an app.
    package func updateDeliveries(
        of types: Set<HKSampleType>, to bundleIdentifier: String, _ change: (HKSampleType, inout DeliveryState) -> Void
    ) throws {
        try updateDeliveries(of: types, to: bundleIdentifier, registering: nil) { type, _, state in
            guard var changed = state else { return }
            change(type, &changed)
            state = changed
        }
    }

    // MARK: Settings

    package func setSetting(_ name: String, _ value: Data?) throws { try updateSetting(name) { _ in value } }
}
