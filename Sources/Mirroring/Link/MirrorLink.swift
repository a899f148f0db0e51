/// The state of a link that this side opens: connect, lose, wait, connect again. Pure: time and randomness are inputs.
struct MirrorLink {
    typealias Instant = ContinuousClock.Instant

    static let shortestWait = Duration.milliseconds(250)
    static let longestWait = Duration.seconds(10)
    /// How long a link has to be up for the next wait to be the shortest one.
    static let steady = Duration.seconds(5)

    enum State: Equatable {
        case idle
        /// Resolving the name, connecting or exchanging hello. `attempt` counts earlier failures.
        case connecting(attempt: Int)
        case connected(attempt: Int, since: Instant)
        case waiting(attempt: Int, until: Instant)
        /// Waiting, because another link leads to the same machine.
        case onStandby
        case stopped
    }

    enum Action: Equatable { case none, connect }

    private(set) var state = State.idle
    private var ticked: Instant?

    mutating func start() -> Action {
        switch state {
        case .idle:
            state = .connecting(attempt: 0)
            return .connect
        case .connecting, .connected, .waiting, .onStandby, .stopped: return .none
        }
    }

    /// Puts the link on standby, because the machine has another link. It waits for ``redial()``, however long that
    /// takes.
    mutating func standBy() {
        switch state {
        case .connecting: state = .onStandby
        case .idle, .connected, .waiting, .onStandby, .stopped: break
        }
    }

    /// Tries again, because the other link was lost.
    mutating func redial() -> Action {
        switch state {
        case .onStandby:
            state = .connecting(attempt: 0)
            return .connect
        case .idle, .connecting, .connected, .waiting, .stopped: return .none
        }
    }

    mutating func helloExchanged(at now: Instant) {
        switch state {
        case .connecting(let attempt): state = .connected(attempt: attempt, since: now)
        case .idle, .connected, .waiting, .onStandby, .stopped: break
        }
    }

    /// Records that the attempt failed or the link was lost. `jitter` (0 ..< 1) keeps many machines from reconnecting
    /// at once.
    mutating func failed(at now: Instant, jitter: Double) {
        switch state {
        case .connecting(let attempt): wait(attempt, now, jitter)
        case .connected(let attempt, let since): wait(now - since >= Self.steady ? 0 : attempt, now, jitter)
        case .idle, .waiting, .onStandby, .stopped: break
        }
    }

    mutating func tick(at now: Instant) -> Action {
        let slept = ticked.map { now - $0 >= MirrorKeepAlive.sleep } ?? false
        ticked = now
        switch state {
        case .waiting(let attempt, let until):
            guard slept || now >= until else { return .none }
            state = .connecting(attempt: attempt)
            return .connect
        case .idle, .connecting, .connected, .onStandby, .stopped: return .none
        }
    }

    mutating func stop() { state = .stopped }

    private mutating func wait(_ attempt: Int, _ now: Instant, _ jitter: Double) {
        let longest = min(Self.longestWait, Self.shortestWait * Double(1 << min(attempt, 10)) * (1 + jitter * 0.5))
        state = .waiting(attempt: attempt + 1, until: now + max(Self.shortestWait, longest))
    }
}
