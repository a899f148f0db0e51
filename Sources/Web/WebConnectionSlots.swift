#if Mirroring
import Mirroring

/// Who has a place at the server, and who goes if there is none left. Pure.
///
/// - Who has not asked anything yet, or waits between two requests, *waits*: half of the places at most.
/// - Who is being answered without the key *watches*: a quarter at most.
/// - Who has shown the key has any place, and nobody takes it away.
///
/// So those with the key always find one: a newcomer pushes out somebody who has not shown it.
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
        /// In the place of that one, if there is one, which is no longer counted.
        case enters(insteadOf: Connection?)
        /// All places belong to those who have the key.
        case refused
    }

    mutating func enter(_ connection: Connection, from origin: ConnectionOrigin) -> Entry {
        let out = waiting.count >= mostWaiting ? waiting.removeFirst() : count >= most ? evict() : nil
        guard count < most else { return .refused }
        waiting.append(connection, from: origin)
        return .enters(insteadOf: out)
    }

    /// It has asked something, and is answered from now on.
    /// - Returns: Whoever has to go for it.
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

    /// It was answered.
    /// - Returns: Whoever has to go for it.
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

    /// Takes one out that can be spared.
    mutating func evict() -> Connection? { waiting.removeFirst() ?? watching.removeFirst() }
}
#endif
