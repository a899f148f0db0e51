import Glibc

/// Isolates everything about D-Bus to its one thread.
///
/// Replies and signals are handled there in the order of their arrival. Everything that depends on them (a tree of remote objects,
/// streams) is updated before the next one is handled.
@globalActor
package actor BusActor {
    package static let shared = BusActor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { BusThread.shared.asUnownedSerialExecutor() }

    /// A preference for tasks that read what arrives on the bus's thread: they resume there directly, without waking another thread.
    package static var tasks: any TaskExecutor { BusThread.tasks }

    /// Passes `value` to `body` at once. Traps if the caller is not on the bus's thread.
    ///
    /// `body` may escape, and should capture nothing: `withoutActuallyEscaping` compiles the length of this file's path into a program,
    /// which then has other bytes in another folder.
    package nonisolated static func assumeIsolated<Value, Result>(
        with value: inout Value, _ body: @escaping @BusActor (inout Value) -> Result
    ) -> Result {
        BusThread.shared.checkIsolated()
        // Isolation is not part of a function's representation. The standard library does the same for MainActor.
        return unsafeBitCast(body, to: ((inout Value) -> Result).self)(&value)
    }
}

/// A connection to a bus, whose descriptor the bus's thread polls.
@BusActor
protocol BusPollable: AnyObject {
    nonisolated var descriptor: Int32 { get }
    /// Set when the descriptor is ready.
    var isReady: Bool { get set }
    /// The events to poll for, and the longest sleep in milliseconds; nil for any.
    var interest: (events: Int16, limit: Int32?) { get }
    /// Reads and writes without waiting, and delivers what arrived.
    func pump()
}

/// The connections and deadlines that the bus's thread serves between two sleeps.
@BusActor
package final class BusSchedule {
    package static let shared = BusSchedule()

    /// Not keyed by descriptor: libdbus closes that of a lost connection, and another connection may get its number.
    private var connections: [ObjectIdentifier: any BusPollable] = [:]
    private var deadlines: [Int: (instant: ContinuousClock.Instant, action: () -> Void)] = [:]
    private var nextDeadline = 0

    func add(_ connection: any BusPollable) { connections[ObjectIdentifier(connection)] = connection }
    func remove(_ connection: any BusPollable) { connections[ObjectIdentifier(connection)] = nil }

    /// Calls `action` once after `delay`, unless it is cancelled.
    @discardableResult
    package func after(_ delay: Duration, _ action: @escaping () -> Void) -> Int {
        nextDeadline += 1
        deadlines[nextDeadline] = (.now + delay, action)
        return nextDeadline
    }

    package func cancel(_ deadline: Int) { deadlines[deadline] = nil }

    /// Marks the connections whose descriptors are ready.
    func ready(_ descriptors: [Int32]) {
        for connection in connections.values where descriptors.contains(connection.descriptor) {
            connection.isReady = true
        }
    }

    /// Reads and writes, routes messages, fires deadlines. Returns what to poll for, and for how many milliseconds at most
    /// (−1: forever).
    func turn(_ polled: inout [pollfd]) -> Int32 {
        for connection in Array(connections.values) { connection.pump() }
        fireDeadlines()
        var milliseconds: Int32 = -1
        if !deadlines.isEmpty, let next = deadlines.values.lazy.map(\.instant).min() {
            // Rounded up, so that the deadline has passed when the thread wakes.
            let wait = ContinuousClock.now.duration(to: next) / .milliseconds(1)
            milliseconds = Int32(max(0, min(wait.rounded(.up), 3_600_000)))
        }
        for connection in connections.values {
            let (events, limit) = connection.interest
            polled.append(pollfd(fd: connection.descriptor, events: events, revents: 0))
            if let limit, milliseconds < 0 || limit < milliseconds { milliseconds = limit }
        }
        return milliseconds
    }

    private func fireDeadlines() {
        guard !deadlines.isEmpty else { return }
        let now = ContinuousClock.now
        let due = deadlines.filter { $0.value.instant <= now }.sorted { $0.value.instant < $1.value.instant }
        // An action may cancel another one that is also due.
        for (key, deadline) in due where deadlines.removeValue(forKey: key) != nil { deadline.action() }
    }
}
