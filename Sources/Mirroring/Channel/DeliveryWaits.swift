#if Mirroring
import NIOCore

/// Callers that wait until everything was delivered. A wait ends early if no peer accepts anything for its limit. A connected peer
/// may be busy saving, so it gets ``roundsWhileConnected`` times the limit.
///
/// @unchecked Sendable: only used on the reactor's loop.
final class DeliveryWaits: @unchecked Sendable {
    static let roundsWhileConnected = 20

    private struct Wait {
        let limit: TimeAmount
        let loop: any EventLoop
        let isThere: @Sendable () -> Bool
        let report: @Sendable (Bool) -> Void
        var deadline: Scheduled<Void>
        /// How often the limit passed since a peer accepted something.
        var rounds = 0
    }

    private var waits: [Int: Wait] = [:]
    private var ticket = 0

    /// Adds a wait. `report` is called with the outcome, or with false after the limit. `isThere` returns whether a
    /// peer that lacks entries is connected.
    func add(
        within limit: TimeAmount, on loop: any EventLoop, while isThere: @escaping @Sendable () -> Bool,
        _ report: @escaping @Sendable (Bool) -> Void
    ) {
        ticket += 1
        let deadline = deadline(of: ticket, in: limit, on: loop)
        waits[ticket] = Wait(limit: limit, loop: loop, isThere: isThere, report: report, deadline: deadline)
    }

    /// Extends the waits, because a peer has accepted something: it is slow, but alive.
    func prolong() {
        for (ticket, wait) in waits {
            wait.deadline.cancel()
            waits[ticket]?.deadline = deadline(of: ticket, in: wait.limit, on: wait.loop)
            waits[ticket]?.rounds = 0
        }
    }

    /// Reports the outcome. Also cancels the deadlines, which would keep the whole channel alive.
    func notify(_ isDelivered: Bool) {
        let ended = waits.values
        waits = [:]
        for wait in ended {
            wait.deadline.cancel()
            wait.report(isDelivered)
        }
    }

    private func deadline(of ticket: Int, in limit: TimeAmount, on loop: any EventLoop) -> Scheduled<Void> {
        loop.scheduleTask(in: limit) { self.passed(ticket) }
    }

    private func passed(_ ticket: Int) {
        guard var wait = waits.removeValue(forKey: ticket) else { return }
        wait.rounds += 1
        guard wait.rounds < Self.roundsWhileConnected, wait.isThere() else { return wait.report(false) }
        wait.deadline = deadline(of: ticket, in: wait.limit, on: wait.loop)
        waits[ticket] = wait
    }
}
#endif
