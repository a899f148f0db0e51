// The delegate of a watch app, with haptics.

import HealthKit
import WatchKit

class WatchAppDelegate: NSObject, WKApplicationDelegate {
    var configuration: HKWorkoutConfiguration?

    func handle(_ workoutConfiguration: HKWorkoutConfiguration) {
        configuration = workoutConfiguration
        WKInterfaceDevice.current().play(.start)
    }

    func handleActiveWorkoutRecovery() {}

    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        for task in backgroundTasks {
            switch task {
            case let refresh as WKApplicationRefreshBackgroundTask: refresh.setTaskCompletedWithSnapshot(false)
            default: task.setTaskCompletedWithSnapshot(false)
            }
        }
    }
}

class OldExtensionDelegate: NSObject, WKExtensionDelegate {
    func applicationDidFinishLaunching() { WKExtension.shared().isFrontmostTimeoutExtended = true }

    func handle(_ workoutConfiguration: HKWorkoutConfiguration) {
        WKInterfaceController.reloadRootPageControllers(
            withNames: ["Workout"], contexts: [workoutConfiguration], orientation: .vertical, pageIndex: 0)
    }
}

final class Background: NSObject, WKExtendedRuntimeSessionDelegate {
    let session = WKExtendedRuntimeSession()
    var log: (String) -> Void = { _ in }

    func start() {
        session.delegate = self
        session.start()
    }

    func extendedRuntimeSessionDidStart(_ extendedRuntimeSession: WKExtendedRuntimeSession) {
        log("started")
        extendedRuntimeSession.invalidate()
    }

    func extendedRuntimeSessionWillExpire(_ extendedRuntimeSession: WKExtendedRuntimeSession) { log("expires") }

    func extendedRuntimeSession(
        _ extendedRuntimeSession: WKExtendedRuntimeSession,
        didInvalidateWith reason: WKExtendedRuntimeSessionInvalidationReason, error: Error?
    ) {
        log(reason == .none && error == nil ? "ended" : "failed")
    }
}
