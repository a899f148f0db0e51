package import Foundation
package import SessionLog

/// The calls of a workout builder. Each throws a ``SessionError`` when it comes in the wrong order, and then changes nothing. A
/// journal that cannot be written keeps a workout from being begun, and no other call from being done.
extension WorkoutRecorder {
    package func beginCollection(at date: Date) throws {
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

    package func endCollection(at date: Date) throws {
        try requirePrimary()
        guard isCollecting else { throw misuse("Collection is not under way: it has not begun, or has ended already.") }
        let end = sessionDate(for: date)
        if let start = read({ $0.collectionStart }), end < start {
            throw misuse("Collection cannot end (\(end)) before it began (\(start)).")
        }
        append(.collection(.ended), at: end)
        commitOrTell()
    }

    /// Adds what an app has measured or its user entered: entries with dates on the session's time line. None starts
    /// before the workout.
    package func add(_ entries: [SessionEntry]) throws {
        try requireAdding()
        for entry in entries { append(entry) }
        commitOrTell()
        builder?.notify(.collected(Set(entries.compactMap { CollectedType($0.content) })))
        for case .quantity(let reading) in entries.map(\.content) {
            if let change = zoneChange(reading) { builder?.notify(.zoneChanged(change)) }
        }
    }

    /// Adds places to the workout's route.
    package func add(_ positions: [(date: Date, position: PositionReading)]) throws {
        try requireAdding()
        for (date, position) in positions {
            var position = position
            position.isAdded = true
            append(.position(position), at: sessionDate(for: date))
        }
        commitOrTell()
    }

    /// Leaves the places that the app added out of the workout's route.
    package func discardRoute() {
        guard (try? requireAdding()) != nil else { return }
        append(.routeDiscarded, at: now)
        commitOrTell()
    }

    /// Adds events of an app. On the other side of a mirrored session, requests them.
    package func add(_ events: [EventRecord]) throws {
        let records = events.map { event in
            var record = event
            record.start = sessionDate(for: record.start)
            record.end = max(record.start, sessionDate(for: record.end))
            record.isAdded = true
            return record
        }
        if isMirrored {
            for record in records { try ask(SessionEntry(record.end, .event(record))) }
            return
        }
        try requireAdding()
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
        try add([EventRecord(.lap, start: start, end: end)])
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
        try add([EventRecord(.lap, start: start, end: end)])
    }

    package func add(metadata: [String: MetadataValue]) throws {
        try requireAdding()
        append(.metadata(metadata), at: now)
        commitOrTell()
    }

    /// Adds an activity that the app describes itself: with its end, or to be ended later.
    package func add(_ record: ActivityRecord, from start: Date, to end: Date?) throws {
        try requireAdding()
        let start = sessionDate(for: start)
        let state = state
        guard let first = state.collectionStart, start >= first else {
            throw misuse("An activity of the workout cannot begin (\(start)) before it.")
        }
        if let last = state.activities.last, last.end.map({ start < $0 }) ?? true {
            throw misuse(
                "The activity before has not ended, or ends after this one begins (\(start)): activities do not overlap."
            )
        }
        try requireAllowed(record.activity)
        takePart(SessionEntry(start, .activityBegan(record)))
        if let end { takePart(SessionEntry(max(start, sessionDate(for: end)), .activityEnded)) }
        commitOrTell()
    }

    package func endActivity(_ id: UUID, at date: Date) throws {
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

    package func updateActivity(_ id: UUID, adding metadata: [String: MetadataValue]) throws {
        try requireAdding()
        guard read({ $0.activities.contains { $0.record.id == id } }) else {
            throw misuse("The workout has no activity with the UUID \(id).")
        }
        append(.activityMetadata(id, metadata), at: now)
        commitOrTell()
    }

    /// - Parameters:
    ///   - keepsSamples: False if nothing of the workout should be left.
    ///   - makeStore: Stores the samples of the log. Called if this was not done while the workout was built.
    package func discard(keepingSamples keepsSamples: Bool = true, _ makeStore: () -> (any SampleStore)?) {
        do { try requirePrimary() } catch { return session?.notify(.failed(error)) ?? () }
        guard read({ $0.collection != .finished && $0.collection != .discarded }) else { return }
        let isMirrored = isMirroring
        if keepsSamples, live == nil, let store = makeStore() { keep(store) }
        append(.collection(.discarded), at: now)
        stopSensors()
        let fault = keepsSamples ? live?.saveRest() : live?.removeAll()
        if let fault {
            session?.notify(
                .failed(
                    SessionError(
                        .storageInaccessible,
                        keepsSamples
                            ? "The workout was discarded, and the samples that were measured last could not be saved. They are tried "
                                + "again as long as the program runs."
                            : "The workout was discarded, and the samples that were measured for it could not be removed.",
                        cause: fault)))
        }
        finishLog(isMirrored)
    }

    /// Ends the log once `save` has stored the workout. If it throws, the workout is not finished, and the app can try again.
    package func finish<Result>(_ save: (SessionState, LiveSessionLog) throws -> Result) throws -> Result {
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

    /// Throws unless samples, events and activities can be added.
    package func requireAdding() throws {
        try requirePrimary()
        switch read({ $0.collection }) {
        case .collecting, .ended: return
        case .notBegun: throw misuse("Call beginCollection(withStart:) before adding to a workout.")
        case .finished: throw misuse("The workout is finished: nothing can be added.")
        case .discarded: throw misuse("The workout was discarded: nothing can be added.")
        }
    }

    package func misuse(_ message: String) -> SessionError { SessionError(.invalidArgument, message) }
}
