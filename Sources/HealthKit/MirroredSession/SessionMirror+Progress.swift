import Mirroring
import Recordings

/// Whether a machine to which a session is mirrored is there.
package struct CompanionStanding: Sendable, Equatable {
    package var name: String
    package var isConnected: Bool
    /// Why it is not, where that is known.
    package var reason: String?
}

extension SessionMirror {
    /// The machines that are or were there, ordered by name; before any was, the addresses where one is looked for.
    var standings: [CompanionStanding] {
        let state = state
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

    /// Says in the log for whom the session is begun: a process that delivers the rest of it delivers it to nobody else.
    func noteAwaited(_ recorder: isolated WorkoutRecorder) {
        for address in addresses {
            let fingerprint = address.fingerprint ?? (try? host.peers.peer(at: address.address))?.fingerprint
            let name = fingerprint?.description ?? address.address.description
            if !state.crossing.awaited.contains(name) { recorder.note(.awaited(name)) }
        }
    }
}

extension WorkoutRecorder {
    /// Says in the log how far a companion is.
    func note(_ progress: CompanionProgress) {
        // Nothing follows the end of a session.
        guard read({ $0.phase != .ended }) else { return }
        // Says nothing of the workout, so whoever takes the last date of a log for its end finds the one of before.
        append(.companion(progress), at: log.lastDate ?? now)
    }
}
