/// The fingerprint that a connection's peer presented before it was authenticated.
///
/// @unchecked Sendable: only used on the reactor's loop.
final class PresentedFingerprint: @unchecked Sendable {
    var fingerprint: PeerFingerprint?
}
