import Foundation
import SessionLog
import Synchronization

/// The journal of a session, where it can be written and where it cannot.
///
/// On a full disk, a session continues in memory. Calls succeed, because their samples are saved with the workout, and
/// the observer was notified that they would not survive a crash.
extension WorkoutRecorder {
    /// Where the journal cannot be written nothing begins, and it can be tried again once there is room.
    func requireJournal() throws {
        do {
            try commit()
        } catch {
            throw SessionError(
                .storageInaccessible,
                "The workout cannot begin: its journal cannot be written, so it would not survive a crash.",
                cause: error)
        }
    }

    /// A commit that does not delay anything.
    func commitOrTell() {
        // Errors become the journal's fault, which `watchJournal` reports.
        do { try commit() } catch {}
    }

    /// Notifies the session's observer once if the journal cannot be written.
    package func watchJournal() {
        log.journal?.watch { [weak self] fault in self?.enqueue { $0.take(journalFault: fault) } }
    }

    /// Simulates the death of the process: nothing more is measured, saved or called, and the journal waits for
    /// recovery.
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
            SessionError(
                .storageInaccessible,
                "The session continues in memory: its journal cannot be written, so what comes now would not survive a "
                    + "crash. Writing is tried again every second.", cause: $0)
        }
        journalFault.withLock { $0 = error }
        if let error { session?.notify(.failed(error)) }
    }
}
