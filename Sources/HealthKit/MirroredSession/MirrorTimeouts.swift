/// How long the halves of a mirrored session wait for each other.
package enum MirrorTimeouts {
    /// A link that is back within this time was never lost, as far as apps are concerned.
    static let graceInSeconds: TimeInterval = 2
    /// How long a session that is over is kept for companions that are away.
    package static let deliveryLimit = Duration.seconds(3_600)
    /// How long an ended session waits for an app that has not finished its workout. Whoever lets go of the session and its
    /// builder ends the waiting.
    static let finishingInSeconds = deliveryLimit / .seconds(1)
}
