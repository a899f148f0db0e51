import Mirroring
import Recordings
import Synchronization

/// Whether a machine to which a session is mirrored is there.
package struct CompanionStanding: Sendable, Equatable {
    package var name: String
    package var isConnected: Bool
    /// Why it is not, where that is known.
    package var reason: String?
}

/// How far each companion is: what it has had, and what was done for it.
extension SessionMirror {
    struct Companion: Equatable {
        /// How many pieces of data it has had, or was not there for.
        var received = 0
        /// How far what it asked for was done.
        var done: MirrorPosition?
    }

    func connected(_ peer: Peer, _ recorder: isolated WorkoutRecorder) {
        let (waiting, missed) = state.withLock { state in
            state.connected.insert(peer.fingerprint)
            state.names[peer.fingerprint] = peer.name
            state.isLost = false
            state.reasons = [:]
            defer { state.waiting = [:] }
            let isNew = state.companions[peer.fingerprint] == nil
            // What was sent before it came was for others.
            return (state.waiting, isNew ? state.crossing.data.count { $0 <= state.greeted } : nil)
        }
        for continuation in waiting.values { continuation.resume() }
        if let missed { note(peer, recorder) { $0.received = missed } }
    }

    /// The machines that are or were there, ordered by name; before any was, the addresses where one is looked for.
    var standings: [CompanionStanding] {
        state.withLock { state in
            let met = state.names.map { fingerprint, name in
                CompanionStanding(
                    name: name, isConnected: state.connected.contains(fingerprint), reason: state.reasons[name])
            }
            guard met.isEmpty else { return met.sorted { $0.name < $1.name } }
            return addresses.map {
                let address = $0.address.description
                return CompanionStanding(name: address, isConnected: false, reason: state.reasons[address])
            }
        }
    }

    /// Says in the log for whom the session is begun: a process that delivers the rest of it delivers it to nobody else.
    func noteAwaited(_ recorder: isolated WorkoutRecorder) {
        // Nothing follows the end of a session.
        guard recorder.read({ $0.phase != .ended }) else { return }
        for address in addresses {
            let fingerprint = address.fingerprint ?? (try? host.peers.peer(at: address.address))?.fingerprint
            let name = fingerprint?.description ?? address.address.description
            guard state.withLock({ !$0.crossing.awaited.contains(name) }) else { continue }
            recorder.append(.companion(.awaited(name)), at: recorder.log.lastDate ?? recorder.now)
        }
    }

    func acknowledged(_ through: UInt64, by peer: Peer, _ recorder: isolated WorkoutRecorder) {
        let received = state.withLock { state -> Int? in
            guard let known = state.companions[peer.fingerprint]?.received, known >= 0,
                known < state.crossing.data.count, state.crossing.data[known] <= through
            else { return nil }
            return state.crossing.data[known...].prefix { $0 <= through }.endIndex
        }
        if let received { note(peer, recorder) { $0.received = received } }
    }

    func take(
        _ lines: [[UInt8]], _ first: UInt64, of peer: Peer, _ recorder: isolated WorkoutRecorder
    ) {
        var decoder = SessionLogDecoder()
        var data: [Data] = []
        for (offset, line) in lines.enumerated() {
            var wishes: [SessionEntry] = []
            try? decoder.decode(line, into: &wishes)
            for wish in wishes {
                if case .remoteData(let bytes) = wish.content {
                    data.append(bytes)
                } else {
                    recorder.received(data)
                    data = []
                    // Before it is done: who is killed in between has not done it, which its owner sees, rather than twice.
                    note(peer, recorder) { $0.done?.through = first &+ UInt64(offset) }
                    recorder.grant(wish)
                }
            }
        }
        guard !data.isEmpty else { return }
        recorder.received(data)
        note(peer, recorder) { $0.done?.through = first &+ UInt64(lines.count - 1) }
    }

    /// Changes what is known of a companion, here and in the log, where a process that recovers the session finds it.
    private func note(
        _ peer: Peer, _ recorder: isolated WorkoutRecorder, _ change: (inout Companion) -> Void
    ) {
        let changed = state.withLock { state -> Companion? in
            let known = state.companions[peer.fingerprint]
            var companion = known ?? Companion()
            change(&companion)
            state.companions[peer.fingerprint] = companion
            return companion == known ? nil : companion
        }
        // Nothing follows the end of a session.
        guard let changed, recorder.read({ $0.phase != .ended }) else { return }
        recorder.append(
            .companion(
                CompanionProgress(
                    companion: peer.fingerprint.description, received: changed.received,
                    done: changed.done.map { .init(log: $0.log, through: Int(clamping: $0.through)) })),
            // Says nothing of the workout, so whoever takes the last date of a log for its end finds the one of before.
            at: recorder.log.lastDate ?? recorder.now)
    }
}

extension MirrorPosition {
    init?(_ progress: CompanionProgress) {
        guard let done = progress.done, let through = UInt64(exactly: done.through) else { return nil }
        self.init(log: done.log, through: through)
    }
}
