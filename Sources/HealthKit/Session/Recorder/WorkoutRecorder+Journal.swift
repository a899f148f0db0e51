import Synchronization

/// The journal of a session, where it can be written and where it cannot.
///
/// On a full disk a session goes on in memory: calls succeed, since what they add is saved with the workout, and the
/// delegate has heard that it would not survive a crash.
extension WorkoutRecorder {
    /// Where the journal cannot be written nothing begins, and it can be tried again once there is room.
    func requireJournal() throws {
        do {
            try commit()
        } catch {
            throw HKError.make(
                .errorDatabaseInaccessible,
                "The workout cannot begin: its journal cannot be written, so it would not survive a crash.",
                cause: error)
        }
    }

    /// A commit that keeps nobody from going on.
    func commitOrTell() {
        // What goes wrong is the journal's fault, which is told by `watchJournal`.
        do { try commit() } catch {}
    }

    /// Has the session's delegate told, once, when the journal cannot be written.
    func watchJournal() {
        log.journal?.watch { [weak self] fault in self?.enqueue { $0.take(journalFault: fault) } }
    }

    /// The process dies, as far as this session knows: nothing is measured, saved or called any more, and the journal waits for
    /// whoever recovers the session.
    package func crash() throws {
        guard !isMirrored, !hasCrashed else { return }
        try log.journal?.leave()
        hasCrashed = true
        stopSensors()
        live?.end()
        mirroring?.abandon()
        session = nil
        builder = nil
        sinks = []
    }

    private func take(journalFault fault: (any Error)?) {
        let error = fault.map {
            HKError.make(
                .errorDatabaseInaccessible,
                "The session continues in memory: its journal cannot be written, so what comes now would not survive a "
                    + "crash. Writing is tried again every second.", cause: $0)
        }
        journalFault.withLock { $0 = error }
        if let error { session?.fail(error) }
    }
}

extension HKWorkoutSession {
    /// Why a crash would take away what this session collects; nil while its journal has everything.
    package var journalFault: HKError? { recorder.journalFault.withLock { $0 } }
}
