import Engine
import SessionLog
import Synchronization

/// The mirroring of a session that runs on this machine.
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

    /// Starts mirroring, and removes an earlier mirroring that its companions have ended.
    ///
    /// - Parameters:
    ///   - addresses: The addresses of companions. Nil for the configured ones.
    ///   - keepsJournal: Whether other machines lack entries of the session, so its journal has to stay.
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

    /// The latest mirroring, running or not. Nil if the session was never mirrored.
    nonisolated var mirroring: SessionMirror? { latestMirror.withLock { $0 } }
}

/// Requests of the other side of a mirrored session.
extension WorkoutRecorder {
    /// Carries out a request like the same call on this machine. A request dated in the future means now.
    ///
    /// If the session's state doesn't allow it, it has no effect or is reported to this side's delegate, like any call.
    /// A request is carried out once, even if this machine is killed before confirming it, because the log has its
    /// position.
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
