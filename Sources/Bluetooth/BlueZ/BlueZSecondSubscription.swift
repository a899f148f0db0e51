import DBus

/// One more subscription to a characteristic, on a connection of its own, for as long as it takes to see what changes.
@BusActor
final class BlueZSecondSubscription {
    private let connection: DBusConnection
    private let path: String
    private let limit: Duration

    init(to path: String, busAddress: String, timings: BlueZTimings) async throws(DBusCallError) {
        self.path = path
        limit = timings.call
        connection = try await DBusConnection.open(busAddress, atMost: timings.bus)
        do throws(DBusCallError) {
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

    /// Without waiting: bluetoothd ends what a closed connection had.
    func drop() { connection.close() }
}
