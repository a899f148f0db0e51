// How sessions were steered before they had methods of their own.

extension HKHealthStore {
    @available(watchOS, deprecated: 5.0, message: "Use HKWorkoutSession.startActivity(with:)")
    public func start(_ workoutSession: HKWorkoutSession) {
        workoutSession.startActivity(with: nil)
    }

    @available(watchOS, deprecated: 5.0, message: "Use HKWorkoutSession.end()")
    public func end(_ workoutSession: HKWorkoutSession) {
        workoutSession.end()
    }

    @available(watchOS, deprecated: 5.0, message: "Use HKWorkoutSession.pause()")
    public func pause(_ workoutSession: HKWorkoutSession) {
        workoutSession.pause()
    }

    @available(watchOS, deprecated: 5.0, message: "Use HKWorkoutSession.resume()")
    public func resumeWorkoutSession(_ workoutSession: HKWorkoutSession) {
        workoutSession.resume()
    }
}

extension HKHealthStore {
    func recoverSession() throws -> HKWorkoutSession? { try SessionRecovery.recover(from: self) }
}
