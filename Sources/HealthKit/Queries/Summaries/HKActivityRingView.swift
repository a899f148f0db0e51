/// Draws the rings of a day on Apple's devices.
@available(*, unavailable, message: "There is no UIKit on Linux: draw the figures of an HKActivitySummary yourself")
open class HKActivityRingView: NSObject {
    /// The day that is drawn on Apple's devices.
    public var activitySummary: HKActivitySummary?

    /// Shows another day on Apple's devices.
    public func setActivitySummary(_ activitySummary: HKActivitySummary?, animated: Bool) {}
}
