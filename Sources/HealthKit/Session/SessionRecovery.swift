import Recordings

/// Sessions that a process left behind: read from their journals, folded, and ready to go on.
package enum SessionRecovery {
    /// The newest session in `folder` that nobody has open any more; nil when there is none.
    ///
    /// A journal whose workout is in the store already (the process died between saving and cleaning up) or that holds no
    /// session that had begun is removed on the way.
    package static func recover(from store: HKHealthStore) throws -> HKWorkoutSession? {
        guard let folder = store.environment.journalFolder else { return nil }
        try OwnFolder.check(folder.path)
        // Whether a session was saved can only be read unlocked, when what waited is in the store.
        try store.environment.requireReadable()
        for url in SessionJournal.left(in: folder) {
            guard let journal = try SessionJournal(resuming: url) else { continue }
            let entries = try SessionLogFile.entries(url).entries
            if let session = try session(entries, journal, store) { return session }
            if OwedCompanions(entries).isSaid, try isSaved(entries, in: store.database) {
                journal.setAside()
            } else {
                journal.finish()
            }
        }
        return nil
    }

    private static func session(
        _ entries: [SessionEntry], _ journal: SessionJournal, _ store: HKHealthStore
    ) throws -> HKWorkoutSession? {
        var state = SessionState()
        for entry in entries { state.apply(entry) }
        guard let header = state.header, state.startDate != nil,
            state.collection != .finished, state.collection != .discarded,
            try !store.database.contains(header.id)
        else { return nil }
        // Only sensors that live on wall time: a replay cannot be taken up where it stopped.
        let sensors = try store.environment.makeSensors(for: header.activity).filter { $0.pace == .wall }
        let recorder = WorkoutRecorder(
            resuming: entries, sensors: sensors, sinks: [journal], time: store.environment.time)
        return HKWorkoutSession(healthStore: store, recorder: recorder)
    }

    private static func isSaved(_ entries: [SessionEntry], in database: any HealthDatabase) throws -> Bool {
        guard case .header(let header)? = entries.first?.content else { return false }
        return try database.contains(header.id)
    }
}
