#if Bluetooth
import DBus
import Foundation

/// A connection to the bus with the tree of BlueZ's objects as this connection sees it.
///
/// Signals of two connections have no common order. So each link has a mirror of its own, in which changes of its
/// device and values come in one order.
@BusActor
final class BlueZMirror {
    enum Scope {
        /// Adapters and devices, without values.
        case everything
        /// The device with this path, with its values.
        case device(String)
    }

    let connection: DBusConnection
    private let timings: BlueZTimings
    private(set) var tree = BlueZObjectTree()
    /// Called for every event, after the tree was updated.
    var onEvent: ((BlueZObjectTree.Event, Date) -> Void)?
    /// Whether the connection to the bus was lost.
    private(set) var isLost = false
    private let waiters = BusWaiters()
    private var loading: Task<Void, Never>?

    /// Subscribes before it reads, so that no change is missed.
    ///
    /// - Throws: The error of the bus. It is not an error if bluetoothd is not running; its tree is then not loaded.
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

    /// Waits until a condition of the tree, or of other state, holds.
    func wait<Value: Sendable>(
        atMost limit: Duration, until condition: @escaping @BusActor () -> Value?
    ) async throws(DBusCallError) -> Value {
        guard connection.isOpen else { throw .disconnected("the connection to the bus is closed") }
        return try await waiters.wait(atMost: limit, until: condition)
    }

    /// Checks the waiting conditions again, after a change outside the tree.
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

    /// Ends any link or connection attempt to a device, even in a cancelled task.
    func hangUp(_ device: String) async {
        await Task {
            guard tree.devices[device] != nil else { return }
            // Even without a link, because a `Connect` may still be waiting for the device.
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
            // By interface, so that the values of all links do not come here too.
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
