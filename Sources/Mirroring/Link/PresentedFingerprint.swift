/// What a connection's peer showed before it was trusted or not.
///
/// @unchecked Sendable: touched on the reactor's loop only.
final class PresentedFingerprint: @unchecked Sendable {
    var fingerprint: PeerFingerprint?
}
