import Recordings
import SessionLog

/// Sessions that a process left behind: read from their journals, folded, and ready to go on.
package enum SessionRecovery {
    /// The newest session in `folder` that nobody has open any more; nil when there is none.
    ///
    /// A journal whose workout is in the store already (the process died between saving and cleaning up) or that holds no
    /// session that had begun is removed on the way. One that cannot be read keeps no other from being recovered: it is left
    /// where it is when another program or another user may read it, else set aside with the ending `.unreadable`; standard
    /// error names it.
    package static func recover(from store: HKHealthStore) throws -> HKWorkoutSession? {
        guard let folder = store.environment.journalFolder else { return nil }
        try TrustedFolder.check(folder.path)
        // Whether a session was saved can only be read unlocked, when what waited is in the store.
        try store.environment.requireReadable()
        // A store that cannot be had is not one beside which nothing was left.
        _ = try store.database.contains(UUID())
        try requireReadable(folder)
        for url in SessionJournal.left(in: folder) {
            guard let (journal, log, state) = readable(url) else { continue }
            if let session = try session(log, state, store) { return session }
            let isOwed: Bool
            do { isOwed = try PendingCompanions(log).wasMirrored } catch {
                passOver(url, error)
                continue
            }
            if isOwed, try isSaved(state, in: store.database) {
                journal.setAside()
            } else {
                journal.finish()
            }
        }
        return nil
    }

    /// The sessions that ``recover(from:)`` would give back, the newest first. Looks only: nothing is set aside, said or finished.
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

    /// No folder is no session; one that cannot be looked into may hold some.
    private static func requireReadable(_ folder: URL) throws {
        guard access(folder.path, R_OK | X_OK) != 0, errno != ENOENT else { return }
        let reason = String(cString: strerror(errno))
        throw HKError.make(
            .errorDatabaseInaccessible,
            "Interrupted sessions cannot be found: \(folder.path) cannot be read (\(reason)). Make the folder "
                + "readable.")
    }

    /// A journal that nobody has open, and what is in it: nothing, where the session never got that far.
    private static func readable(_ url: URL) -> (SessionJournal, LiveSessionLog, SessionState)? {
        do {
            guard let journal = try SessionJournal(resuming: url) else { return nil }
            do {
                let (log, state) = try LiveSessionLog.left(in: journal)
                return (journal, log, state)
            } catch RecordingError.empty {
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
        // The system refuses, or a later version wrote it: it may well be whole.
        case SessionLogError.file(let fault) where fault.code != EISDIR: break
        case SessionLogError.newerVersion, is FileFault: break
        case RecordingError.unreadable: break
        default:
            let aside = url.appendingPathExtension("unreadable")
            do throws(FileFault) {
                try DurableFile.move(url, to: aside)
                return Notice.post("a session's journal cannot be read and is kept as \(aside.path): \(reason)")
            } catch {
                return Notice.post("a session's journal cannot be read, nor set aside: \(reason); \(error)")
            }
        }
        Notice.post("a session's journal, \(url.path), is passed over: \(reason)")
    }

    /// Of a session that had begun, and of which no workout was made; nil for any other.
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
        return HKWorkoutSession(healthStore: store, recorder: recorder)
    }

    /// The session's sensors; a recording or a simulation goes on where the log ends. If they cannot be had any more, the session goes
    /// on without, so that it can be finished.
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
