#if Mirroring
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
