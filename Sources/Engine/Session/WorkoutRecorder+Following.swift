import Foundation
package import SessionLog

/// A mirrored session. Only entries of the primary's log change it. A call is a request, which is sent to the primary
/// as the requested entry. The result comes back as an entry of the log.
extension WorkoutRecorder {
    /// Sends a request if this session is mirrored. `date` is the app's date, and nil means now.
    func asks(_ content: SessionEntry.Content, at date: Date? = nil) -> Bool {
        guard isMirrored else { return false }
        let request = SessionEntry(date.map(sessionDate) ?? .distantFuture, content)
        do {
            try ask(request)
        } catch {
            session?.notify(.failed(error))
        }
        return true
    }

    /// Sends a request to the machine that runs the session.
    func ask(_ request: SessionEntry) throws {
        guard session != nil, let send = remote.send else { throw FollowLoss.over.error }
        try send(request)
    }

    /// Throws for calls that a mirrored builder can't do: the workout is built and saved on the machine that runs the
    /// session.
    package func requirePrimary() throws {
        guard !isMirrored else {
            throw misuse(
                "This workout builder belongs to a mirrored session: the workout is built by the other machine. Call it "
                    + "there; here statistics, events and activities can be read, and events added.")
        }
        guard !hasCrashed else {
            throw misuse("The app was restarted since. Use the session that recoverActiveWorkoutSession gives back.")
        }
    }

    /// Gives a reader all entries of the log, and each new one.
    package func attach(_ sink: any SessionLogSink) {
        do {
            try log.forEach { sink.append($0) }
        } catch {
            session?.notify(.failed(error))
        }
        sinks.append(sink)
    }

    // MARK: Entries of the primary

    /// Processes entries of the primary's log, and notifies the observers in the same order as on the primary.
    ///
    /// Data for the app is not part of the workout. The caller delivers it.
    package func follow(_ entries: some Sequence<SessionEntry>) {
        var collected = PendingTypes()
        for entry in entries {
            switch entry.content {
            case .quantity, .category, .object:
                append(entry)
                collected.note(entry.content)
            case .state(let next):
                collected.notify(builder)
                follow(next, entry)
            case .activityBegan, .activityEnded:
                collected.notify(builder)
                takePart(entry)
            case .event(let event):
                collected.notify(builder)
                append(entry)
                notify(event)
            default:
                append(entry)
            }
        }
        collected.notify(builder)
    }

    /// Processes entries from before the app got the session.
    func followSilently(_ entries: some Sequence<SessionEntry>) {
        for entry in entries {
            append(entry)
            if case .state(let next) = entry.content { moveTimeline(next, entry.date) }
        }
    }

    private func follow(_ next: SessionPhase, _ entry: SessionEntry) {
        let previous = read { $0.phase }
        append(entry)
        moveTimeline(next, entry.date)
        guard previous != next, previous.canChange(to: next) else { return }
        notifyChange(to: next, from: previous, at: entry.date)
    }

    private func moveTimeline(_ next: SessionPhase, _ date: Date) {
        if next.isOver { withTimeline { $0.sessionStopped(at: date) } }
    }

    /// Notifies the observers of the differences after another log has replaced the followed one.
    func notifyDifferences() {
        guard let earlier = remote.known.take() else { return }
        let phase = read { $0.phase }
        if phase != earlier.phase { session?.notify(.changed(to: phase, from: earlier.phase, at: log.lastDate ?? now)) }
        let types = read { Array($0.quantities.keys) }
        if !types.isEmpty { builder?.notify(.collected(Set(types.map { .quantity($0) }))) }
        if read({ $0.events }) != earlier.events { builder?.notify(.collectedEvent) }
    }
}
