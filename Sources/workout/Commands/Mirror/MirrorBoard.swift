import Foundation
import HealthKit
import Recordings
import Synchronization

/// The sessions that other machines mirror to this one: hears of them, and shows the newest.
final class MirrorBoard: NSObject, Sendable {
    private let printsEntries: Bool
    private let endsWithSession: Bool
    private let state = Mutex(State())
    private let over = AsyncStream.makeStream(of: Void.self)

    private struct State {
        var session: HKWorkoutSession?
        var known: Set<UUID> = []
        var heartRates = HeartRateHistory()
        var waiting = "Listening"
        var messages: [String] = []
        /// When `e` was pressed: a second time ends the session.
        var asked: Date?
        var lost: Set<UUID> = []
    }

    init(printsEntries: Bool, endsWithSession: Bool) {
        self.printsEntries = printsEntries
        self.endsWithSession = endsWithSession
    }

    /// What stands there while there is no session.
    var waiting: String {
        get { state.withLock { $0.waiting } }
        set { state.withLock { $0.waiting = newValue } }
    }

    func note(_ line: String) {
        state.withLock { state in
            if state.messages.last != line { state.messages.append(line) }
            if state.messages.count > 20 { state.messages.removeFirst() }
        }
    }

    /// A session came, or came back. On its queue.
    func add(_ session: HKWorkoutSession) {
        let id = session.recorder.id
        let isNew = state.withLock { state in
            if state.session !== session { state.heartRates = HeartRateHistory() }
            state.session = session
            state.lost.remove(id)
            return state.known.insert(id).inserted || session.delegate == nil
        }
        say(isNew ? "began" : "back", session)
        guard isNew else { return note("back: \(peer(of: session))") }
        note("mirrored from \(peer(of: session))")
        session.delegate = self
        session.associatedWorkoutBuilder().delegate = self
        guard printsEntries else { return }
        let printer = EntryPrinter(session: id) { [weak self, weak session] in
            if let session { self?.say("began", session) }
        }
        session.recorder.enqueue { $0.attach(printer) }
    }

    private func peer(of session: HKWorkoutSession) -> String {
        session.origin?.peer ?? "another machine"
    }

    private func say(_ event: String, _ session: HKWorkoutSession, reason: String? = nil) {
        guard printsEntries else { return }
        print(
            JSONText.object([
                ("session", .string(session.recorder.id.uuidString)), ("mirror", .string(event)),
                ("peer", session.origin.map { .string($0.peer) }), ("reason", reason.map { .string($0) }),
            ]).text)
        fflush(nil)
    }

    // MARK: The view

    /// Of the newest session; nil while there is none.
    var shown: LiveSnapshot? {
        let (session, heartRates, messages) = state.withLock { ($0.session, $0.heartRates, $0.messages) }
        guard let session else { return nil }
        var snapshot = LiveSnapshot(mirrored: session, heartRates)
        snapshot.messages = messages
        return snapshot
    }

    var snapshot: LiveSnapshot {
        if let shown { return shown }
        var snapshot = LiveSnapshot()
        snapshot.isMirrored = true
        (snapshot.activity, snapshot.messages) = state.withLock { ($0.waiting, $0.messages) }
        return snapshot
    }

    func press(_ key: Key) {
        let session = state.withLock { $0.session }
        switch key {
        case .character("q"), .character("Q"), .control("c"): quit()
        case .character("p"), .character("P"): session?.pause()
        case .character("r"), .character("R"): session?.resume()
        case .character("l"), .character("L"): session.map(lap)
        case .character("e"), .character("E"): session.map(askToEnd)
        default: break
        }
    }

    private func lap(_ session: HKWorkoutSession) {
        let end = session.recorder.now
        let start = session.recorder.read { state in
            state.events.last { $0.kind == .lap }?.end ?? state.workoutStart
        }
        guard let start, end > start else { return }
        let lap = HKWorkoutEvent(type: .lap, dateInterval: DateInterval(start: start, end: end), metadata: nil)
        session.associatedWorkoutBuilder().addWorkoutEvents([lap]) { [weak self] _, error in
            if let error { self?.note(CommandFailure.describe(error)) }
        }
    }

    private func askToEnd(_ session: HKWorkoutSession) {
        let now = Date()
        let isSure = state.withLock { state in
            let isSure = state.asked.map { now.timeIntervalSince($0) < 5 } ?? false
            state.asked = isSure ? nil : now
            return isSure
        }
        guard isSure else { return note("press e once more to end the session on \(peer(of: session))") }
        // The other machine's program finishes the workout when it has stopped.
        if session.state == .stopped { session.end() } else { session.stopActivity(with: nil) }
    }

    func quit() { over.continuation.finish() }

    /// Returns when the view is quit, or when a session has ended and that is enough.
    func untilOver() async {
        for await _ in over.stream {}
    }
}

extension MirrorBoard: HKWorkoutSessionDelegate {
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {}

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
        note(CommandFailure.describe(error))
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?
    ) {
        let reason = error.map(CommandFailure.describe)
        let isOver = workoutSession.origin == nil || error == nil
        note(reason ?? "the mirroring has ended")
        // What was to be stored is stored on the same queue, before this.
        workoutSession.recorder.enqueue { [self] _ in
            say(isOver ? "ended" : "lost", workoutSession, reason: reason)
            if isOver, endsWithSession { quit() }
        }
    }
}

extension MirrorBoard: HKLiveWorkoutBuilderDelegate {
    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        guard let latest = workoutBuilder.latestHeartRate(among: collectedTypes) else { return }
        state.withLock { $0.heartRates.add(latest.beatsPerMinute, at: latest.date) }
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
}

/// Prints each entry of a log as one JSON object.
private struct EntryPrinter: SessionLogSink {
    var session: UUID
    /// Says that the log begins, once more.
    var began: @Sendable () -> Void

    func append(_ entry: SessionEntry) {
        var encoder = SessionLogEncoder()
        guard (try? encoder.append(entry)) != nil else { return }
        let line = String(decoding: encoder.bytes.dropLast(), as: UTF8.self)
        print("{\"session\":\"\(session.uuidString)\",\"entry\":\(line)}")
        fflush(nil)
    }

    func commit() {}
    func finish() {}
    func beginAnew() { began() }
}
