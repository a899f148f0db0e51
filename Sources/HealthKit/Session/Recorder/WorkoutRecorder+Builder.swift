import SessionLog

/// The calls of a workout builder. Each throws an `HKError` when it comes in the wrong order, and then changes nothing. A
/// journal that cannot be written keeps a workout from being begun, and no other call from being done.
extension WorkoutRecorder {
    func beginCollection(at date: Date) throws {
        try requirePrimary()
        switch read({ $0.collection }) {
        case .notBegun: break
        case .collecting: throw misuse("Collection has begun already.")
        case .ended, .finished, .discarded: throw misuse("Collection has ended. Create a new workout builder.")
        }
        beginTime(at: date)
        try requireJournal()
        var start = sessionDate(for: date)
        // In a replay, the session's clock has not run yet. Collection cannot begin before the session.
        if let sessionStart = read({ $0.startDate }) { start = max(start, sessionStart) }
        append(.collection(.began(events: collectsEvents)), at: start)
        commitOrTell()
        startSensors()
    }

    func endCollection(at date: Date) throws {
        try requirePrimary()
        guard isCollecting else { throw misuse("Collection is not under way: it has not begun, or has ended already.") }
        let end = sessionDate(for: date)
        if let start = read({ $0.collectionStart }), end < start {
            throw misuse("Collection cannot end (\(end)) before it began (\(start)).")
        }
        append(.collection(.ended), at: end)
        commitOrTell()
    }

    func add(_ samples: [HKSample]) throws {
        try requireAdding()
        guard !samples.isEmpty else { throw misuse("HKWorkout: HKSample data cannot be nil or empty.") }
        guard let start = read({ $0.collectionStart }) else { return }
        let entries = try samples.map { sample in
            let placed = onTimeline(sample)
            guard placed.startDate >= start else {
                throw misuse(
                    "A \(sample.sampleType.identifier) sample starts (\(placed.startDate)) before the workout (\(start))."
                )
            }
            return SessionEntry(placed.endDate, try placed.logContent())
        }
        for entry in entries { append(entry) }
        commitOrTell()
        builder?.collected(Set(samples.map(\.sampleType)))
    }

    /// Adds places to the workout's route.
    func add(_ positions: [(date: Date, position: PositionReading)]) throws {
        try requireAdding()
        for (date, position) in positions {
            var position = position
            position.isAdded = true
            append(.position(position), at: sessionDate(for: date))
        }
        commitOrTell()
    }

    /// Leaves the places that the app added out of the workout's route.
    func discardRoute() {
        guard (try? requireAdding()) != nil else { return }
        append(.routeDiscarded, at: now)
        commitOrTell()
    }

    func add(_ events: [HKWorkoutEvent]) throws {
        if isMirrored { return try ask(for: events) }
        try requireAdding()
        guard !events.isEmpty else { throw misuse("HKWorkout: HKWorkoutEvent data cannot be nil or empty.") }
        let records = try events.map { event in
            var record = try event.record()
            record.start = sessionDate(for: record.start)
            record.end = max(record.start, sessionDate(for: record.end))
            record.isAdded = true
            return record
        }
        for record in records { append(.event(record), at: record.end) }
        commitOrTell()
        for record in records { notify(record) }
    }

    /// Ends the current lap. Does nothing in a pause, because the lap continues with the session. It begins where the
    /// last one ended, also if that was the moment before.
    package func endLap() throws {
        guard read({ $0.phase != .paused }) else { return }
        let end = now
        let start = read { state in
            state.events.lazy.filter { $0.kind == .lap }.map(\.end).max() ?? state.workoutStart
        }
        guard let start, end > start else { return }
        try add([HKWorkoutEvent(type: .lap, dateInterval: DateInterval(start: start, end: end), metadata: nil)])
    }

    /// Ends the last lap of a workout that has laps: now, or where the pause began.
    package func endLastLap() throws {
        let now = now
        let (start, end) = read { state in
            (
                state.events.lazy.filter { $0.kind == .lap }.map(\.end).max(),
                state.phase == .paused ? state.pauses.last?.start ?? now : now
            )
        }
        guard let start, end > start else { return }
        try add([HKWorkoutEvent(type: .lap, dateInterval: DateInterval(start: start, end: end), metadata: nil)])
    }

    func add(metadata: [String: MetadataValue]) throws {
        try requireAdding()
        append(.metadata(metadata), at: now)
        commitOrTell()
    }

    /// An activity that the app describes itself: with its end, or to be ended later.
    func add(_ activity: HKWorkoutActivity) throws {
        try requireAdding()
        let start = sessionDate(for: activity.startDate)
        let state = state
        guard let first = state.collectionStart, start >= first else {
            throw misuse("An activity of the workout cannot begin (\(start)) before it.")
        }
        if let last = state.activities.last, last.end.map({ start < $0 }) ?? true {
            throw misuse(
                "The activity before has not ended, or ends after this one begins (\(start)): activities do not overlap."
            )
        }
        let description = activity.workoutConfiguration.activityDescription
        guard configuration.takes(description) else {
            throw HKError.make(
                .errorWorkoutActivityNotAllowed,
                "A \(configuration.activity) workout takes no activity of type \(description.activity).")
        }
        let record = ActivityRecord(
            id: activity.uuid, activity: description, metadata: try MetadataCoding.neutral(activity.metadata))
        takePart(SessionEntry(start, .activityBegan(record)))
        if let end = activity.endDate { takePart(SessionEntry(max(start, sessionDate(for: end)), .activityEnded)) }
        commitOrTell()
    }

    func endActivity(_ id: UUID, at date: Date) throws {
        try requireAdding()
        guard let open = read({ $0.currentActivity }), open.record.id == id else {
            throw misuse("The workout has no activity under way with the UUID \(id).")
        }
        let end = sessionDate(for: date)
        guard end >= open.start else {
            throw misuse("An activity cannot end (\(end)) before it began (\(open.start)).")
        }
        takePart(SessionEntry(end, .activityEnded))
        commitOrTell()
    }

    func updateActivity(_ id: UUID, adding metadata: [String: MetadataValue]) throws {
        try requireAdding()
        guard read({ $0.activities.contains { $0.record.id == id } }) else {
            throw misuse("The workout has no activity with the UUID \(id).")
        }
        append(.activityMetadata(id, metadata), at: now)
        commitOrTell()
    }

    /// - Parameter makeLive: Stores the samples of the log. Called if this was not done while the workout was built.
    /// - Parameter keepsSamples: False if nothing of the workout should be left.
    func discard(keepingSamples keepsSamples: Bool = true, _ makeLive: () -> LiveSamples?) {
        do { try requirePrimary() } catch { return session?.fail(HKError.wrapping(error)) ?? () }
        guard read({ $0.collection != .finished && $0.collection != .discarded }) else { return }
        let isMirrored = isMirroring
        if keepsSamples, live == nil, let live = makeLive() { keep(live) }
        append(.collection(.discarded), at: now)
        stopSensors()
        let fault = keepsSamples ? live?.save(lastTime: true) : live?.removeAll()
        if let fault {
            session?.fail(
                HKError.make(
                    .errorDatabaseInaccessible,
                    keepsSamples
                        ? "The workout was discarded, and the samples that were measured last could not be saved. They are tried "
                            + "again as long as the program runs."
                        : "The workout was discarded, and the samples that were measured for it could not be removed.",
                    cause: fault))
        }
        finishLog(isMirrored)
    }

    /// Ends the log with what `save` makes of it. When that throws, the workout is not finished and can be tried again.
    func finish<Result>(_ save: (SessionState, LiveSessionLog) throws -> Result) throws -> Result {
        try requirePrimary()
        switch read({ $0.collection }) {
        case .ended: break
        case .notBegun, .collecting: throw misuse("Call endCollection(withEnd:) before finishWorkout.")
        case .finished: throw misuse("The workout is finished already.")
        case .discarded: throw misuse("The workout was discarded.")
        }
        let result = try save(state, log)
        let isMirrored = isMirroring
        append(.collection(.finished), at: now)
        finishLog(isMirrored)
        return result
    }

    /// Asked before the last entry: with that one, a session that has ended is on its way for good.
    private var isMirroring: Bool { mirroring?.isRunning == true }

    /// The log has done its work, but for machines to which the session is mirrored.
    private func finishLog(_ isMirrored: Bool) {
        if isMirrored { log.journal?.setAside() } else { log.journal?.finish() }
    }

    private func requireAdding() throws {
        try requirePrimary()
        switch read({ $0.collection }) {
        case .collecting, .ended: return
        case .notBegun: throw misuse("Call beginCollection(withStart:) before adding to a workout.")
        case .finished: throw misuse("The workout is finished: nothing can be added.")
        case .discarded: throw misuse("The workout was discarded: nothing can be added.")
        }
    }

    func misuse(_ message: String) -> HKError {
        HKError.make(.errorInvalidArgument, message)
    }

    /// The sample on the session's time line, under its own UUID.
    private func onTimeline(_ sample: HKSample) -> HKSample {
        let start = sessionDate(for: sample.startDate)
        let end = max(start, sessionDate(for: sample.endDate))
        guard start != sample.startDate || end != sample.endDate else { return sample }
        return sample.moved(start: start, end: end)
    }
}
