// How sessions were steered before they had methods of their own.

extension HKHealthStore {
    /// Starts the session's activity now; the delegate is called when it has started or failed.
    @available(watchOS, deprecated: 5.0, message: "Use HKWorkoutSession.startActivity(with:)")
    public func start(_ workoutSession: HKWorkoutSession) {
        workoutSession.startActivity(with: nil)
    }

    /// Ends the session; its workout is saved by its builder, not by this.
    @available(watchOS, deprecated: 5.0, message: "Use HKWorkoutSession.end()")
    public func end(_ workoutSession: HKWorkoutSession) {
        workoutSession.end()
    }

    /// Pauses a running session; does nothing in any other state.
    @available(watchOS, deprecated: 5.0, message: "Use HKWorkoutSession.pause()")
    public func pause(_ workoutSession: HKWorkoutSession) {
        workoutSession.pause()
    }

    /// Lets a paused session go on; does nothing in any other state.
    @available(watchOS, deprecated: 5.0, message: "Use HKWorkoutSession.resume()")
    public func resumeWorkoutSession(_ workoutSession: HKWorkoutSession) {
        workoutSession.resume()
    }
}

extension HKHealthStore {
    /// Brings the samples of a session into this store while it runs; nil if its workout is not kept.
    func liveSamples(of session: UUID, _ log: SessionLog) -> LiveSamples? {
        guard environment.keepsWorkouts else { return nil }
        return LiveSamples(of: session, log, environment: { self.environment }, database: { self.database })
    }

    func recoverSession() throws -> HKWorkoutSession? { try SessionRecovery.recover(from: self) }
}
