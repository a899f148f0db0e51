#if Mirroring
import DBus

/// One search of the local network, on its own connection. Avahi's resources for it end with the connection.
@BusActor
final class AvahiBrowse {
    private var census = DiscoveredServices()
    private let isEnough: @Sendable (NearbyMachine) -> Bool
    private let changed = BusWaiters()
    private var failure: DBusCallError?
    private var browser: String?
    /// The connection of Avahi. Signals of others are ignored.
    private var daemon: String?

    init(isEnough: @escaping @Sendable (NearbyMachine) -> Bool) { self.isEnough = isEnough }

    func machines(on bus: String, within limit: Duration) async throws(DBusCallError) -> [NearbyMachine] {
        let connection = try await DBusConnection.open(bus, atMost: LocalNetwork.callLimit)
        defer { connection.close() }
        connection.onLost = { [self] in
            failure = .disconnected("the system bus stopped")
            changed.recheck()
        }
        connection.onSignal = { [self] signal, _ in handle(signal, connection) }
        try await connection.addMatch(Avahi.watchesSignals, atMost: LocalNetwork.callLimit)
        try await connection.addMatch(Avahi.watchesOwner, atMost: LocalNetwork.callLimit)
        var begin = Avahi.call(
            "/", Avahi.server, "ServiceBrowserNew", .int32(Avahi.any), .int32(Avahi.any), .string(Avahi.type),
            .string(""), .uint32(0))
        begin.startsService = true
        // The browser's first signals follow its reply at once. Its path distinguishes them from others.
        try await connection.call(begin, atMost: LocalNetwork.callLimit) { [self] reply in
            browser = reply.body.first?.asPath
            daemon = reply.sender
        }
        do throws(DBusCallError) {
            return try await changed.wait(atMost: limit) { [self] () -> Result<[NearbyMachine], DBusCallError>? in
                if let failure { return .failure(failure) }
                let machines = census.machines
                return census.isComplete || machines.contains(where: isEnough) ? .success(machines) : nil
            }.get()
        } catch .timedOut {
            // One machine did not answer, but others did.
            return census.machines
        }
    }

    private func handle(_ signal: DBusMessage, _ connection: DBusConnection) {
        switch signal.member {
        case _ where Avahi.owner(after: signal) == "": failure = .disconnected("Avahi ended")
        case _ where signal.interface != Avahi.browser || signal.path != browser || browser == nil: return
        case _ where signal.sender != daemon: return
        case "ItemNew": if let item = Avahi.Item(signal.body), census.appeared(item) { resolve(item, connection) }
        case "ItemRemove": if let item = Avahi.Item(signal.body) { census.vanished(item) }
        case "AllForNow": census.allForNow()
        case "Failure": failure = .answered(name: Avahi.browser, text: signal.body.first?.asString ?? "")
        default: return
        }
        changed.recheck()
    }

    private func resolve(_ item: Avahi.Item, _ connection: DBusConnection) {
        Task {
            let reply = try? await connection.call(item.resolve, atMost: LocalNetwork.callLimit)
            census.resolved(item, reply.flatMap { Avahi.Resolution($0.body) })
            changed.recheck()
        }
    }
}
#endif
