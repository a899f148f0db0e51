import SessionLog

// The older methods for controlling sessions.

extension HKHealthStore {
    /// Starts the session's activity now. The delegate is called when it has started or failed.
    @available(watchOS, deprecated: 5.0, message: "Use HKWorkoutSession.startActivity(with:)")
    public func start(_ workoutSession: HKWorkoutSession) {
        workoutSession.startActivity(with: nil)
    }

    /// Ends the session. Its builder saves the workout.
    @available(watchOS, deprecated: 5.0, message: "Use HKWorkoutSession.end()")
    public func end(_ workoutSession: HKWorkoutSession) {
        workoutSession.end()
    }

    /// Pauses a running session. Has no effect in any other state.
    @available(watchOS, deprecated: 5.0, message: "Use HKWorkoutSession.pause()")
    public func pause(_ workoutSession: HKWorkoutSession) {
        workoutSession.pause()
    }

    /// Resumes a paused session. Has no effect in any other state.
    @available(watchOS, deprecated: 5.0, message: "Use HKWorkoutSession.resume()")
    public func resumeWorkoutSession(_ workoutSession: HKWorkoutSession) {
        workoutSession.resume()
    }
}

extension HKHealthStore {
    /// Creates the object that saves the samples of a running session in this store. Returns nil if its workout is not
    /// saved.
    func liveSamples(of session: UUID, _ log: LiveSessionLog) -> LiveSamples? {
        guard environment.keepsWorkouts else { return nil }
        return LiveSamples(of: session, log, environment: { self.environment }, database: { self.database })
    }

    func recoverSession() throws -> HKWorkoutSession? { try SessionRecovery.recover(from: self) }
}
