import Recordings

/// Sessions that a process left behind: read from their journals, folded, and ready to go on.
package enum SessionRecovery {
    /// The newest session in `folder` that nobody has open any more; nil when there is none.
    ///
    /// A journal whose workout is in the store already (the process died between saving and cleaning up) or that holds no
    /// session that had begun is removed on the way.
    package static func recover(from store: HKHealthStore) throws -> HKWorkoutSession? {
        guard let folder = store.environment.journalFolder else { return nil }
        // Whether a session was saved can only be read unlocked, when what waited is in the store.
        try store.environment.requireReadable()
        for url in SessionJournal.left(in: folder) {
            guard let journal = try SessionJournal(resuming: url) else { continue }
            let (log, state) = try SessionLog.left(in: journal)
            if let session = try session(log, state, store) { return session }
            if store.environment.companions.mirrors, try isSaved(state, in: store.database) {
                journal.setAside()
            } else {
                journal.finish()
            }
        }
        return nil
    }

    private static func session(
        _ log: SessionLog, _ state: SessionState, _ store: HKHealthStore
    ) throws -> HKWorkoutSession? {
        guard let header = state.header, state.startDate != nil,
            state.collection != .finished, state.collection != .discarded,
            try !store.database.contains(header.id)
        else { return nil }
        // Only sensors that live on wall time: a replay cannot be taken up where it stopped.
        let sensors = try store.environment.makeSensors(for: header.activity).filter { $0.pace == .wall }
        let recorder = WorkoutRecorder(resuming: log, state, sensors: sensors, time: store.environment.time)
        return HKWorkoutSession(healthStore: store, recorder: recorder)
    }

    private static func isSaved(_ state: SessionState, in database: any HealthDatabase) throws -> Bool {
        guard let header = state.header else { return false }
        return try database.contains(header.id)
    }
}
