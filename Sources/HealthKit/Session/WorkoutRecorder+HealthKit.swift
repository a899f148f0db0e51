package import Engine
package import SessionLog

/// The recorder with Apple's types. A session of an app has the app's name, and does all its work in the environment of
/// the task that makes it.
extension WorkoutRecorder {
    package init(
        id: UUID = UUID(), configuration: ActivityDescription, sensors: [any Sensor] = [],
        wearer: WearerProfile? = nil, journal: SessionJournal? = nil, sinks: [any SessionLogSink] = [],
        time: any TimeSource = SystemTime()
    ) {
        self.init(
            id: id, configuration: configuration, sensors: sensors, wearer: wearer, journal: journal, sinks: sinks,
            creator: HKSource.default().bundleIdentifier, time: time, context: EnvironmentPropagation.context)
    }

    /// Continues a session from its log.
    package init(
        resuming log: LiveSessionLog, _ left: SessionState, sensors: [any Sensor] = [],
        sinks: [any SessionLogSink] = [], time: any TimeSource = SystemTime()
    ) {
        self.init(
            resuming: log, left, sensors: sensors, sinks: sinks, time: time, context: EnvironmentPropagation.context)
    }

    /// The current activity, with its duration by the session's clock.
    package nonisolated var currentActivity: HKWorkoutActivity? {
        let now = now
        let state = state
        guard let activity = state.currentActivity else { return nil }
        let seconds = state.activeSeconds(at: now) - state.activeSeconds(at: activity.start)
        return HKWorkoutActivity(activity, seconds: max(0, seconds))
    }

    func add(_ samples: [HKSample]) throws {
        try requireAdding()
        guard !samples.isEmpty else { throw misuse("HKWorkout: HKSample data cannot be nil or empty.") }
        guard let start = read({ $0.collectionStart }) else { return }
        try add(
            samples.map { sample in
                let placed = onTimeline(sample)
                guard placed.startDate >= start else {
                    throw misuse(
                        "A \(sample.sampleType.identifier) sample starts (\(placed.startDate)) before the workout (\(start))."
                    )
                }
                return SessionEntry(placed.endDate, try placed.logContent())
            })
    }

    /// The sample on the session's time line, under its own UUID.
    private func onTimeline(_ sample: HKSample) -> HKSample {
        let start = sessionDate(for: sample.startDate)
        let end = max(start, sessionDate(for: sample.endDate))
        guard start != sample.startDate || end != sample.endDate else { return sample }
        return sample.moved(start: start, end: end)
    }

    func add(_ events: [HKWorkoutEvent]) throws {
        if !isMirrored { try requireAdding() }
        guard !events.isEmpty else { throw misuse("HKWorkout: HKWorkoutEvent data cannot be nil or empty.") }
        try add(events.map { try $0.record() })
    }

    func add(_ activity: HKWorkoutActivity) throws {
        let record = ActivityRecord(
            id: activity.uuid, activity: activity.workoutConfiguration.activityDescription,
            metadata: try MetadataCoding.neutral(activity.metadata))
        try add(record, from: activity.startDate, to: activity.endDate)
    }

    func startMirroring(to companions: Companions) throws -> SessionMirror {
        try requireMirrorable()
        if let mirror = mirroring, mirror.isRunning { return mirror }
        return try mirror(to: companions)
    }

    /// - Parameter addresses: The addresses of companions. Nil for the configured ones.
    func mirror(
        to companions: Companions, at addresses: [CompanionAddress]? = nil, keepsJournal: Bool = false
    ) throws -> SessionMirror {
        let host = try companions.host()
        let addresses = try addresses ?? companions.addresses()
        return try mirror(
            to: addresses, through: host, includesNotifications: companions.mirrorsNotifications,
            keepsJournal: keepsJournal, report: { companions.notify($0) })
    }
}
