public import Foundation
public import HealthKit
import Synchronization

/// Whether an app is in front.
public enum WKApplicationState: Int, Sendable { case active, inactive, background }

/// Receives the events of a watch app's life cycle. Linux calls none of it by itself; an app calls `handle(_:)` and the others in
/// its tests. Source: <https://developer.apple.com/documentation/watchkit/wkapplicationdelegate>.
public protocol WKApplicationDelegate: NSObjectProtocol {
    /// The app has been started.
    func applicationDidFinishLaunching()
    /// The app is in front.
    func applicationDidBecomeActive()
    /// The app is about to leave the front.
    func applicationWillResignActive()
    /// The app is about to come to the front.
    func applicationWillEnterForeground()
    /// The app has left the front.
    func applicationDidEnterBackground()
    /// The phone wants a workout.
    func handle(_ workoutConfiguration: HKWorkoutConfiguration)
    /// A workout that a crash interrupted can be recovered.
    func handleActiveWorkoutRecovery()
    /// An extended runtime session that was going on can be taken up.
    func handle(_ extendedRuntimeSession: WKExtendedRuntimeSession)
    /// There is work to do in the background.
    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>)
    /// The device has a token for remote notifications.
    func didRegisterForRemoteNotifications(withDeviceToken deviceToken: Data)
    /// The device has no token for remote notifications.
    func didFailToRegisterForRemoteNotificationsWithError(_ error: any Error)
    /// The watch was turned.
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

/// The older name of the same promises.
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
    /// False.
    public var isApplicationRunningInDock: Bool { false }
    /// False: there are no remote notifications.
    public var isRegisteredForRemoteNotifications: Bool { false }

    /// Nil: there are no screens.
    public var rootInterfaceController: WKInterfaceController? { nil }
    /// Nil: there are no screens.
    public var visibleInterfaceController: WKInterfaceController? { nil }

    /// Does nothing but write a line on standard error: there are no other apps of a watch.
    public func openSystemURL(_ url: URL) {
        LinuxNotice.write("openSystemURL(_:)", "there are no other apps of a watch")
    }

    /// Tells the delegate that there are no remote notifications on Linux.
    public func registerForRemoteNotifications() {
        delegate?.didFailToRegisterForRemoteNotificationsWithError(CocoaError(.featureUnsupported))
    }

    /// Nothing to do.
    public func unregisterForRemoteNotifications() {}

    /// Does nothing but write a line on standard error and call the handler with an error: a systemd timer can start an app.
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

    /// Does nothing but write a line on standard error: there is no screen to lock.
    public func enableWaterLock() { WKInterfaceDevice.current().enableWaterLock() }
}

/// Work in the background.
open class WKRefreshBackgroundTask: NSObject {
    /// What was given when it was scheduled.
    open var userInfo: (any NSSecureCoding & NSObjectProtocol)? { nil }
    /// The work is done.
    open func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {}
}

/// An app's own work.
open class WKApplicationRefreshBackgroundTask: WKRefreshBackgroundTask {}

/// A picture of the app is wanted.
open class WKSnapshotRefreshBackgroundTask: WKRefreshBackgroundTask {
    /// The work is done.
    open func setTaskCompleted(
        restoredDefaultState: Bool, estimatedSnapshotExpiration: Date,
        userInfo: (any NSSecureCoding & NSObjectProtocol)?
    ) {}
}

/// The companion sent something.
open class WKWatchConnectivityRefreshBackgroundTask: WKRefreshBackgroundTask {}

/// A download has news.
open class WKURLSessionRefreshBackgroundTask: WKRefreshBackgroundTask {
    /// The session of the download.
    open var sessionIdentifier: String { "" }
}

/// A screen of an old watch app. Linux shows none: what shows something only writes a line on standard error.
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

/// How pages follow each other.
public enum WKPageOrientation: Int, Sendable { case horizontal, vertical }
