#if Mirroring
import NIOCore

/// Those who wait until everything was delivered, each as long as a peer takes something more every so often. One that is
/// connected and takes nothing may be saving what it has: it is waited for ``roundsWhileConnected`` times as long.
///
/// @unchecked Sendable: touched on the reactor's loop only.
final class DeliveryWaits: @unchecked Sendable {
    static let roundsWhileConnected = 20

    private struct Wait {
        let limit: TimeAmount
        let loop: any EventLoop
        let isThere: @Sendable () -> Bool
        let report: @Sendable (Bool) -> Void
        var deadline: Scheduled<Void>
        /// How often the limit passed since something was taken.
        var rounds = 0
    }

    private var waits: [Int: Wait] = [:]
    private var ticket = 0

    /// `report` hears what is told, or false when nothing was taken for so long. `isThere` says whether a peer that lacks
    /// something is connected.
    func add(
        within limit: TimeAmount, on loop: any EventLoop, while isThere: @escaping @Sendable () -> Bool,
        _ report: @escaping @Sendable (Bool) -> Void
    ) {
        ticket += 1
        let deadline = deadline(of: ticket, in: limit, on: loop)
        waits[ticket] = Wait(limit: limit, loop: loop, isThere: isThere, report: report, deadline: deadline)
    }

    /// A peer has taken something: it is slow, not gone.
    func prolong() {
        for (ticket, wait) in waits {
            wait.deadline.cancel()
            waits[ticket]?.deadline = deadline(of: ticket, in: wait.limit, on: wait.loop)
            waits[ticket]?.rounds = 0
        }
    }

    /// Deadlines end here, too: what waits holds on to a whole channel.
    func notify(_ isDelivered: Bool) {
        let told = waits.values
        waits = [:]
        for wait in told {
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
