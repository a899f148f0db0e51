#if Bluetooth
import CBlueZ
import DBus
import Foundation

/// A second subscription to a characteristic, on a connection of its own, for as long as it takes to see its effect.
///
/// There is only one at a time on a bus: two programs that measure at once would each see the other's subscription too.
@BusActor
final class BlueZSecondSubscription {
    private let connection: DBusConnection
    private let path: String
    private let limit: Duration
    private let turn: SystemWideLock

    /// - Throws: An error of the bus, also if the lock was not free within `timings.probe`.
    init(to path: String, busAddress: String, timings: BlueZTimings) async throws(DBusCallError) {
        self.path = path
        limit = timings.call
        connection = try await DBusConnection.open(busAddress, atMost: timings.bus)
        do throws(DBusCallError) {
            let bus = try await connection.call(.bus("GetId"), atMost: timings.bus).body.first?.asString ?? ""
            turn = try await SystemWideLock.wait("openhealthkit\(path)@\(bus)", timings)
            try await connection.call(
                .call(BlueZ.service, path, BlueZ.characteristic, "StartNotify"), atMost: limit)
        } catch {
            connection.close()
            throw error
        }
    }

    func end() async {
        _ = try? await connection.call(
            .call(BlueZ.service, path, BlueZ.characteristic, "StopNotify"), atMost: limit)
        connection.close()
    }

    /// Closes the connection without waiting: bluetoothd ends its subscriptions.
    func drop() { connection.close() }
}

/// A lock that one program of a machine can hold: the name of an abstract socket, which is released with its holder.
private final class SystemWideLock {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    static func wait(_ name: String, _ timings: BlueZTimings) async throws(DBusCallError) -> SystemWideLock {
        let start = ContinuousClock.now
        while true {
            if let turn = acquire(name) { return turn }
            guard start.duration(to: .now) < timings.probe else { throw .timedOut }
            await BusWaiters.pause(timings.requestRetryPause)
        }
    }

    /// Returns nil while another process holds it.
    static func acquire(_ name: String) -> SystemWideLock? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = [0] + Array(name.utf8.prefix(MemoryLayout.size(ofValue: address.sun_path) - 1))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        guard withSocketAddress(&address, { socketAddress, _ in bind(descriptor, socketAddress, length) }) == 0 else {
            close(descriptor)
            return nil
        }
        return SystemWideLock(descriptor: descriptor)
    }

    deinit { close(descriptor) }
}
#endif
