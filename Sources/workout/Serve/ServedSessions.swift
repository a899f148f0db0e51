import Foundation
import Synchronization

/// Notifies waiting tasks that something has changed. Several changes count as one until a task takes them.
final class ServedChanges: Sendable {
    private let waiting = Mutex<[Int: AsyncStream<Void>.Continuation]>([:])
    private let last = Atomic(0)

    /// Reports a change. Cheap, since it is called for each entry of each session.
    func notify() {
        // Resuming a task waits for a cancellation of that task, which may wait for the lock.
        let waiting = waiting.withLock { Array($0.values) }
        for continuation in waiting { continuation.yield() }
    }

    /// Yields one element at once, and one after each change since the last element was taken.
    var stream: AsyncStream<Void> {
        let number = last.add(1, ordering: .relaxed).newValue
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.onTermination = { [weak self] _ in _ = self?.waiting.withLock { $0.removeValue(forKey: number) } }
        waiting.withLock { $0[number] = continuation }
        continuation.yield()
        return stream
    }
}

/// The sessions that one server shows, its own and mirrored ones, in order of arrival.
final class ServedSessions: Sendable {
    /// How many ended sessions are kept.
    private static let endedLimit = 60

    let changes = ServedChanges()
    private let sessions = Mutex<[ServedSession]>([])

    var all: [ServedSession] { sessions.withLock { $0 } }

    func session(_ id: UUID) -> ServedSession? { all.first { $0.id == id } }

    /// The latest session that runs, or else the latest.
    var latest: ServedSession? {
        let all = all
        return all.last { !$0.isOver } ?? all.last
    }

    /// Adds a session. It replaces one with the same ID.
    func add(_ session: ServedSession) {
        sessions.withLock { sessions in
            sessions.removeAll { $0.id == session.id }
            sessions.append(session)
            let ended = sessions.filter(\.isOver)
            for old in ended.dropLast(Self.endedLimit) { sessions.removeAll { $0.id == old.id } }
        }
        changes.notify()
    }
}
