import Glibc

/// Isolates everything that deals with D-Bus to the one thread that may touch it.
///
/// Replies and signals are handled there in the order of their arrival, and what follows from them (a tree of remote
/// objects, streams) is updated before the next one is looked at.
@globalActor
package actor BusActor {
    package static let shared = BusActor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { BusThread.shared.asUnownedSerialExecutor() }

    /// For tasks that read what arrives on the bus's thread: with this preference they go on there at once, and wake no other.
    package static var tasks: any TaskExecutor { BusThread.tasks }

    /// Runs `body` at once. The caller is on the bus's thread; anything else is a mistake of the caller, and traps.
    package nonisolated static func assumeIsolated(_ body: @BusActor () -> Void) {
        BusThread.shared.checkIsolated()
        withoutActuallyEscaping(body) { body in
            // Isolation is no part of a function's representation. The standard library does the same for MainActor.
            unsafeBitCast(body, to: (() -> Void).self)()
        }
    }
}

/// What has a descriptor that the bus's thread waits for: a connection to a bus.
@BusActor
protocol BusPollable: AnyObject {
    nonisolated var descriptor: Int32 { get }
    /// Set by the schedule when the descriptor has something.
    var isReady: Bool { get set }
    /// What to poll for, and the longest sleep in milliseconds; nil for any.
    var interest: (events: Int16, limit: Int32?) { get }
    /// Moves what can be moved without waiting, and hands out what came.
    func pump()
}

/// What the bus's thread has to look after between two sleeps: connections with their descriptors, and deadlines.
@BusActor
package final class BusSchedule {
    package static let shared = BusSchedule()

    /// Not by descriptor: libdbus closes the one of a lost connection, and another connection may have its number.
    private var connections: [ObjectIdentifier: any BusPollable] = [:]
    private var deadlines: [Int: (instant: ContinuousClock.Instant, action: () -> Void)] = [:]
    private var nextDeadline = 0

    func add(_ connection: any BusPollable) { connections[ObjectIdentifier(connection)] = connection }
    func remove(_ connection: any BusPollable) { connections[ObjectIdentifier(connection)] = nil }

    /// Calls `action` once, after `delay`, unless it is cancelled before.
    @discardableResult
    package func after(_ delay: Duration, _ action: @escaping () -> Void) -> Int {
        nextDeadline += 1
        deadlines[nextDeadline] = (.now + delay, action)
        return nextDeadline
    }

    package func cancel(_ deadline: Int) { deadlines[deadline] = nil }

    /// Connections whose descriptor has something.
    func ready(_ descriptors: [Int32]) {
        for connection in connections.values where descriptors.contains(connection.descriptor) {
            connection.isReady = true
        }
    }

    /// Moves bytes, routes messages, fires deadlines; says what to wait for, and for how many milliseconds at most
    /// (−1: for ever).
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
        // One that is due may cancel another one that is.
        for (key, deadline) in due where deadlines.removeValue(forKey: key) != nil { deadline.action() }
    }
}
