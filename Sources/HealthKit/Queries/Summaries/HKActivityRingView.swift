/// Draws the rings of a day on Apple's devices.
@available(*, unavailable, message: "There is no UIKit on Linux: draw the figures of an HKActivitySummary yourself")
open class HKActivityRingView: NSObject {
    public var activitySummary: HKActivitySummary?

    public func setActivitySummary(_ activitySummary: HKActivitySummary?, animated: Bool) {}
}
