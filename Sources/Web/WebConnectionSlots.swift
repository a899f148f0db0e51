#if Mirroring
import Mirroring

/// Limits the server's connections, and chooses which one to close for a new one. Pure.
///
/// - *Waiting* connections have no current request. They may use half of the slots.
/// - *Watching* connections get an answer without the key. They may use a quarter.
/// - Connections with the key may use all slots, and are never closed for another one.
///
/// So a connection with the key always finds a slot: it replaces one without.
struct WebConnectionSlots<Connection: AnyObject> {
    let most: Int
    private let mostWaiting: Int
    private let mostWatching: Int
    private var waiting = UnauthenticatedConnections<Connection>()
    private var watching = UnauthenticatedConnections<Connection>()
    private var known: Set<ObjectIdentifier> = []

    init(_ most: Int) {
        self.most = most
        mostWaiting = max(1, most / 2)
        mostWatching = max(1, most / 4)
    }

    var count: Int { waiting.count + watching.count + known.count }

    enum Entry {
        /// Admitted. The other connection, if any, has to be closed, and is no longer counted.
        case enters(insteadOf: Connection?)
        /// Connections with the key use all slots.
        case refused
    }

    mutating func enter(_ connection: Connection, from origin: ConnectionOrigin) -> Entry {
        let out = waiting.count >= mostWaiting ? waiting.removeFirst() : count >= most ? evict() : nil
        guard count < most else { return .refused }
        waiting.append(connection, from: origin)
        return .enters(insteadOf: out)
    }

    /// Records that the connection has sent a request, which is answered from now on.
    /// - Returns: The connection to close for it.
    mutating func markActive(_ connection: Connection, from origin: ConnectionOrigin, hasKey: Bool) -> Connection? {
        if known.contains(ObjectIdentifier(connection)) { return nil }
        waiting.remove(connection)
        watching.remove(connection)
        if hasKey {
            known.insert(ObjectIdentifier(connection))
            return nil
        }
        let out = watching.count >= mostWatching ? watching.removeFirst() : nil
        watching.append(connection, from: origin)
        return out
    }

    /// Records that the request was answered.
    /// - Returns: The connection to close for it.
    mutating func markIdle(_ connection: Connection, from origin: ConnectionOrigin) -> Connection? {
        guard watching.remove(connection) else { return nil }
        let out = waiting.count >= mostWaiting ? waiting.removeFirst() : nil
        waiting.append(connection, from: origin)
        return out
    }

    mutating func remove(_ connection: Connection) {
        if known.remove(ObjectIdentifier(connection)) == nil, !waiting.remove(connection) {
            watching.remove(connection)
        }
    }

    /// Removes the connection that is needed least.
    mutating func evict() -> Connection? { waiting.removeFirst() ?? watching.removeFirst() }
}
#endif
