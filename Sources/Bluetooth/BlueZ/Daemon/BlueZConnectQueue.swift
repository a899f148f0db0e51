#if Bluetooth
import DBus

/// Lets one at a time begin to connect, in the order of asking.
@BusActor
final class BlueZConnectQueue {
    private let waiters = BusWaiters()
    private var holder: [String: Int] = [:]
    private var next = 0

    /// Waits for the turn at this adapter. It has to be given back.
    func take(_ adapter: String, atMost limit: Duration) async throws(DBusCallError) -> Int {
        try await waiters.wait(atMost: limit) { [self] in
            guard holder[adapter] == nil else { return nil }
            next += 1
            holder[adapter] = next
            return next
        }
    }

    /// Giving it back twice is once.
    func giveBack(_ turn: Int, _ adapter: String) {
        guard holder[adapter] == turn else { return }
        holder[adapter] = nil
        waiters.look()
    }
}
#endif
