import Engine
package import SessionLog

/// Recovers sessions that a process left behind: reads their journals and continues them.
package enum SessionRecovery {
    /// Returns the newest session in `folder` that no process has open, or nil if there is none.
    ///
    /// Removes a journal whose workout is already in the store (the process died between saving and cleaning up) or
    /// whose session had not begun. An unreadable journal does not prevent the recovery of others. It stays if another
    /// program or another user may be able to read it. Otherwise it gets the extension `.unreadable`. Standard error
    /// names it.
    package static func recover(from store: HKHealthStore) throws -> HKWorkoutSession? {
        guard let folder = store.environment.journalFolder else { return nil }
        try HKError.translating { try TrustedFolder.check(folder.path) }
        // Whether a session was saved can only be read on an unlocked device, after waiting writes were stored.
        try store.environment.requireReadable()
        // An unavailable store does not mean that nothing was left.
        _ = try store.database.contains(UUID())
        try requireReadable(folder)
        for url in SessionJournal.left(in: folder) {
            guard let (journal, log, state) = readable(url) else { continue }
            if let session = try session(log, state, store) { return session }
            let wasMirrored: Bool
            do { wasMirrored = try PendingCompanions(log).wasMirrored } catch {
                passOver(url, error)
                continue
            }
            if wasMirrored, try isSaved(state, in: store.database) {
                journal.setAside()
            } else {
                journal.finish()
            }
        }
        return nil
    }

    /// Returns the sessions that ``recover(from:)`` would return, newest first. Only reads: it renames, reports and
    /// finishes nothing.
    package static func waiting(in environment: HealthEnvironment) -> [SessionState] {
        guard let folder = environment.journalFolder else { return [] }
        return SessionJournal.left(in: folder).compactMap { url in
            guard let journal = try? SessionJournal(resuming: url),
                let state = try? LiveSessionLog.left(in: journal).state,
                (try? waiting(state, in: environment.database)) != nil
            else { return nil }
            return state
        }
    }

    /// Throws if the folder cannot be read, since it may contain sessions. A missing folder contains none.
    private static func requireReadable(_ folder: URL) throws {
        guard access(folder.path, R_OK | X_OK) != 0, errno != ENOENT else { return }
        let reason = String(cString: strerror(errno))
        throw HKError.make(
            .errorDatabaseInaccessible,
            "Interrupted sessions cannot be found: \(folder.path) cannot be read (\(reason)). Make the folder "
                + "readable.")
    }

    /// Returns a journal that no process has open, with its content. The content is empty if the session did not begin.
    private static func readable(_ url: URL) -> (SessionJournal, LiveSessionLog, SessionState)? {
        do {
            guard let journal = try SessionJournal(resuming: url) else { return nil }
            do {
                let (log, state) = try LiveSessionLog.left(in: journal)
                return (journal, log, state)
            } catch SessionLogError.empty {
                return (journal, LiveSessionLog(), SessionState())
            }
        } catch {
            passOver(url, error)
            return nil
        }
    }

    private static func passOver(_ url: URL, _ error: any Error) {
        var reason = "\(error)"
        if case SessionLogError.notALog(_, let why) = error { reason = why }
        switch error {
        // The system denies access, or a later version wrote it: the file may well be valid.
        case SessionLogError.file(let fault) where fault.code != EISDIR: break
        case SessionLogError.newerVersion, is FileFault: break
        default:
            let aside = url.appendingPathExtension("unreadable")
            do throws(FileFault) {
                try DurableFile.move(url, to: aside)
                return Notice.post("a session's journal cannot be read and is kept as \(aside.path): \(reason)")
            } catch {
                return Notice.post("a session's journal cannot be read, nor set aside: \(reason); \(error)")
            }
        }
        Notice.post("a session's journal, \(url.path), was skipped: \(reason)")
    }

    /// Returns the header of a session that had begun and has no workout yet, or nil for any other.
    private static func waiting(_ state: SessionState, in database: any HealthDatabase) throws -> SessionHeader? {
        guard let header = state.header, state.startDate != nil,
            state.collection != .finished, state.collection != .discarded,
            try !database.knowsWorkout(header.id)
        else { return nil }
        return header
    }

    private static func session(
        _ log: LiveSessionLog, _ state: SessionState, _ store: HKHealthStore
    ) throws -> HKWorkoutSession? {
        guard let header = try waiting(state, in: store.database) else { return nil }
        let environment = store.environment
        let sensors = sensors(of: header.activity, from: log.lastDate, in: environment)
        let recorder = environment.asCurrent {
            WorkoutRecorder(resuming: log, state, sensors: sensors, time: environment.time)
        }
        environment.workoutMade?(recorder)
        environment.publish(recorder)
        return HKWorkoutSession(healthStore: store, recorder: recorder)
    }

    /// Returns the session's sensors. A recording or a simulation continues at the end of the log. If the sensors are
    /// no longer available, the session continues without them, so that it can be finished.
    private static func sensors(
        of activity: ActivityDescription, from end: Date?, in environment: HealthEnvironment
    ) -> [any Sensor] {
        do {
            return try environment.makeSensors(for: activity).map { sensor in
                if let replay = sensor as? ReplaySensor, let end { replay.resumed(at: end) } else { sensor }
            }
        } catch {
            environment.notices.notify(
                .sensorsFailed,
                "The recovered session gets no readings. \(HealthEnvironment.sentence(error))")
            return []
        }
    }

    private static func isSaved(_ state: SessionState, in database: any HealthDatabase) throws -> Bool {
        guard let header = state.header else { return false }
        return try database.knowsWorkout(header.id)
    }
}
