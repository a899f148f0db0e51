#if Mirroring
import Synchronization

/// The links that a channel opens. If several lead to one machine, one is used and the others wait until it is lost:
/// two at a time would give the machine contradictory states of this side's log.
///
/// Only used on the reactor's loop, except `expect` and `hasAny`.
final class ChannelDials {
    private var dials: [ObjectIdentifier: any ChannelDial] = [:] {
        didSet { count.withLock { $0 += dials.count - oldValue.count } }
    }
    /// The number of dials, including those that the loop has not added yet.
    private let count = Mutex(0)

    // MARK: From any thread

    func expect() { count.withLock { $0 += 1 } }

    var hasAny: Bool { count.withLock { $0 > 0 } }

    // MARK: On the loop

    /// Adds an expected dial; nil if the channel was closed meanwhile.
    func take(_ dial: (any ChannelDial)?) {
        if let dial { dials[ObjectIdentifier(dial)] = dial }
        count.withLock { $0 -= 1 }
    }

    var isEmpty: Bool { dials.isEmpty }

    /// - Returns: Whether it was one of them.
    func remove(_ dial: any ChannelDial) -> Bool { dials.removeValue(forKey: ObjectIdentifier(dial)) != nil }

    /// Stops the dials to this machine for good.
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

    /// Returns whether another dial is connected to this machine.
    func isTaken(_ fingerprint: PeerFingerprint, besides dial: any ChannelDial) -> Bool {
        dials.values.contains { $0 !== dial && $0.isConnected(to: fingerprint) }
    }

    /// Lets the other dials to this machine try again, because the connected one has lost its link.
    func released(_ fingerprint: PeerFingerprint) {
        for dial in dials.values where dial.isAddressed(to: fingerprint) { dial.redial() }
    }
}

/// A link that a channel opens, as the channel sees it.
protocol ChannelDial: AnyObject, Sendable {
    func start()
    /// Does not close an existing connection.
    func stop()
    /// Returns whether this machine is the only one accepted there, or the last one found there.
    func isAddressed(to fingerprint: PeerFingerprint) -> Bool
    /// Returns whether a link to this machine is up or being set up.
    func isConnected(to fingerprint: PeerFingerprint) -> Bool
    /// Tries again, because another link to the same machine was lost.
    func redial()
}

/// The next action of a dial that has found a machine.
enum DialAction {
    case sendHello
    /// Wait until the other connection to this machine is lost.
    case wait
    /// Leave, because this machine has everything.
    case leave
}
#endif
