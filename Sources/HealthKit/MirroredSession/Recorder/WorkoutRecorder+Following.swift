import Recordings

/// A mirrored session: nothing happens here that does not stand in the primary's log. A call is a wish, sent to the
/// primary as the entry that it would like to see in the log; what comes of it comes back as an entry.
extension WorkoutRecorder {
    /// Sends a wish, if this session is a mirrored one. `date` as the app passed it; nil means now, whenever that is.
    func asks(_ content: SessionEntry.Content, at date: Date? = nil) -> Bool {
        guard isMirrored else { return false }
        let wish = SessionEntry(date.map(sessionDate) ?? .distantFuture, content)
        do {
            try ask(wish)
        } catch {
            session?.fail(HKError.wrapping(error))
        }
        return true
    }

    /// Laps and other events that an app adds to a mirrored builder.
    func ask(for events: [HKWorkoutEvent]) throws {
        guard !events.isEmpty else { throw misuse("HKWorkout: HKWorkoutEvent data cannot be nil or empty.") }
        for event in events {
            var record = try event.record()
            record.start = sessionDate(for: record.start)
            record.end = max(record.start, sessionDate(for: record.end))
            record.isAdded = true
            try ask(SessionEntry(record.end, .event(record)))
        }
    }

    private func ask(_ wish: SessionEntry) throws {
        guard session != nil, let primary = remote.primary else { throw FollowLoss.over.error }
        try primary.send(wish)
    }

    /// For calls that a mirrored builder cannot do: the workout is built, and saved, where the session runs.
    func requirePrimary() throws {
        guard !isMirrored else {
            throw misuse(
                "This workout builder belongs to a mirrored session: the workout is built by the other machine. Call it "
                    + "there; here statistics, events and activities can be read, and events added.")
        }
        guard !hasCrashed else {
            throw misuse("The app was restarted since. Use the session that recoverActiveWorkoutSession gives back.")
        }
    }

    /// Gives a reader the log from its first entry, and each entry that comes.
    package func attach(_ sink: any SessionLogSink) {
        do {
            try log.forEach { sink.append($0) }
        } catch {
            session?.fail(HKError.wrapping(error))
        }
        sinks.append(sink)
    }

    // MARK: Entries of the primary

    /// Takes in what the primary's log says, and tells the delegates what the primary's are told, in the same order.
    ///
    /// Data for the app is not part of the workout, and whoever brings the entries hands it over.
    func follow(_ entries: some Sequence<SessionEntry>) {
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

    /// Takes in what happened before anybody looked.
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

    /// Another log has taken the place of the one that was followed: says what is different now.
    func notifyDifferences() {
        guard let earlier = remote.known.take() else { return }
        let phase = read { $0.phase }
        if phase != earlier.phase { session?.changed(to: phase, from: earlier.phase, at: log.lastDate ?? now) }
        let types = read { Array($0.quantities.keys) }
        if !types.isEmpty { builder?.collected(Set(types)) }
        if read({ $0.events }) != earlier.events { builder?.collectedEvent() }
    }
}

extension EventRecord {
    /// An event whose date is somebody else's to say.
    static func instant(_ kind: Kind) -> EventRecord {
        EventRecord(kind, start: .distantFuture, end: .distantFuture)
    }
}
