import NIOCore

/// Those who wait until everything was delivered, each as long as a peer takes something more every so often.
///
/// @unchecked Sendable: touched on the reactor's loop only.
final class DeliveryWaits: @unchecked Sendable {
    private struct Wait {
        let limit: TimeAmount
        let loop: any EventLoop
        let report: @Sendable (Bool) -> Void
        var deadline: Scheduled<Void>
    }

    private var waits: [Int: Wait] = [:]
    private var ticket = 0

    /// `report` hears what is told, or false when nothing was taken for so long.
    func add(within limit: TimeAmount, on loop: any EventLoop, _ report: @escaping @Sendable (Bool) -> Void) {
        ticket += 1
        let deadline = deadline(of: ticket, in: limit, on: loop)
        waits[ticket] = Wait(limit: limit, loop: loop, report: report, deadline: deadline)
    }

    /// A peer has taken something: it is slow, not gone.
    func prolong() {
        for (ticket, wait) in waits {
            wait.deadline.cancel()
            waits[ticket]?.deadline = deadline(of: ticket, in: wait.limit, on: wait.loop)
        }
    }

    /// Deadlines end here, too: what waits holds on to a whole channel.
    func tell(_ isDelivered: Bool) {
        let told = waits.values
        waits = [:]
        for wait in told {
            wait.deadline.cancel()
            wait.report(isDelivered)
        }
    }

    private func deadline(of ticket: Int, in limit: TimeAmount, on loop: any EventLoop) -> Scheduled<Void> {
        loop.scheduleTask(in: limit) {
            if let wait = self.waits.removeValue(forKey: ticket) { wait.report(false) }
        }
    }
}
