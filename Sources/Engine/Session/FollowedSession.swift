package import Foundation
package import Mirroring
package import SessionLog
import Synchronization

/// A session that runs on another machine. It receives the session's log, and sends the requests of apps on this
/// machine. Performs the effects of ``FollowState``.
///
/// Everything happens on the recorder's queue, so apps see entries, data and losses in one order.
package final class FollowedSession: Sendable {
    package let id: UUID
    /// The machine on which it runs.
    package let origin: PeerFingerprint
    package let recorder: WorkoutRecorder
    /// The session that apps have. Kept as long as the mirroring may come back, so that apps get the same one again.
    package let session: any SessionObserver<SessionNotice>
    private let handler: @Sendable (FollowedSession, Event) throws -> Void
    private let held: Mutex<Held>

    private struct Held {
        var state: FollowState
        var channel: MirrorChannel?
        /// The number of channels so far.
        var channels = 0
    }

    /// What this machine has to do for the session.
    package enum Event {
        /// Give the session to the app, or give it again.
        case announce
        /// Save the finished workout. An error reaches the session's delegate.
        case save
        /// Check whether other sessions were away for too long.
        case expireOthers
        case report(String)
        /// Remove the session.
        case forget
    }

    /// - Parameters:
    ///   - own: This machine's fingerprint, as the primary knows it.
    ///   - taken: The value of ``taken`` when this process followed the session earlier.
    ///   - folder: A folder for the session's log in the meantime. Nil for memory.
    ///   - makeSession: Makes the session that apps get.
    ///   - handler: Called on the recorder's queue.
    package init(
        _ greeting: MirrorGreeting, _ header: SessionHeader, from peer: Peer, to own: PeerFingerprint, taken: [Int],
        logFolder folder: URL?, time: any TimeSource, context: TaskContext?,
        makeSession: (WorkoutRecorder) -> any SessionObserver<SessionNotice>,
        handler: @escaping @Sendable (FollowedSession, Event) throws -> Void
    ) {
        id = greeting.session
        origin = peer.fingerprint
        self.handler = handler
        recorder = WorkoutRecorder(
            following: header, clock: FollowedClock(pace: greeting.pace, date: greeting.now, wall: time.now()),
            logFolder: folder, time: time, context: context)
        session = makeSession(recorder)
        held = Mutex(
            Held(state: FollowState(greeting.session, from: peer, to: own, requests: UUID(), taken: taken)))
        recorder.enqueue { [weak self] in
            $0.remote.send = { [weak self] entry in
                guard let self else { throw FollowLoss.over.error }
                try self.send(entry)
            }
        }
    }

    /// Returns the channel that answers an offer, and replaces an earlier one. Returns nil for a delayed offer.
    package func channel(for offer: MirrorOffer) -> MirrorChannel? {
        let recorder = recorder
        let answer = held.withLock { held -> (channel: MirrorChannel, old: MirrorChannel?)? in
            guard !held.state.isLate(offer.arrival) else { return nil }
            held.channels += 1
            let number = held.channels
            _ = held.state.handle(.answered(channel: number, arrival: offer.arrival))
            let requests = held.state.requests
            let channel = MirrorChannel(
                id: offer.channel,
                source: .kept(log: requests.log, count: requests.count) { [weak self] in
                    self?.requests(from: $0, bytes: $1) ?? []
                },
                delivery: .scheduled(by: { recorder.schedule($0) }) { [weak self] event in
                    self?.handle(.received(event, channel: number, wall: recorder.time.wall()))
                })
            let old = held.channel
            held.channel = channel
            return (channel, old)
        }
        answer?.old?.close()
        return answer?.channel
    }

    /// The current state.
    private var state: FollowState { held.withLock { $0.state } }

    // MARK: To the primary

    /// Sends a request to the primary, or data for its app. If the primary is out of reach, it gets it later.
    private func send(_ entry: SessionEntry) throws {
        let now = recorder.time.now()
        do {
            try held.withLock { held in
                for case .send(let line) in try held.state.ask(entry, at: now) { held.channel?.append(line) }
            }
        } catch let loss as FollowLoss {
            throw loss.error
        }
    }

    /// Called on the network thread when requests are sent again.
    private func requests(from number: UInt64, bytes: Int) -> [[UInt8]] {
        let now = recorder.time.now()
        let (lines, effects) = held.withLock { $0.state.resend(from: number, bytes: bytes, at: now) }
        if !effects.isEmpty { recorder.schedule { [self] in effects.forEach(perform) } }
        return lines
    }

    // MARK: Effects

    /// Handles an input. Runs on the recorder's queue.
    private func handle(_ input: FollowState.Input) {
        let effects = held.withLock { held in
            let effects = held.state.handle(input)
            if effects.contains(.forget) {
                // The peer of a refused channel gets the reason. It is no longer used.
                if effects.contains(.close) { held.channel?.close() }
                for case .refuse(let peer, let reason) in effects { held.channel?.refuse(peer, reason: reason) }
                held.channel = nil
            }
            return effects
        }
        effects.forEach(perform)
    }

    private func perform(_ effect: FollowState.Effect) {
        recorder.assumeIsolated { recorder in
            switch effect {
            case .beginAnew(let pace, let now, let keepsKnown):
                recorder.beginAnew(
                    clock: FollowedClock(pace: pace, date: now, wall: recorder.time.now()), keepsKnown: keepsKnown)
            case .followSilently(let entries): recorder.followSilently(entries)
            case .follow(let entries): recorder.follow(entries)
            case .hand(let data): recorder.received(data)
            case .notifyDifferences: recorder.notifyDifferences()
            // An app may block in its handler, as in any other callback.
            case .announce: recorder.notify { [self] in emit(.announce) }
            case .save: emit(.save)
            case .wake(let alarm, let seconds): wake(alarm, after: seconds)
            case .expireOthers: emit(.expireOthers)
            case .notify(let loss): session.notify(.disconnected(loss?.error))
            case .failed(let request): session.notify(.failed(request.error))
            case .report(let line): emit(.report(line))
            case .forget:
                recorder.remote.send = nil
                emit(.forget)
            case .send, .close, .refuse: break
            }
        }
    }

    private func emit(_ event: Event) {
        do { try handler(self, event) } catch { session.notify(.failed(error)) }
    }

    private func wake(_ alarm: FollowState.Alarm, after seconds: TimeInterval) {
        let time = recorder.time
        Task { [weak self] in
            try? await time.sleep(until: time.now() + seconds)
            guard let self else { return }
            recorder.schedule { [self] in handle(.rang(alarm)) }
        }
    }

    /// Stops waiting for the primary.
    package func expire() { recorder.schedule { [self] in handle(.expired) } }

    // MARK: Present state

    package var isOver: Bool { state.phase == .over }

    /// When the primary went away. Nil while it is connected.
    package var lostSince: Date? { state.lostSince }

    /// The hashes of received data, by position among the log's data, so that no app of this process gets one twice.
    package var taken: [Int] { state.taken }

    /// The date of this machine's clock.
    package var wall: Date { recorder.time.wall() }

    /// Whether the primary's machine is connected at present.
    package var isConnected: Bool { state.contact == .there }

    /// The name of the other machine.
    package var peerName: String { state.peer }
}
