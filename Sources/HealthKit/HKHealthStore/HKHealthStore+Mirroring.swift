import Mirroring
import Recordings
import Synchronization

extension HKHealthStore {
    /// Called with each session that another machine mirrors to this one: on its first connection, and again, with the same
    /// session, whenever it was out of reach for long enough for the delegate to hear of it and is back.
    ///
    /// Setting it begins to listen: where `HEALTHKIT_MIRROR_LISTEN` says, or on port 7654 if a machine is paired; without
    /// either, nothing comes. What keeps this process from listening is told in one line on standard error. Set the
    /// delegate of the session in the handler, so that nothing is missed. Called on an arbitrary queue.
    @preconcurrency public var workoutSessionMirroringStartHandler: (@Sendable (HKWorkoutSession) -> Void)? {
        get { mirroringStartHandler.withLock { $0 } }
        set {
            mirroringStartHandler.withLock { $0 = newValue }
            environment.companions.set(self, receives: newValue != nil)
        }
    }
    func startCompanionApp(with activity: ActivityDescription) async throws {
        try environment.requireAvailable()
        let request = AppLaunchRequest(for: environment.permissions.app.bundleIdentifier, activity)
        try await environment.companions.startApp(request, time: environment.time)
    }
}

extension HKHealthStore: MirrorReceiver {
    func follow(
        _ greeting: MirrorGreeting, _ header: SessionHeader, from peer: Peer, fingerprint: PeerFingerprint, taken: [Int]
    ) -> any FollowedSession {
        environment.asCurrent {
            MirroredSession(greeting, header, from: peer, to: self, fingerprint: fingerprint, taken: taken)
        }
    }

    func start(_ session: any SessionObserver) {
        // Apple's handler takes Apple's class: what a recorder of this module tells is always one.
        guard let session = session as? HKWorkoutSession else {
            preconditionFailure("\(session) is not HKWorkoutSession")
        }
        let handler = mirroringStartHandler.withLock { $0 }
        environment.asCurrent { handler?(session) }
    }
}
