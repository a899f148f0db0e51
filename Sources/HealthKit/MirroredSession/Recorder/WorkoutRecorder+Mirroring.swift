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
            keepsJournal: keepsJournal, report: { companions.tell($0) })
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
