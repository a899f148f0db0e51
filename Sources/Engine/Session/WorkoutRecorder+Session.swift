package import Foundation
package import SessionLog

/// The calls of a workout session.
extension WorkoutRecorder {
    package func prepare() {
        if asks(.state(.prepared)) { return }
        change(to: .prepared, at: now)
    }

    /// The app's `date`. Nil for now.
    package func start(at date: Date?) {
        if asks(.state(.running), at: date) { return }
        beginTime(at: date)
        begin(at: date.map(sessionDate) ?? now)
    }

    /// `date` is session time.
    func begin(at date: Date) {
        let phase = read { $0.phase }
        guard phase != .paused else { return refuse("started", in: phase) }
        if let startFault {
            session?.notify(.failed(startFault))
            return
        }
        guard change(to: .running, at: date) else { return }
        if read({ $0.collection == .notBegun }) { startSensorsAlone() } else { startSensors() }
    }

    package func pause() {
        if asks(.event(.instant(.pause))) { return }
        change(to: .paused, at: now)
    }

    package func resume() {
        if asks(.event(.instant(.resume))) { return }
        guard read({ $0.phase == .paused }) else { return }
        change(to: .running, at: now)
    }

    package func stop(at date: Date?) {
        if asks(.state(.stopped), at: date) { return }
        change(to: .stopped, at: date.map(sessionDate) ?? now)
    }

    package func end() {
        if asks(.state(.ended)) { return }
        change(to: .ended, at: now)
    }

    /// Changes the state and notifies the observers. Returns whether the change was allowed.
    ///
    /// Pausing, resuming, stopping and ending a session whose state does not allow it has no effect, as Apple
    /// documents. Preparing or starting one twice is reported to the observer as an invalid argument.
    @discardableResult
    func change(to next: SessionPhase, at proposed: Date) -> Bool {
        let (phase, earliest) = read { ($0.phase, $0.pauses.last.map { $0.end ?? $0.start } ?? $0.startDate) }
        guard phase.canChange(to: next) else {
            if next == .prepared { refuse("prepared", in: phase) }
            if next == .running { refuse("started", in: phase) }
            return false
        }
        // Time does not run backwards, whatever date the caller passes.
        let date = earliest.map { max($0, proposed) } ?? proposed
        append(.state(next), at: date)
        if next == .running, phase != .paused { active?.begin(self) }
        withTimeline {
            if next == .running { $0.sessionStarted(at: date) }
            if next.isOver { $0.sessionStopped(at: date) }
        }
        commitOrTell()
        if next == .paused { energy?.pause() }
        notifyChange(to: next, from: phase, at: date)
        if next == .ended { stopSensors() }
        return true
    }

    /// Ends this session because another one began to run: only one may run at a time.
    func yieldToAnother() {
        guard read({ $0.phase.isActive || $0.phase == .prepared }) else { return }
        session?.notify(
            .failed(
                SessionError(
                    .anotherSessionStarted, "Another workout session was started; this one ends here.")))
        end()
    }

    private func refuse(_ participle: String, in phase: SessionPhase) {
        session?.notify(
            .failed(
                SessionError(
                    .invalidArgument,
                    "A workout session that is \(phase.rawValue) cannot be \(participle). Create a new session.")))
    }

    static func event(for next: SessionPhase, from: SessionPhase, at date: Date) -> EventRecord? {
        switch (from, next) {
        case (_, .paused): EventRecord(.pause, start: date, end: date)
        case (.paused, .running): EventRecord(.resume, start: date, end: date)
        default: nil
        }
    }

    // MARK: Parts of a workout

    package func beginActivity(_ activity: ActivityDescription, at date: Date, metadata: [String: MetadataValue]) {
        let record = ActivityRecord(id: UUID(), activity: activity, metadata: metadata)
        if asks(.activityBegan(record), at: date) { return }
        begin(record, at: sessionDate(for: date))
    }

    func begin(_ record: ActivityRecord, at date: Date) {
        let phase = read { $0.phase }
        guard phase.isActive else {
            session?.notify(
                .failed(
                    SessionError(
                        .invalidArgument,
                        "A new activity cannot begin in a session that is \(phase.rawValue); it has to be running.")))
            return
        }
        do { try requireAllowed(record.activity) } catch {
            session?.notify(.failed(error))
            return
        }
        dataSource?.activityChanged(to: record.activity)
        takePart(SessionEntry(date, .activityBegan(record)))
    }

    /// Throws for an activity that a workout of this kind does not take.
    func requireAllowed(_ activity: ActivityDescription) throws {
        guard configuration.takes(activity) else {
            throw SessionError(
                .activityNotAllowed,
                "A \(configuration.activity) workout takes no activity of type \(activity.activity).")
        }
    }

    package func endActivity(at date: Date) {
        if asks(.activityEnded, at: date) { return }
        endOpenActivity(at: sessionDate(for: date))
    }

    /// `date` is session time.
    func endOpenActivity(at date: Date) {
        guard read({ $0.currentActivity != nil }) else { return }
        dataSource?.activityChanged(to: configuration)
        takePart(SessionEntry(date, .activityEnded))
    }
}
