import Foundation

/// The times for which both sides of a mirrored session wait for each other.
package enum MirrorTimeouts {
    /// If a link is back within this time, apps are not notified of its loss.
    static let graceInSeconds: TimeInterval = 2
    /// How long a finished session is kept for companions that are away.
    package static let deliveryLimit = Duration.seconds(3_600)
    /// How long an ended session waits for the app to finish its workout. Releasing the session and its builder ends the waiting.
    static let finishingInSeconds = deliveryLimit / .seconds(1)
}
