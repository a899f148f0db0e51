#if Mirroring
/// Connections that are not authenticated yet, oldest first. Pure.
///
/// If there are too many, the oldest one of the origin with the most connections is closed. So somebody who floods the server only closes
/// their own connections, and others have time to authenticate.
package struct UnauthenticatedConnections<Connection: AnyObject> {
    private var waiting: [(connection: Connection, origin: ConnectionOrigin)] = []
    private var crowds: [ConnectionOrigin: Int] = [:]

    package init() {}

    package var count: Int { waiting.count }
    package var connections: [Connection] { waiting.map(\.connection) }

    package mutating func append(_ connection: Connection, from origin: ConnectionOrigin) {
        waiting.append((connection, origin))
        crowds[origin, default: 0] += 1
    }

    /// - Returns: Whether it was one of them.
    @discardableResult
    package mutating func remove(_ connection: Connection) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.connection === connection }) else { return false }
        let origin = waiting.remove(at: index).origin
        crowds[origin] = crowds[origin].flatMap { $0 > 1 ? $0 - 1 : nil }
        return true
    }

    /// The connection to close first.
    package var first: Connection? {
        let most = crowds.values.max()
        return waiting.first { crowds[$0.origin] == most }?.connection
    }

    /// Removes the connection to close first.
    package mutating func removeFirst() -> Connection? {
        let first = first
        first.map { _ = remove($0) }
        return first
    }
}
#endif
