public import Foundation
import Synchronization

/// Whether a session is active.
public enum WCSessionActivationState: Int, Sendable { case notActivated, inactive, activated }

/// Receives messages of the companion. On Linux all methods except the first are optional, because files for the watch lack those that the phone needs.
/// Source: <https://developer.apple.com/documentation/watchconnectivity/wcsessiondelegate>.
public protocol WCSessionDelegate: NSObjectProtocol {
    /// Activating has ended. On Linux it always fails with `WCError.sessionNotSupported`.
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
        error: (any Error)?)
    /// The session will change to another watch.
    func sessionDidBecomeInactive(_ session: WCSession)
    /// The session has changed to another watch.
    func sessionDidDeactivate(_ session: WCSession)
    /// The watch was paired, or the app installed.
    func sessionWatchStateDidChange(_ session: WCSession)
    /// The companion came into reach or left it.
    func sessionReachabilityDidChange(_ session: WCSession)
    /// The companion's app was installed or removed.
    func sessionCompanionAppInstalledDidChange(_ session: WCSession)
    /// A message came.
    func session(_ session: WCSession, didReceiveMessage message: [String: Any])
    /// A message came that wants an answer.
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void)
    /// Bytes came.
    func session(_ session: WCSession, didReceiveMessageData messageData: Data)
    /// Bytes came that want an answer.
    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void)
    /// The companion's state came.
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any])
    /// Values came.
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any])
    /// Values were sent.
    func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?)
    /// A file came.
    func session(_ session: WCSession, didReceive file: WCSessionFile)
    /// A file was sent.
    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?)
}

extension WCSessionDelegate {
    public func sessionDidBecomeInactive(_ session: WCSession) {}
    public func sessionDidDeactivate(_ session: WCSession) {}
    public func sessionWatchStateDidChange(_ session: WCSession) {}
    public func sessionReachabilityDidChange(_ session: WCSession) {}
    public func sessionCompanionAppInstalledDidChange(_ session: WCSession) {}
    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {}
    public func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void
    ) {}
    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {}
    public func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {}
    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {}
    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {}
    public func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {}
    public func session(_ session: WCSession, didReceive file: WCSessionFile) {}
    public func session(
        _ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?
    ) {}
}

/// The connection to the app on the paired phone or watch, which Linux does not have.
///
/// ``isSupported()`` is false, as on an iPad. Whatever an app sends all the same fails with `WCError.sessionNotSupported`, by the
/// error of the call; nothing is lost silently. `HKWorkoutSession.sendToRemoteWorkoutSession(data:)` carries data between two
/// machines that mirror a session. The delegate and all handlers are called on a serial queue in the background.
/// Source: <https://developer.apple.com/documentation/watchconnectivity/wcsession>.
public final class WCSession: NSObject, Sendable {
    private static let session = WCSession()
    private let held = Mutex(Weak())
    private let queue = DispatchQueue(label: "WCSession")

    // The delegate is reached only through the lock, and called on the queue alone, as Apple promises.
    private struct Weak: @unchecked Sendable { weak var delegate: (any WCSessionDelegate)? }

    private override init() { super.init() }

    /// False.
    public class func isSupported() -> Bool { false }

    /// The one session.
    public class var `default`: WCSession { session }

    /// Receives the session's events. Held weakly.
    public var delegate: (any WCSessionDelegate)? {
        get { held.withLock { Weak(delegate: $0.delegate) }.delegate }
        set {
            let new = Weak(delegate: newValue)
            held.withLock { $0 = new }
        }
    }

    /// Tells the delegate that the session is not supported.
    public func activate() {
        queue.async {
            self.delegate?.session(
                self, activationDidCompleteWith: .notActivated, error: WCError(.sessionNotSupported))
        }
    }

    /// Not activated.
    public var activationState: WCSessionActivationState { .notActivated }
    /// False.
    public var isReachable: Bool { false }
    /// False.
    public var isPaired: Bool { false }
    /// False.
    public var isWatchAppInstalled: Bool { false }
    /// False.
    public var isCompanionAppInstalled: Bool { false }
    /// False.
    public var isComplicationEnabled: Bool { false }
    /// 0.
    public var remainingComplicationUserInfoTransfers: Int { 0 }
    /// False.
    public var hasContentPending: Bool { false }
    /// False.
    public var iOSDeviceNeedsUnlockAfterRebootForReachability: Bool { false }
    /// Nil.
    public var watchDirectoryURL: URL? { nil }
    /// Empty: no state can be sent.
    public var applicationContext: [String: Any] { [:] }
    /// Empty: no state comes.
    public var receivedApplicationContext: [String: Any] { [:] }
    /// Empty.
    public var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] { [] }
    /// Empty.
    public var outstandingFileTransfers: [WCSessionFileTransfer] { [] }

    /// Calls the error's handler: there is no companion.
    public func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?,
        errorHandler: ((any Error) -> Void)? = nil
    ) {
        fail(errorHandler)
    }

    /// Calls the error's handler: there is no companion.
    public func sendMessageData(
        _ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        fail(errorHandler)
    }

    /// Throws: there is no companion.
    public func updateApplicationContext(_ applicationContext: [String: Any]) throws {
        throw WCError(.sessionNotSupported)
    }

    /// Tells the delegate that the transfer failed: there is no companion.
    @discardableResult
    public func transferUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        let transfer = WCSessionUserInfoTransfer(userInfo: userInfo)
        queue.async { self.delegate?.session(self, didFinish: transfer, error: WCError(.sessionNotSupported)) }
        return transfer
    }

    /// Tells the delegate that the transfer failed: there is no companion.
    @discardableResult
    public func transferCurrentComplicationUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        transferUserInfo(userInfo)
    }

    /// Tells the delegate that the transfer failed: there is no companion.
    @discardableResult
    public func transferFile(_ file: URL, metadata: [String: Any]? = nil) -> WCSessionFileTransfer {
        let transfer = WCSessionFileTransfer(file: WCSessionFile(fileURL: file, metadata: metadata))
        queue.async { self.delegate?.session(self, didFinish: transfer, error: WCError(.sessionNotSupported)) }
        return transfer
    }

    private func fail(_ handler: ((any Error) -> Void)?) {
        guard let handler else { return }
        // The handler is the app's, which expects it on a background queue.
        nonisolated(unsafe) let unsafeHandler = handler
        queue.async { unsafeHandler(WCError(.sessionNotSupported)) }
    }
}

/// Values on their way to the companion.
// What it holds never changes.
public final class WCSessionUserInfoTransfer: NSObject, @unchecked Sendable {
    /// The values.
    public let userInfo: [String: Any]
    /// False: the transfer has failed already.
    public var isTransferring: Bool { false }
    /// False.
    public var isCurrentComplicationInfo: Bool { false }
    /// Nothing to do: the transfer has failed already.
    public func cancel() {}

    init(userInfo: [String: Any]) { self.userInfo = userInfo }
}

/// A file from or for the companion.
// What it holds never changes.
public final class WCSessionFile: NSObject, @unchecked Sendable {
    /// Where the file is.
    public let fileURL: URL
    /// What came with it.
    public let metadata: [String: Any]?

    init(fileURL: URL, metadata: [String: Any]?) {
        self.fileURL = fileURL
        self.metadata = metadata
    }
}

/// A file on its way to the companion.
// What it holds never changes.
public final class WCSessionFileTransfer: NSObject, @unchecked Sendable {
    /// The file.
    public let file: WCSessionFile
    /// False: the transfer has failed already.
    public var isTransferring: Bool { false }
    /// How far the transfer is.
    public let progress = Progress(totalUnitCount: 1)
    /// Nothing to do: the transfer has failed already.
    public func cancel() {}

    init(file: WCSessionFile) { self.file = file }
}
