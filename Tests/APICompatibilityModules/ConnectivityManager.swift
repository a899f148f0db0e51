// The phone's side and the watch's side, in one file that an app shares between both.

import Foundation
import WatchConnectivity

final class ConnectivityManager: NSObject, ObservableObject {
    static let shared = ConnectivityManager()
    private let session: WCSession? = WCSession.isSupported() ? WCSession.default : nil
    @Published var lastMessage: [String: Any] = [:]

    func activate(_ session: WCSession = .default) {
        session.delegate = self
        session.activate()
    }

    func send(_ heartRate: Double, failed: @escaping (Error) -> Void) {
        let session = WCSession.default
        guard session.activationState == .activated, session.isReachable, session.isPaired else {
            session.transferUserInfo(["heartRate": heartRate])
            session.sendMessage(["heartRate": heartRate], replyHandler: { reply in print(reply) }, errorHandler: failed)
            return
        }
        try? session.updateApplicationContext(["heartRate": heartRate])
    }
}

extension ConnectivityManager: WCSessionDelegate {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
    ) {
        if let error = error as? WCError, error.code == .sessionNotSupported {
            lastMessage = ["state": activationState]
        }
        guard session.isReachable else { return }
    }

    func sessionDidBecomeInactive(_ session: WCSession) {}

    func sessionDidDeactivate(_ session: WCSession) { session.activate() }

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        lastMessage = message
        replyHandler([:])
    }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: Error?) {
        lastMessage = ["failed": userInfoTransfer.userInfo]
    }
}
