import Recordings
import Synchronization

/// The mirroring of a session that runs here.
extension WorkoutRecorder {
    func startMirroring(to companions: Companions) throws -> SessionMirror {
        guard !isMirrored else {
            throw misuse("This session is itself mirrored from another machine, and cannot be mirrored on.")
        }
        guard read({ $0.phase != .ended }) else {
            throw misuse("The session has ended: it cannot be mirrored any more.")
        }
        if let mirror = mirroring, mirror.isRunning { return mirror }
        return try mirror(to: companions)
    }

    /// Begins to mirror. What is left of an earlier mirroring that its companions have ended goes.
    ///
    /// - Parameters:
    ///   - addresses: nil for those where sessions are mirrored to now.
    ///   - keepsJournal: whether others than these lack something of the session, so that its journal has to stay.
    func mirror(
        to companions: Companions, at addresses: [CompanionAddress]? = nil, keepsJournal: Bool = false
    ) throws -> SessionMirror {
        let earlier = mirroring
        let mirror = SessionMirror(
            of: self, includesNotifications: companions.mirrorsNotifications,
            host: try companions.host(), addresses: try addresses ?? companions.addresses(),
            keepsJournal: keepsJournal, report: { companions.notify($0) })
        latestMirror.withLock { $0 = mirror }
        self.mirror = nil
        earlier?.abandon()
        try mirror.start(self, channel: earlier == nil ? id : UUID())
        return mirror
    }

    func stopMirroring() throws -> SessionMirror {
        guard let mirror = mirroring, mirror.isRunning else { throw misuse("The session is not mirrored.") }
        self.mirror = nil
        return mirror
    }

    /// The latest one, whether it goes on or not; nil where the session was never mirrored.
    nonisolated var mirroring: SessionMirror? { latestMirror.withLock { $0 } }
}

/// What the other side of a mirrored session would like to see in the log.
extension WorkoutRecorder {
    /// Does what a call here would do. A wish that is dated later than now is one for now.
    ///
    /// What the session's state does not allow does nothing, or is reported to this side's delegate, as with any call. A
    /// wish is done once, also where this machine is killed before it could confirm it: the log says how far it got.
    func grant(_ wish: SessionEntry) {
        let now = now
        let date = min(wish.date, now)
        switch wish.content {
        case .state(.prepared): prepare()
        case .state(.running): begin(at: date)
        case .state(.stopped): change(to: .stopped, at: date)
        case .state(.ended): end()
        case .event(let event) where event.kind == .pause: pause()
        case .event(let event) where event.kind == .resume: resume()
        case .event(let event): add(event, now)
        case .activityBegan(let record):
            if !read({ $0.activities.contains { $0.record.id == record.id } }) { begin(record, at: date) }
        case .activityEnded: endOpenActivity(at: date)
        default: break
        }
    }

    private func add(_ event: EventRecord, _ now: Date) {
        var event = event
        event.start = min(event.start, now)
        event.end = min(event.end, now)
        guard isCollecting, !read({ $0.events.contains(event) }) else { return }
        append(.event(event), at: event.end)
        commitOrTell()
        notify(event)
    }
}
