/// The fingerprint that a connection's peer presented before it was authenticated.
///
/// @unchecked Sendable: touched on the reactor's loop only.
final class PresentedFingerprint: @unchecked Sendable {
    var fingerprint: PeerFingerprint?
}
