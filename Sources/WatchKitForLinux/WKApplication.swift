public import Foundation
public import HealthKit
import Synchronization

/// The state of an app, such as whether it is in front.
public enum WKApplicationState: Int, Sendable { case active, inactive, background }

/// Receives the events of a watch app's life cycle. Linux calls none of it by itself; an app calls `handle(_:)` and the others in
/// its tests. Source: <https://developer.apple.com/documentation/watchkit/wkapplicationdelegate>.
public protocol WKApplicationDelegate: NSObjectProtocol {
    /// Called when the app has started.
    func applicationDidFinishLaunching()
    /// Called when the app is in front.
    func applicationDidBecomeActive()
    /// Called when the app is about to leave the front.
    func applicationWillResignActive()
    /// Called when the app is about to come to the front.
    func applicationWillEnterForeground()
    /// Called when the app has left the front.
    func applicationDidEnterBackground()
    /// Called when the phone requests a workout.
    func handle(_ workoutConfiguration: HKWorkoutConfiguration)
    /// Called when a workout that a crash interrupted can be recovered.
    func handleActiveWorkoutRecovery()
    /// Called when an extended runtime session of an earlier process can be continued.
    func handle(_ extendedRuntimeSession: WKExtendedRuntimeSession)
    /// Called when there is work to do in the background.
    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>)
    /// Called when the device has a token for remote notifications.
    func didRegisterForRemoteNotifications(withDeviceToken deviceToken: Data)
    /// Called when the device has no token for remote notifications.
    func didFailToRegisterForRemoteNotificationsWithError(_ error: any Error)
    /// Called when the watch was turned.
    func deviceOrientationDidChange()
}

extension WKApplicationDelegate {
    public func applicationDidFinishLaunching() {}
    public func applicationDidBecomeActive() {}
    public func applicationWillResignActive() {}
    public func applicationWillEnterForeground() {}
    public func applicationDidEnterBackground() {}
    public func handle(_ workoutConfiguration: HKWorkoutConfiguration) {}
    public func handleActiveWorkoutRecovery() {}
    public func handle(_ extendedRuntimeSession: WKExtendedRuntimeSession) {}
    public func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {}
    public func didRegisterForRemoteNotifications(withDeviceToken deviceToken: Data) {}
    public func didFailToRegisterForRemoteNotificationsWithError(_ error: any Error) {}
    public func deviceOrientationDidChange() {}
}

/// The older name of the protocol.
public protocol WKExtensionDelegate: WKApplicationDelegate {}

/// The running app.
/// Source: <https://developer.apple.com/documentation/watchkit/wkapplication>.
public class WKApplication: NSObject, @unchecked Sendable {
    // `@unchecked Sendable`: what it keeps is behind this lock.
    private let kept = Mutex(Unchecked<(any WKApplicationDelegate)?>(nil))

    fileprivate static let application = WKExtension()

    /// The running app.
    public class func shared() -> WKApplication { application }

    /// Receives the app's life-cycle events.
    public var delegate: (any WKApplicationDelegate)? {
        get { kept.withLock { $0 }.value }
        set {
            let delegate = Unchecked(newValue)
            kept.withLock { $0 = delegate }
        }
    }

    /// Active: Linux puts no app into the background.
    public var applicationState: WKApplicationState { .active }
    /// Always false.
    public var isApplicationRunningInDock: Bool { false }
    /// Always false, because there are no remote notifications.
    public var isRegisteredForRemoteNotifications: Bool { false }

    /// Always nil, because there are no screens.
    public var rootInterfaceController: WKInterfaceController? { nil }
    /// Always nil, because there are no screens.
    public var visibleInterfaceController: WKInterfaceController? { nil }

    /// Only prints a notice on standard error, because a watch's other apps do not exist here.
    public func openSystemURL(_ url: URL) {
        LinuxNotice.write("openSystemURL(_:)", "there are no other apps of a watch")
    }

    /// Notifies the delegate that there are no remote notifications on Linux.
    public func registerForRemoteNotifications() {
        delegate?.didFailToRegisterForRemoteNotificationsWithError(CocoaError(.featureUnsupported))
    }

    /// Has no effect.
    public func unregisterForRemoteNotifications() {}

    /// Only prints a notice on standard error and calls the handler with an error. A systemd timer can start an app
    /// instead.
    public func scheduleBackgroundRefresh(
        withPreferredDate preferredFireDate: Date, userInfo: (any NSSecureCoding & NSObjectProtocol)?,
        scheduledCompletion: @escaping ((any Error)?) -> Void
    ) {
        LinuxNotice.write("scheduleBackgroundRefresh", "nothing on Linux starts an app at a date; a systemd timer can")
        scheduledCompletion(CocoaError(.featureUnsupported))
    }

    /// Calls the handler with an error: there are no snapshots.
    public func scheduleSnapshotRefresh(
        withPreferredDate preferredFireDate: Date, userInfo: (any NSSecureCoding & NSObjectProtocol)?,
        scheduledCompletion: @escaping ((any Error)?) -> Void
    ) {
        LinuxNotice.write("scheduleSnapshotRefresh", "there are no snapshots of apps")
        scheduledCompletion(CocoaError(.featureUnsupported))
    }
}

/// The older name of the running app.
public final class WKExtension: WKApplication, @unchecked Sendable {
    /// The running app.
    public override class func shared() -> WKExtension { application }

    /// True: nobody turns the machine off as a watch turns off its screen.
    public var isFrontmostTimeoutExtended: Bool {
        get { true }
        set {}
    }

    /// Only prints a notice on standard error, because there is no screen to lock.
    public func enableWaterLock() { WKInterfaceDevice.current().enableWaterLock() }
}

/// Work in the background.
open class WKRefreshBackgroundTask: NSObject {
    /// The value that was passed when the task was scheduled.
    open var userInfo: (any NSSecureCoding & NSObjectProtocol)? { nil }
    /// Marks the work as done.
    open func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {}
}

/// An app's own work.
open class WKApplicationRefreshBackgroundTask: WKRefreshBackgroundTask {}

/// A request for a snapshot of the app.
open class WKSnapshotRefreshBackgroundTask: WKRefreshBackgroundTask {
    /// Marks the work as done.
    open func setTaskCompleted(
        restoredDefaultState: Bool, estimatedSnapshotExpiration: Date,
        userInfo: (any NSSecureCoding & NSObjectProtocol)?
    ) {}
}

/// Data from the companion.
open class WKWatchConnectivityRefreshBackgroundTask: WKRefreshBackgroundTask {}

/// News about a download.
open class WKURLSessionRefreshBackgroundTask: WKRefreshBackgroundTask {
    /// The session of the download.
    open var sessionIdentifier: String { "" }
}

/// A screen of an old watch app. Linux shows none: methods that would show something only print a notice on standard
/// error.
open class WKInterfaceController: NSObject {
    public override init() { super.init() }

    /// The screen is made.
    open func awake(withContext context: Any?) {}
    /// The screen is about to be seen.
    open func willActivate() {}
    /// The screen is seen.
    open func didAppear() {}
    /// The screen is about to go.
    open func willDisappear() {}
    /// The screen is no longer seen.
    open func didDeactivate() {}

    /// Shows nothing.
    open func setTitle(_ title: String?) { Self.notShown("setTitle(_:)") }
    /// Shows nothing.
    open func pushController(withName name: String, context: Any?) { Self.notShown("pushController") }
    /// Shows nothing.
    open func presentController(withName name: String, context: Any?) { Self.notShown("presentController") }
    /// Shows nothing.
    open func dismiss() { Self.notShown("dismiss()") }
    /// Shows nothing.
    open func pop() { Self.notShown("pop()") }
    /// Shows nothing.
    open func popToRootController() { Self.notShown("popToRootController()") }
    /// Shows nothing.
    open class func reloadRootControllers(withNames names: [String], contexts: [Any]?) {
        notShown("reloadRootControllers")
    }
    /// Shows nothing.
    open class func reloadRootControllers(withNamesAndContexts namesAndContexts: [(name: String, context: AnyObject)]) {
        notShown("reloadRootControllers")
    }
    /// Shows nothing.
    open class func reloadRootPageControllers(
        withNames names: [String], contexts: [Any]?, orientation: WKPageOrientation, pageIndex: Int
    ) {
        notShown("reloadRootPageControllers")
    }

    private static func notShown(_ call: String) { LinuxNotice.write(call, "Linux shows no screens of a watch") }
}

/// The direction in which pages follow each other.
public enum WKPageOrientation: Int, Sendable { case horizontal, vertical }
