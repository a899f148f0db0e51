#if Mirroring
import Synchronization

/// The links that a channel opens. Where several lead to one machine, one of them talks and the others wait until it is
/// lost: two at a time would each tell the machine something else about what is here.
///
/// Touched on the reactor's loop only, but for `expect` and `hasAny`.
final class ChannelDials {
    private var dials: [ObjectIdentifier: any ChannelDial] = [:] {
        didSet { count.withLock { $0 += dials.count - oldValue.count } }
    }
    /// How many there are, or will be as soon as the loop gets to it.
    private let count = Mutex(0)

    // MARK: From any thread

    func expect() { count.withLock { $0 += 1 } }

    var hasAny: Bool { count.withLock { $0 > 0 } }

    // MARK: On the loop

    /// It was expected. A nil stands for one that comes too late.
    func take(_ dial: (any ChannelDial)?) {
        if let dial { dials[ObjectIdentifier(dial)] = dial }
        count.withLock { $0 -= 1 }
    }

    var isEmpty: Bool { dials.isEmpty }

    /// Whether it was there.
    func remove(_ dial: any ChannelDial) -> Bool { dials.removeValue(forKey: ObjectIdentifier(dial)) != nil }

    /// Those that are for this machine will not be tried again.
    func stop(for fingerprint: PeerFingerprint) {
        for (key, dial) in dials where dial.isAddressed(to: fingerprint) {
            dial.stop()
            dials[key] = nil
        }
    }

    func stopAll() {
        for dial in dials.values { dial.stop() }
        dials = [:]
    }

    /// Whether another one talks to this machine.
    func isTaken(_ fingerprint: PeerFingerprint, besides dial: any ChannelDial) -> Bool {
        dials.values.contains { $0 !== dial && $0.isConnected(to: fingerprint) }
    }

    /// The one that talked to this machine does so no more: it is the others' turn.
    func released(_ fingerprint: PeerFingerprint) {
        for dial in dials.values where dial.isAddressed(to: fingerprint) { dial.redial() }
    }
}

/// A link that a channel opens, as the channel sees it.
protocol ChannelDial: AnyObject, Sendable {
    func start()
    /// Does not close a connection that is there.
    func stop()
    /// Whether only this machine is wanted there, or is what was met there last.
    func isAddressed(to fingerprint: PeerFingerprint) -> Bool
    /// Whether its link to this machine is up, or about to be.
    func isConnected(to fingerprint: PeerFingerprint) -> Bool
    /// Another link to the same machine is lost.
    func redial()
}

/// What a link that has met a machine is to do.
enum DialAction {
    case sendHello
    /// Another connection to this machine is there; wait until it is no more.
    case wait
    /// This machine has everything.
    case leave
}
#endif
