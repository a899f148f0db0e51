import Foundation
import Mirroring
import SessionLog

/// The position of each companion: the data that it has received, and its requests that were carried out.
extension MirrorState {
    /// Records that a companion has handled entries. Data counts as received once the companion has all entries of the
    /// greeting. Before, no app gets any of it.
    mutating func acknowledged(_ through: UInt64, by peer: Peer) -> [Effect] {
        guard let known = companions[peer.fingerprint]?.received, through >= greeted[peer.fingerprint] ?? 0,
            known >= 0, known < crossing.data.count, crossing.data[known] <= through
        else { return [] }
        let received = crossing.data[known...].prefix { $0 <= through }.endIndex
        return note(peer) { $0.received = received }
    }

    /// Carries out a companion's requests, each once. An unreadable line is refused, and nothing after it is carried out.
    mutating func receive(_ requests: [[UInt8]], _ first: UInt64, of peer: Peer) -> [Effect] {
        guard !refused.contains(peer.fingerprint) else { return [] }
        var effects: [Effect] = []
        var data: [Data] = []
        var number = first
        func hand() -> [Effect] { data.isEmpty ? [] : [.hand(data)] }
        for line in requests {
            switch lines.read(line) {
            case .entry(let request):
                if case .remoteData(let bytes) = request.content {
                    data.append(bytes)
                } else {
                    effects += hand()
                    data = []
                    // Recorded before it is carried out: if the process is killed in between, the request is lost
                    // rather than carried out twice.
                    effects += note(peer) { $0.done?.through = number }
                    effects.append(.grant(request))
                }
            case .blank: break
            case .unknown:
                effects.append(
                    .report("\(peer.name) sent a request that this version does not know; it was ignored"))
            case .unreadable(let reason):
                refused.insert(peer.fingerprint)
                effects += hand()
                if !data.isEmpty { effects += note(peer) { $0.done?.through = number - 1 } }
                effects.append(.refuse(peer.fingerprint, reason: "request \(number) cannot be read: \(reason)"))
                return effects
            }
            number += 1
        }
        guard !data.isEmpty else { return effects }
        return effects + hand() + note(peer) { $0.done?.through = number - 1 }
    }

    /// Changes the position of a companion, here and in the log, where a process that recovers the session finds it.
    mutating func note(_ peer: Peer, _ change: (inout CompanionPosition) -> Void) -> [Effect] {
        let known = companions[peer.fingerprint]
        var companion = known ?? CompanionPosition()
        change(&companion)
        companions[peer.fingerprint] = companion
        guard companion != known else { return [] }
        return [
            .note(
                CompanionProgress(
                    companion: peer.fingerprint.description, received: companion.received,
                    done: companion.done.map { .init(log: $0.log, through: Int(clamping: $0.through)) }))
        ]
    }
}
