#if Bluetooth
import DBus
import Foundation

/// A connection to the bus together with the tree of BlueZ's objects as this connection hears of it.
///
/// There is no order between two connections, so each link has a mirror of its own: what it hears of its device comes
/// in one order with the values.
@BusActor
final class BlueZMirror {
    enum Scope {
        /// Adapters and devices; no values.
        case everything
        /// The device of this path, with its values.
        case device(String)
    }

    let connection: DBusConnection
    private let timings: BlueZTimings
    private(set) var tree = BlueZObjectTree()
    /// Told of everything that happens, after the tree has taken it over.
    var onEvent: ((BlueZObjectTree.Event, Date) -> Void)?
    /// Whether the connection to the bus ended by itself.
    private(set) var isLost = false
    private let waiters = BusWaiters()
    private var loading: Task<Void, Never>?

    /// Subscribes before it reads, so that nothing falls in between.
    ///
    /// - Throws: what the bus answered. That bluetoothd does not run is no error: its tree is not loaded then.
    init(_ scope: Scope, address: String, timings: BlueZTimings) async throws(DBusCallError) {
        self.timings = timings
        connection = try await DBusConnection.open(address, atMost: timings.bus)
        connection.onSignal = { [weak self] signal, date in self?.handle(signal, date) }
        connection.onLost = { [weak self] in self?.lose() }
        do throws(DBusCallError) {
            for rule in Self.rules(scope) { try await connection.addMatch(rule, atMost: timings.bus) }
            try await load()
        } catch {
            connection.close()
            throw error
        }
    }

    func close() {
        loading?.cancel()
        connection.close()
        waiters.fail(.disconnected("the connection to the bus was closed"))
        onEvent = nil
    }

    /// Waits until the tree, or something else that is looked at here, is as it should be.
    func wait<Value: Sendable>(
        atMost limit: Duration, until condition: @escaping @BusActor () -> Value?
    ) async throws(DBusCallError) -> Value {
        guard connection.isOpen else { throw .disconnected("the connection to the bus is closed") }
        return try await waiters.wait(atMost: limit, until: condition)
    }

    /// Has those who wait look again, since something changed that is not in the tree.
    func recheckWaiters() { waiters.recheck() }

    @discardableResult
    func call(
        _ path: String, _ interface: String, _ member: String, _ body: [DBusValue] = [], atMost limit: Duration
    ) async throws(DBusCallError) -> [DBusValue] {
        var message = DBusMessage.call(BlueZ.service, path, interface, member)
        message.body = body
        return try await connection.call(message, atMost: limit).body
    }

    func set(_ path: String, _ interface: String, _ property: String, _ value: DBusValue) async throws(DBusCallError) {
        try await call(
            path, BlueZ.properties, "Set", [.string(interface), .string(property), .variant(value)],
            atMost: timings.call)
    }

    /// Ends whatever has come about of a link to a device, also in a task that is cancelled.
    func hangUp(_ device: String) async {
        await Task {
            guard tree.devices[device] != nil else { return }
            // Also when no link is there: a `Connect` may still be waiting for the device.
            _ = try? await call(device, BlueZ.device, "Disconnect", atMost: timings.disconnect)
            _ = try? await wait(atMost: timings.disconnect) { [self] in
                tree.devices[device]?.isConnected != true ? true : nil
            }
        }.value
    }

    private static func rules(_ scope: Scope) -> [String] {
        let service = "type='signal',sender='\(BlueZ.service)'"
        let changes = "\(service),interface='\(BlueZ.properties)',member='PropertiesChanged'"
        let always = [
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                + "member='NameOwnerChanged',arg0='\(BlueZ.service)'",
            "\(service),interface='\(BlueZ.objectManager)'",
        ]
        switch scope {
        case .everything:
            // Told by interface, so that the values of all links do not come here too.
            return always + [BlueZ.adapter, BlueZ.device].map { "\(changes),arg0='\($0)'" }
        case .device(let path):
            return always + [
                "\(changes),path_namespace='\(path)'",
                "\(changes),arg0='\(BlueZ.adapter)'",
                "\(service),interface='\(BlueZ.device)',member='Disconnected',path='\(path)'",
            ]
        }
    }

    private func handle(_ signal: DBusMessage, _ date: Date) {
        let generation = tree.generation
        publish(tree.apply(signal), date)
        if tree.generation != generation, tree.owner != nil {
            loading?.cancel()
            loading = Task { try? await self.load() }
        }
    }

    private func load() async throws(DBusCallError) {
        if tree.owner == nil {
            do throws(DBusCallError) {
                try await connection.call(
                    .bus("GetNameOwner", .string(BlueZ.service)), atMost: timings.bus,
                    inOrder: { [weak self] reply in
                        guard let self else { return }
                        publish(tree.ownerChanged(to: reply.body.first?.asString), Date())
                    })
            } catch {
                if error.is("NameHasNoOwner") { return }
                throw error
            }
        }
        try await connection.call(
            .call(BlueZ.service, "/", BlueZ.objectManager, "GetManagedObjects"), atMost: timings.call,
            inOrder: { [weak self] reply in
                guard let self else { return }
                publish(tree.load(reply.body.first ?? .strings([]), from: reply.sender), Date())
            })
    }

    private func publish(_ events: [BlueZObjectTree.Event], _ date: Date) {
        for event in events { onEvent?(event, date) }
        waiters.recheck()
    }

    private func lose() {
        isLost = true
        loading?.cancel()
        publish(tree.ownerChanged(to: nil), Date())
        waiters.fail(.disconnected("the bus closed the connection"))
    }
}
#endif
