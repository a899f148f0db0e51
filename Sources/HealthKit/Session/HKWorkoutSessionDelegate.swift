/// Receives the events of a workout session. All methods are called on one anonymous serial background queue, in the
/// order of the session's log.
public protocol HKWorkoutSessionDelegate: NSObjectProtocol {
    /// Called when the state changed at `date`, which may be earlier than the call.
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date)

    /// Called when something failed. If this changes the state, the state changes after this call.
    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error)

    /// Called when the session generated an event: a pause, a resume, a lap of a sensor. Events that an app adds to the
    /// builder go to the builder's delegate.
    func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent)

    /// Called when an activity of the workout began.
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration,
        date: Date)

    /// Called when an activity of the workout ended.
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date)

    /// Called when the other side of a mirrored session sent data, oldest first.
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data])

    /// Called when the connection to the other side ended. `error` is nil after an orderly end.
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?)
}

// These methods are optional in Apple's protocol: an app may leave them out.
extension HKWorkoutSessionDelegate {
    /// Does nothing: optional, as in Apple's protocol.
    public func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {}

    /// Does nothing: optional, as in Apple's protocol.
    public func workoutSession(
        _ workoutSession: HKWorkoutSession, didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration,
        date: Date
    ) {}

    /// Does nothing: optional, as in Apple's protocol.
    public func workoutSession(
        _ workoutSession: HKWorkoutSession, didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
    ) {}

    /// Does nothing: optional, as in Apple's protocol.
    public func workoutSession(
        _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]
    ) {}

    /// Does nothing: optional, as in Apple's protocol.
    public func workoutSession(
        _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?
    ) {}
}
