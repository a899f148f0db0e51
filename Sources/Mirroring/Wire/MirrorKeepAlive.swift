/// Distinguishes a dead connection from a quiet one. Pure: time is an input, and actions are outputs.
///
/// Each side sends something at least every 1.5 s, and treats 4.5 s of silence as a dead connection. So both sides
/// notice a cut cable, a half-open connection or a killed machine within 5 s.
struct MirrorKeepAlive {
    typealias Instant = ContinuousClock.Instant

    /// How long a connection may take until both sides have sent hello.
    static let helloLimit = Duration.seconds(5)
    /// After this much silence of this side, `alive` is sent.
    static let saying = Duration.milliseconds(1_500)
    /// After this much silence of the peer's, the connection is dead.
    static let silence = Duration.milliseconds(4_500)
    /// The gap between two ticks, which come several times a second, that means that this machine slept.
    static let sleep = Duration.seconds(2)
    /// How long a peer may take to answer after this machine slept.
    static let probe = Duration.seconds(1)

    enum Action: Equatable {
        case none, sendAlive, ping
        case lose(String)
    }

    private var isUp = false
    private var lastReceived: Instant
    private var lastSent: Instant
    private var ticked: Instant
    private var probed: Instant?

    private let helloLimit: Duration

    init(now: Instant, helloLimit: Duration = Self.helloLimit) {
        self.helloLimit = helloLimit
        lastReceived = now
        lastSent = now
        ticked = now
    }

    mutating func connected(at now: Instant) {
        isUp = true
        lastReceived = now
    }

    /// Records that something was received. Before both sides have sent hello, this does not extend the time limit.
    mutating func received(at now: Instant) {
        guard isUp else { return }
        lastReceived = now
        probed = nil
    }

    mutating func sent(at now: Instant) { lastSent = now }

    mutating func tick(at now: Instant) -> Action {
        let gap = now - ticked
        ticked = now
        guard isUp else {
            return now - lastReceived >= helloLimit ? .lose("no hello within \(helloLimit)") : .none
        }
        if gap >= Self.sleep {
            probed = now
            lastReceived = now
            lastSent = now
            return .ping
        }
        if let probed, now - probed >= Self.probe { return .lose("no answer after this machine slept") }
        if now - lastReceived >= Self.silence { return .lose("silent for \(Self.silence)") }
        guard now - lastSent >= Self.saying else { return .none }
        lastSent = now
        return .sendAlive
    }
}
