import Engine
import Mirroring
import SessionLog

extension HKHealthStore {
    /// Called with each session that another machine mirrors to this one: when it first connects, and again with the
    /// same session when it is back after a disconnect that the delegate was notified of.
    ///
    /// Setting it starts listening, at the address of `HEALTHKIT_MIRROR_LISTEN`, or on port 7654 if a machine is
    /// paired. Otherwise it has no effect. If listening fails, the reason is printed on standard error. Set the
    /// session's delegate in the handler, so that it misses nothing. Called on an arbitrary queue.
    @preconcurrency public var workoutSessionMirroringStartHandler: (@Sendable (HKWorkoutSession) -> Void)? {
        get { mirroringStartHandler.function }
        set {
            mirroringStartHandler.function = newValue
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
    ) -> FollowedSession {
        let environment = environment
        let companions = environment.companions
        return environment.asCurrent {
            FollowedSession(
                greeting, header, from: peer, to: fingerprint, taken: taken, logFolder: environment.journalFolder,
                time: environment.time, context: EnvironmentPropagation.context,
                makeSession: { HKWorkoutSession(healthStore: self, recorder: $0) }
            ) { followed, event in
                try companions.handle(event, of: followed) { try self.saveWorkout(of: followed) }
            }
        }
    }

    /// Saves the workout that another machine built, with its samples, unless it is stored already. Samples that only
    /// the other machine's store has (correlations, audiograms …) are not in the log, and stay there.
    private func saveWorkout(of followed: FollowedSession) throws {
        try requireSharing([.workoutType()])
        guard try !database.knowsWorkout(followed.id) else { return }
        let (state, log) = followed.recorder.assumeIsolated { ($0.state, $0.log) }
        try keep(
            .workout(
                try HKWorkout.of(state, id: followed.id, device: nil), log: EntriesHere(log: log), adding: AddedSeries()
            ))
    }

    /// The part of a followed log that is on this machine.
    private struct EntriesHere: SessionEntries {
        let log: LiveSessionLog

        var sensors: [SensorStatus] { log.sensors }

        func forEach(_ body: (SessionEntry) throws -> Void) throws {
            try log.forEach { entry in
                if case .object = entry.content { return }
                try body(entry)
            }
        }
    }

    func start(_ session: any SessionObserver<SessionNotice>) {
        // Apple's handler takes Apple's class. The observers in this module are always of that class.
        guard let session = session as? HKWorkoutSession else {
            preconditionFailure("\(session) is not HKWorkoutSession")
        }
        let handler = mirroringStartHandler.function
        environment.asCurrent { handler?(session) }
    }
}
