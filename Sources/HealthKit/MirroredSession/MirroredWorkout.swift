import Recordings

/// A workout that another machine built and mirrored to this one.
enum MirroredWorkout {
    /// Saves it, with its samples, unless it is stored already. Samples that the other machine has in its store only
    /// (correlations, audiograms …) are not in the log, and stay there.
    static func save(_ state: SessionState, _ log: SessionLog, id: UUID, to store: HKHealthStore) throws {
        try store.requireSharing([.workoutType()])
        guard try !store.database.contains(id) else { return }
        try store.keep(
            .workout(try HKWorkout.of(state, id: id, device: nil), log: Present(log: log), adding: AddedSeries()))
    }

    /// What of a log is here.
    private struct Present: SessionEntries {
        let log: SessionLog

        var sensors: [SensorStatus] { log.sensors }

        func forEach(_ body: (SessionEntry) throws -> Void) throws {
            try log.forEach { entry in
                if case .object = entry.content { return }
                try body(entry)
            }
        }
    }
}
