#if Mirroring
import DBus

/// Keeps one announcement at Avahi, on its own connection. When the connection closes, Avahi withdraws the announcement.
@BusActor
final class AvahiAnnouncer {
    private let announcement: Announcement
    private let report: @Sendable (String) -> Void
    private var state = AnnouncementState()
    private var name: String
    /// The path of the current entry group.
    private var group: String?
    /// The current connection of Avahi. Signals of others are ignored.
    private var daemon: String?

    init(_ announcement: Announcement, report: @escaping @Sendable (String) -> Void) {
        self.announcement = announcement
        self.report = report
        name = announcement.name
    }

    /// Announces. Returns when the task is cancelled or the bus is gone.
    func run(on bus: String) async {
        guard let connection = try? await DBusConnection.open(bus, atMost: LocalNetwork.callLimit) else { return }
        defer { connection.close() }
        let (events, continuation) = AsyncStream.makeStream(of: AnnouncementState.Event.self)
        connection.onLost = { continuation.finish() }
        connection.onSignal = { [self] signal, _ in if let event = event(signal) { continuation.yield(event) } }
        do throws(DBusCallError) {
            try await connection.addMatch(Avahi.watchesSignals, atMost: LocalNetwork.callLimit)
            try await connection.addMatch(Avahi.watchesOwner, atMost: LocalNetwork.callLimit)
            daemon = try await owner(on: connection)
            continuation.yield(.daemon(isThere: daemon != nil))
        } catch { return }
        // Runs until the task is cancelled.
        for await event in events {
            var next: AnnouncementState.Event? = event
            while let event = next { next = await perform(state.next(event), on: connection) }
        }
    }

    private func event(_ signal: DBusMessage) -> AnnouncementState.Event? {
        if let owner = Avahi.owner(after: signal) {
            group = nil
            daemon = owner.isEmpty ? nil : owner
            return .daemon(isThere: daemon != nil)
        }
        guard let daemon, signal.sender == daemon else { return nil }
        switch (signal.interface, signal.member) {
        case (Avahi.server, "StateChanged"):
            return signal.body.first?.asInt32.flatMap(Avahi.ServerState.init).map { .server($0) }
        case (Avahi.group, "StateChanged") where signal.path == group:
            return signal.body.first?.asInt32.flatMap(Avahi.GroupState.init).map { .group($0) }
        default: return nil
        }
    }

    private func owner(on connection: DBusConnection) async throws(DBusCallError) -> String? {
        do throws(DBusCallError) {
            let reply = try await connection.call(
                .bus("GetNameOwner", .string(Avahi.service)), atMost: LocalNetwork.callLimit)
            return reply.body.first?.asString
        } catch  where error.is("NameHasNoOwner") {
            return nil
        }
    }

    /// Performs an action. Returns the event that follows at once, if any.
    private func perform(
        _ action: AnnouncementState.Action, on connection: DBusConnection
    ) async
        -> AnnouncementState.Event?
    {
        do throws(DBusCallError) {
            switch action {
            case .none: return nil
            case .askServer:
                let answer = try await call(Avahi.call("/", Avahi.server, "GetState"), connection)
                return answer?.asInt32.flatMap(Avahi.ServerState.init).map { .server($0) }
            case .withdraw: try await withdraw(on: connection)
            case .publish: try await publish(on: connection)
            case .rename:
                let other = try await call(
                    Avahi.call("/", Avahi.server, "GetAlternativeServiceName", .string(name)), connection)
                name = other?.asString ?? name + " #2"
                try await withdraw(on: connection)
                try await publish(on: connection)
            case .notify(let reason):
                report("mirroring: this machine is not announced in the local network: \(reason)")
            }
        } catch {
            if error.is("CollisionError") { return .nameTaken }
            // A daemon that ends doesn't answer. The bus signals when it is back.
            return error.name?.hasPrefix(Avahi.service) == true ? .refused(error.text) : nil
        }
        return nil
    }

    private func withdraw(on connection: DBusConnection) async throws(DBusCallError) {
        if let group { _ = try await call(Avahi.call(group, Avahi.group, "Reset"), connection) }
    }

    private func publish(on connection: DBusConnection) async throws(DBusCallError) {
        if group == nil {
            // Its path distinguishes its signals from others.
            try await connection.call(Avahi.call("/", Avahi.server, "EntryGroupNew"), atMost: LocalNetwork.callLimit) {
                [self] reply in group = reply.body.first?.asPath
            }
        }
        guard let group else { return }
        let texts = announcement.texts.map { DBusValue.bytes(Array($0.utf8)) }
        _ = try await call(
            Avahi.call(
                group, Avahi.group, "AddService", .int32(announcement.interface), .int32(announcement.network),
                .uint32(0), .string(name), .string(Avahi.type), .string(""), .string(""), .uint16(announcement.port),
                .array(of: "ay", texts)), connection)
        _ = try await call(Avahi.call(group, Avahi.group, "Commit"), connection)
    }

    private func call(_ message: DBusMessage, _ connection: DBusConnection) async throws(DBusCallError) -> DBusValue? {
        try await connection.call(message, atMost: LocalNetwork.callLimit).body.first
    }
}

/// The state of an announcement at Avahi. The daemon may stop and start, and the host's name and ours may be taken.
/// Pure.
struct AnnouncementState {
    enum Event: Sendable, Equatable {
        /// avahi-daemon has appeared on the bus, or left it with the announcement.
        case daemon(isThere: Bool)
        case server(Avahi.ServerState)
        case group(Avahi.GroupState)
        /// Another program of this machine announces the same name.
        case nameTaken
        /// Avahi refused it. The text is the reason.
        case refused(String)
    }

    enum Action: Equatable {
        case none
        /// Check whether the server is running.
        case askServer
        case publish
        /// The host's name is being changed, so no service can refer to it.
        case withdraw
        /// Choose another name, and publish.
        case rename
        case notify(String)
    }

    /// The limit of renamings. If names are taken again and again, somebody does it on purpose.
    static let renameLimit = 20

    private var isPublished = false
    private var renames = 0

    mutating func next(_ event: Event) -> Action {
        switch event {
        case .daemon(let isThere):
            isPublished = false
            return isThere ? .askServer : .none
        case .server(.running):
            defer { isPublished = true }
            return isPublished ? .none : .publish
        case .server(.registering), .server(.collision):
            defer { isPublished = false }
            return isPublished ? .withdraw : .none
        case .group(.collision), .nameTaken:
            renames += 1
            guard renames <= Self.renameLimit else { return .notify("\(Self.renameLimit) names were taken") }
            return .rename
        case .group(.failure), .server(.failure): return .notify("Avahi failed")
        case .refused(let reason): return .notify(reason)
        case .server(.invalid), .group(.uncommitted), .group(.registering), .group(.established): return .none
        }
    }
}
#endif
