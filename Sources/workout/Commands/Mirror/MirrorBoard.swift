import Engine
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts
import Synchronization

/// The sessions that other machines mirror to this one. It receives them, shows one of them, and passes on keys.
final class MirrorBoard: NSObject, Sendable {
    /// How many ended sessions are kept.
    private static let endedLimit = 20

    private let printsEntries: Bool
    private let endsWithSession: Bool
    /// Returns whether a workout is stored here. Nil if none will be.
    private let isStored: (@Sendable (UUID) -> Bool)?
    /// Shows the sessions to browsers too.
    private let served: ServedSessions?
    private let state = Mutex(State())
    private let over = AsyncStream.makeStream(of: Void.self)

    private struct State {
        /// The sessions in order of arrival.
        var views: [MirroredView] = []
        var shown: UUID?
        var waiting: [String] = []
        var span = LiveSnapshot.CurveSpan.whole
        /// Messages that concern no session.
        var notes: [String] = []
        var failure: String?

        subscript(id: UUID?) -> Int? { views.firstIndex { $0.id == id } }
    }

    init(
        printsEntries: Bool, endsWithSession: Bool, isStored: (@Sendable (UUID) -> Bool)?,
        served: ServedSessions? = nil
    ) {
        self.served = served
        self.printsEntries = printsEntries
        self.endsWithSession = endsWithSession
        self.isStored = isStored
    }

    /// The lines shown while there is no session.
    var waiting: [String] {
        get { state.withLock { $0.waiting } }
        set { state.withLock { $0.waiting = newValue } }
    }

    /// Adds a message that concerns no session.
    func note(_ line: String) {
        state.withLock { state in
            if state.notes.last != line { state.notes = (state.notes + [line]).suffix(20) }
        }
    }

    private func note(_ line: String, of id: UUID) {
        state.withLock { state in
            if let index = state[id] { state.views[index].note(line) }
        }
    }

    /// The failure that decides the exit code.
    var failure: String? { state.withLock { $0.failure } }

    /// Adds a session that came, or came back. Runs on its queue.
    func add(_ session: HKWorkoutSession) {
        let id = session.recorder.id
        let view = MirroredView(session)
        let isNew = state.withLock { state in
            if let index = state[id], state.views[index].session === session {
                state.views[index].isLost = false
                return false
            }
            state.views.removeAll { $0.id == id }
            state.views.append(view)
            let ended = state.views.filter { $0.isOver && $0.id != state.shown }
            for old in ended.dropLast(Self.endedLimit) { state.views.removeAll { $0.id == old.id } }
            state.shown = id
            return true
        }
        note(isNew ? "mirrored from \(view.peer)" : "\(view.peer) is back", of: id)
        let printer = EntryPrinter(session: id, peer: view.peer)
        if printsEntries { printer.report(isNew ? .began : .back) }
        guard isNew else { return }
        session.delegate = self
        if printsEntries { session.recorder.enqueue { $0.attach(printer) } }
        session.recorder.enqueue { $0.attach(view.course) }
        if let served { serve(view, served) }
    }

    /// Shows the session to browsers, which request the same things as keys do.
    private func serve(_ view: MirroredView, _ served: ServedSessions) {
        let id = view.id
        let session = ServedSession(
            view.session.recorder, athlete: view.peer, view.course, changes: served.changes,
            show: { [weak self, session = view.session, course = view.course] in
                let view = self?.state.withLock { state in state[id].map { state.views[$0] } }
                return view?.snapshot(namesPeer: false) ?? LiveSnapshot(mirrored: session, course)
            },
            ask: { [weak self, session = view.session] control in
                switch control {
                case .start: break
                case .pause: self?.ask(session, .pause)
                case .resume: self?.ask(session, .resume)
                case .lap: self?.ask(session, .lap)
                case .end: self?.ask(session, .end)
                }
            },
            isOver: { [weak self] in
                self?.state.withLock { state in state[id].map { state.views[$0].isOver } } ?? true
            })
        served.add(session)
        view.session.recorder.enqueue { $0.add(session) }
    }

    // MARK: The view

    /// All sessions, oldest first, with the names of their machines.
    var snapshots: [(id: UUID, peer: String, snapshot: LiveSnapshot)] {
        state.withLock { $0.views }.map { ($0.id, $0.peer, $0.snapshot()) }
    }

    /// The session shown, or an empty snapshot while there is none.
    var snapshot: LiveSnapshot {
        let (view, running, notes, waiting, span) = state.withLock { state in
            (
                state[state.shown].map { state.views[$0] }, state.views.count { !$0.isOver }, state.notes,
                state.waiting,
                state.span
            )
        }
        var snapshot = view?.snapshot() ?? LiveSnapshot()
        snapshot.isMirrored = true
        snapshot.sessionCount = max(running, view == nil ? 0 : 1)
        snapshot.curveSpan = span
        if view == nil { snapshot.waiting = waiting }
        snapshot.messages = notes.suffix(2) + snapshot.messages
        return snapshot
    }

    /// The closing lines about ended sessions.
    var sentences: [String] {
        state.withLock { $0.views }.filter(\.isOver).map { $0.sentence(isStored: isStored?($0.id) == true) }
    }

    func press(_ key: Key) {
        switch key {
        case .character("q"), .character("Q"), .control("c"): quit()
        case .character("n"), .character("N"), .tab: showNext()
        case .character("t"), .character("T"): state.withLock { $0.span = $0.span.other }
        default:
            let (request, session) = state.withLock { state -> (MirroredView.Request?, HKWorkoutSession?) in
                guard let index = state[state.shown] else { return (nil, nil) }
                return (state.views[index].press(key, at: Date()), state.views[index].session)
            }
            if let session, let request { ask(session, request) }
        }
    }

    private func showNext() {
        state.withLock { state in
            let running = state.views.filter { !$0.isOver }.map(\.id)
            guard !running.isEmpty else { return }
            let place = running.firstIndex { $0 == state.shown } ?? -1
            state.shown = running[(place + 1) % running.count]
        }
    }

    private func ask(_ session: HKWorkoutSession, _ request: MirroredView.Request) {
        switch request {
        case .pause: session.pause()
        case .resume: session.resume()
        case .lap:
            let id = session.recorder.id
            session.endLap { [weak self] in self?.note(CommandFailure.describe($0), of: id) }
        // The other machine's program finishes the workout after it has stopped.
        case .end: if session.state == .stopped { session.end() } else { session.stopActivity(with: nil) }
        }
    }

    func quit() { over.continuation.finish() }

    /// Returns when the user quits the view. With `once`, also returns when a session has ended.
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
        note(CommandFailure.describe(error), of: workoutSession.recorder.id)
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?
    ) {
        let reason = error.map(CommandFailure.describe)
        let isOver = workoutSession.origin == nil || error == nil
        // The same queue has stored everything before this.
        workoutSession.recorder.enqueue { [self] _ in lost(workoutSession, reason, isOver: isOver) }
    }

    private func lost(_ session: HKWorkoutSession, _ reason: String?, isOver: Bool) {
        let id = session.recorder.id
        let view = state.withLock { state -> MirroredView? in
            guard let index = state[id] else { return nil }
            state.views[index].isLost = !isOver
            state.views[index].isOver = isOver
            state.views[index].note(reason ?? "mirroring has ended")
            // A session that runs is more important than one that has ended.
            if isOver, state.shown == id, let other = state.views.last(where: { !$0.isOver }) { state.shown = other.id }
            return state.views[index]
        }
        guard let view else { return }
        served?.changes.notify()
        if printsEntries { EntryPrinter(session: id, peer: view.peer).report(isOver ? .ended : .lost, reason: reason) }
        guard isOver else { return }
        if isStored?(id) == false, session.recorder.read({ $0.collection == .finished }) {
            state.withLock { $0.failure = "the workout \(id.uuidString) of \(view.peer) was not saved on this machine" }
        }
        if endsWithSession { quit() }
    }
}

/// Prints the entries of a mirrored log, and events of the mirroring, as one JSON object per line.
struct EntryPrinter: SessionLogSink {
    let session: UUID
    let peer: String

    /// Events of mirroring that are not in the log.
    enum Event: String {
        case began, back, lost, ended
    }

    func append(_ entry: SessionEntry) {
        var encoder = SessionLogEncoder()
        guard (try? encoder.append(entry)) != nil else { return }
        let line = String(decoding: encoder.bytes.dropLast(), as: UTF8.self)
        let json = PrintableText.ofJSON(line)
        Self.print("{\"session\":\"\(session.uuidString)\",\"entry\":\(json)}")
    }

    func beginAnew() { report(.began) }

    func report(_ event: Event, reason: String? = nil) {
        Self.print(
            JSONText.object([
                ("session", .string(session.uuidString)), ("mirror", .string(event.rawValue)),
                ("peer", .string(peer)), ("reason", reason.map { .string($0) }),
            ]).text)
    }

    private static func print(_ line: String) {
        CommandOutput.standard.print(line)
        CommandOutput.standard.flush()
    }
}
