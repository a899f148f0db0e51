#if Mirroring
/// Connections that have not shown who they are, oldest first. Pure.
///
/// If there are too many, the oldest goes, of those from the origin that has the most: whoever floods a door pushes out their own, and
/// somebody who is allowed in needs only the moment until they have shown it.
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

    /// The one that has to go first.
    package var first: Connection? {
        let most = crowds.values.max()
        return waiting.first { crowds[$0.origin] == most }?.connection
    }

    /// Takes out the one that has to go first.
    package mutating func removeFirst() -> Connection? {
        let first = first
        first.map { _ = remove($0) }
        return first
    }
}
#endif
