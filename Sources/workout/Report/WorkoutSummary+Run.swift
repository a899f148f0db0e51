import HealthKit

extension WorkoutSummary {
    /// What a finished run came to. Throws where its log cannot be read back.
    init(_ run: WorkoutRun.Finished) throws {
        try self.init(id: run.id, state: run.state, log: run.log)
    }
}
