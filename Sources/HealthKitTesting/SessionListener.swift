import Foundation
import Synchronization

/// The session that listens to a scripted sensor, once there is one.
final class SessionListener<Link: AnyObject & Sendable>: Sendable {
    private let state = Mutex(State())

    private struct State {
        var link: Link?
        var waiting: [UUID: CheckedContinuation<Link?, Never>] = [:]
        var isOver = false
    }

    /// How long a session may take to listen, in real time.
    private static var limit: Duration { .seconds(10) }

    var current: Link? { state.withLock { $0.link } }

    func begin(_ link: Link) {
        let waiting = state.withLock { state in
            state.link = link
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(returning: link) }
    }

    /// The session's process is dead.
    func forget() { state.withLock { $0.link = nil } }

    func end(_ link: Link) { state.withLock { if $0.link === link { $0.link = nil } } }

    /// Waits for a session.
    /// - Parameter sensor: For people.
    /// - Throws: ``WorldError`` if none listens within ten seconds.
    func link(to sensor: String) async throws -> Link {
        let id = UUID()
        let limit = Task {
            try await Task.sleep(for: Self.limit)
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: nil)
        }
        defer { limit.cancel() }
        let link = await withCheckedContinuation { continuation in
            let now: Link?? = state.withLock { state in
                if let link = state.link { return .some(link) }
                if state.isOver { return .some(nil) }
                state.waiting[id] = continuation
                return nil
            }
            if let now { continuation.resume(returning: now) }
        }
        guard let link else {
            throw WorldError(
                "No session listens to the \(sensor): the world needs sensors: .script, and the app has to start its session, set "
                    + "the builder's data source and begin collection.")
        }
        return link
    }

    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            state.link = nil
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(returning: nil) }
    }
}
