import NIOCore

/// Those who wait until everything was delivered, each for so long.
///
/// @unchecked Sendable: touched on the reactor's loop only.
final class DeliveryWaits: @unchecked Sendable {
    private var waits: [Int: (report: @Sendable (Bool) -> Void, deadline: Scheduled<Void>)] = [:]
    private var ticket = 0

    /// `report` hears what is told, or false when the time is over.
    func add(within limit: TimeAmount, on loop: any EventLoop, _ report: @escaping @Sendable (Bool) -> Void) {
        ticket += 1
        let ticket = ticket
        let deadline = loop.scheduleTask(in: limit) {
            if let wait = self.waits.removeValue(forKey: ticket) { wait.report(false) }
        }
        waits[ticket] = (report, deadline)
    }

    /// Deadlines end here, too: what waits holds on to a whole channel.
    func tell(_ isDelivered: Bool) {
        let told = waits.values
        waits = [:]
        for (report, deadline) in told {
            deadline.cancel()
            report(isDelivered)
        }
    }
}
