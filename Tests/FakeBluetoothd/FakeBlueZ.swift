import Bluetooth
package import DBus
package import PrivateBus
package import Testing

/// An `org.bluez` on a private bus that behaves as bluetoothd does, unless a script says otherwise.
///
/// Scans, subscriptions and agents belong to the caller's connection, as bluetoothd's do.
@BusActor
package final class FakeBlueZ {
    package enum Answer: Sendable {
        case ok([DBusValue] = [])
        case error(String, String)
        case never
        /// What it does on its own.
        case usual
    }

    package typealias Objects = [String: [String: [String: DBusValue]]]

    package let bus: PrivateBus
    package internal(set) var connection: DBusConnection
    package internal(set) var objects: Objects = [:]
    /// Every call, as `Connect /org/bluez/hci0/dev_…`.
    package internal(set) var calls: [String] = []
    /// The filters that were set, in order.
    package internal(set) var filters: [[String: DBusValue]] = []
    /// The names of callers that scan.
    package internal(set) var scans: Set<String> = []
    /// The subscriptions: the characteristic's path and the caller's name.
    package internal(set) var subscriptions: Set<[String]> = []
    package internal(set) var agents: [String: String] = [:]
    /// The services that callers offer, with their described objects, by the callers' names.
    package internal(set) var applications: [String: Application] = [:]
    /// The advertisements, by the callers' names.
    package internal(set) var advertisements: [String: [String: DBusValue]] = [:]
    /// What applications have notified, in order.
    package internal(set) var notified: [(path: String, bytes: [UInt8])] = []
    /// What agents have answered. Scripts add to it.
    package var answers: [[DBusValue]] = []
    /// What to do on a call, by the call's name. Its answer is sent; `.usual` means the default.
    package var script: [String: @BusActor (DBusMessage) async -> Answer] = [:]
    /// What a device has once it is connected, signalled after the answer to `Connect`.
    package var services: [String: Objects] = [:]
    /// Checked after every call and signal.
    package let changed = BusWaiters()

    package static let limit = Duration.seconds(1800)

    /// On a new bus, with the adapter hci0 turned on.
    package init() async throws {
        bus = try await PrivateBus()
        connection = try await DBusConnection.open(bus.address, atMost: Self.limit)
        try await serve()
        add("/org/bluez", ["org.bluez.AgentManager1": [:]])
        addAdapter("hci0", "00:1A:7D:DA:71:10")
    }

    private func serve() async throws {
        connection.onCall = { [weak self] call in
            self?.take(call)
            return true
        }
        connection.onSignal = { [weak self] signal, _ in
            self?.takeNotification(signal)
            // When a connection closes, its sessions end.
            guard signal.member == "NameOwnerChanged", let name = signal.body.first?.asString,
                signal.body.last?.asString == ""
            else { return }
            self?.forgetSessions(of: name)
        }
        try await connection.addMatch(
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'", atMost: Self.limit)
        try await connection.addMatch(
            "type='signal',interface='org.freedesktop.DBus.Properties',path_namespace='/org/openhealthkit'",
            atMost: Self.limit)
        try await connection.call(.bus("RequestName", .string(BlueZ.service), .uint32(4)), atMost: Self.limit)
    }

    private func forgetSessions(of name: String) {
        scans.remove(name)
        subscriptions = subscriptions.filter { $0[1] != name }
        agents[name] = nil
        applications[name] = nil
        advertisements[name] = nil
        changed.recheck()
    }

    package func close() {
        // Most scripts hold a reference to the fake.
        script = [:]
        connection.close()
        bus.kill()
    }

    // MARK: The daemon

    /// Dies: its name, its objects and all sessions vanish, without signals about the objects.
    package func crash() {
        connection.close()
        scans = []
        subscriptions = []
        agents = [:]
        applications = [:]
        advertisements = [:]
        changed.recheck()
    }

    /// Comes back after ``crash()`` with the present objects.
    package func start(_ prepare: (FakeBlueZ) -> Void = { _ in }) async throws {
        connection = try await DBusConnection.open(bus.address, atMost: Self.limit)
        prepare(self)
        try await serve()
        changed.recheck()
    }

    package func reset() { objects = ["/org/bluez": ["org.bluez.AgentManager1": [:]]] }

    /// Waits until `condition` is true for the fake.
    package func wait(_ what: Comment, until condition: @escaping @BusActor () -> Bool) async throws {
        do throws(DBusCallError) {
            _ = try await changed.wait(atMost: Self.limit) { condition() ? true : nil }
        } catch {
            Issue.record("waited in vain: \(what); calls: \(calls)")
            throw error
        }
    }
}
