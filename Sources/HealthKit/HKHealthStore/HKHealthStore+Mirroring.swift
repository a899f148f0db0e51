import Engine
import Mirroring
import SessionLog
import Synchronization

extension HKHealthStore {
    /// Called with each session that another machine mirrors to this one: when it first connects, and again with the
    /// same session when it is back after a disconnect that the delegate was notified of.
    ///
    /// Setting it starts listening, at the address of `HEALTHKIT_MIRROR_LISTEN`, or on port 7654 if a machine is
    /// paired. Otherwise it has no effect. If listening fails, the reason is printed on standard error. Set the
    /// session's delegate in the handler, so that it misses nothing. Called on an arbitrary queue.
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
        // Apple's handler takes Apple's class. The observers in this module are always of that class.
        guard let session = session as? HKWorkoutSession else {
            preconditionFailure("\(session) is not HKWorkoutSession")
        }
        let handler = mirroringStartHandler.withLock { $0 }
        environment.asCurrent { handler?(session) }
    }
}
