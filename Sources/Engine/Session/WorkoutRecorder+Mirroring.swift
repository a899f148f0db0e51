package import Foundation
package import Mirroring
import SessionLog
import Synchronization

/// The mirroring of a session that runs on this machine.
extension WorkoutRecorder {
    /// Throws if the session cannot be mirrored to other machines.
    package func requireMirrorable() throws {
        guard !isMirrored else {
            throw misuse("This session is itself mirrored from another machine, and cannot be mirrored on.")
        }
        guard read({ $0.phase != .ended }) else {
            throw misuse("The session has ended: it cannot be mirrored any more.")
        }
    }

    /// Starts mirroring, and removes an earlier mirroring that its companions have ended.
    ///
    /// - Parameters:
    ///   - addresses: The addresses of companions.
    ///   - includesNotifications: Whether companions get the raw bytes of sensors.
    ///   - keepsJournal: Whether other machines lack entries of the session, so its journal has to stay.
    ///   - report: Called with one line whenever a link fails.
    package func mirror(
        to addresses: [CompanionAddress], through host: MirrorHost, includesNotifications: Bool,
        keepsJournal: Bool = false, report: @escaping @Sendable (String) -> Void
    ) throws -> SessionMirror {
        let earlier = mirroring
        let mirror = SessionMirror(
            of: self, includesNotifications: includesNotifications, host: host, addresses: addresses,
            keepsJournal: keepsJournal, report: report)
        latestMirror.withLock { $0 = mirror }
        self.mirror = nil
        earlier?.abandon()
        try mirror.start(self, channel: earlier == nil ? id : UUID())
        return mirror
    }

    package func stopMirroring() throws -> SessionMirror {
        guard let mirror = mirroring, mirror.isRunning else { throw misuse("The session is not mirrored.") }
        self.mirror = nil
        return mirror
    }

    /// The latest mirroring, running or not. Nil if the session was never mirrored.
    package nonisolated var mirroring: SessionMirror? { latestMirror.withLock { $0 } }
}

/// Requests of the other side of a mirrored session.
extension WorkoutRecorder {
    /// Carries out a request like the same call on this machine. A request dated in the future means now.
    ///
    /// If the session's state doesn't allow it, it has no effect or is reported on this side, like any call.
    /// A request is carried out once, even if this machine is killed before confirming it, because the log has its
    /// position.
    func grant(_ request: SessionEntry) {
        let now = now
        let date = min(request.date, now)
        switch request.content {
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

/// Data that apps send to each other.
extension WorkoutRecorder {
    /// Delivers data from the other side, oldest first.
    func received(_ data: [Data]) {
        guard !data.isEmpty else { return }
        remote.held += data
        handOverHeldData()
    }

    package func handOverHeldData() {
        guard let session, session.hasDelegate else {
            while remote.held.count > 1, remote.held.reduce(0, { $0 + $1.count }) > RemoteSide.heldBytes {
                remote.held.removeFirst()
            }
            return
        }
        guard !remote.held.isEmpty else { return }
        let data = remote.held
        remote.held = []
        session.notify(.received(data))
    }

    /// Sends data to the other side. Returns when it is in the log or sent. If the other side is out of reach, it gets it later.
    package func send(_ data: Data) throws {
        guard session != nil else { return }
        guard read({ $0.phase != .notStarted }) else {
            throw SessionError(
                .invalidArgument,
                "Remote session delegate is not set up. The session has not started: prepare or start it before sending."
            )
        }
        guard read({ $0.phase != .ended }) else { throw misuse("The session has ended: nothing more can be sent.") }
        guard isMirrored ? remote.send != nil : mirroring?.isRunning == true else {
            throw misuse(
                isMirrored
                    ? "The mirroring of this session has ended: nothing more can be sent."
                    : "The session is not mirrored: call startMirroringToCompanionDevice before sending.")
        }
        guard data.count <= DataRateLimit.bytes, remote.allowance.consume(data.count, at: time.now()) else {
            throw SessionError(
                .dataSizeExceeded,
                "\(data.count) bytes are too much now: at most \(DataRateLimit.bytes) bytes can be sent to the other side "
                    + "in any \(Int(DataRateLimit.seconds)) seconds. Send less, or later.")
        }
        if let send = remote.send {
            try send(SessionEntry(now, .remoteData(data)))
        } else {
            append(.remoteData(data), at: now)
        }
    }
}
