public import Foundation
import Synchronization

/// The state of an extended runtime session.
public enum WKExtendedRuntimeSessionState: Int, Sendable { case notStarted, scheduled, running, invalid }

/// The reason why an extended runtime session ended.
public enum WKExtendedRuntimeSessionInvalidationReason: Int, Sendable {
    case none = 0
    case sessionInProgress = 1
    case expired = 2
    case resignedFrontmost = 3
    case suppressedBySystem = 4
    case error = -1
}

/// Receives the events of an extended runtime session.
/// Source: <https://developer.apple.com/documentation/watchkit/wkextendedruntimesessiondelegate>.
public protocol WKExtendedRuntimeSessionDelegate: NSObjectProtocol {
    /// Called when the session has begun.
    func extendedRuntimeSessionDidStart(_ extendedRuntimeSession: WKExtendedRuntimeSession)
    /// Called when the session will end soon. Linux never calls it, because only the app ends a session.
    func extendedRuntimeSessionWillExpire(_ extendedRuntimeSession: WKExtendedRuntimeSession)
    /// Called when the session has ended.
    func extendedRuntimeSession(
        _ extendedRuntimeSession: WKExtendedRuntimeSession,
        didInvalidateWith reason: WKExtendedRuntimeSessionInvalidationReason, error: (any Error)?)
}

/// Time in the background. Linux lets every process run, so a session only has states, which change when the app starts and invalidates it.
///
/// The delegate is called on a serial queue in the background.
/// Source: <https://developer.apple.com/documentation/watchkit/wkextendedruntimesession>.
public final class WKExtendedRuntimeSession: NSObject, Sendable {
    // The delegate is read and called on the queue alone.
    private struct Held: @unchecked Sendable {
        weak var delegate: (any WKExtendedRuntimeSessionDelegate)?
        var state = WKExtendedRuntimeSessionState.notStarted
    }

    private let held = Mutex(Held())
    private let queue = DispatchQueue(label: "WKExtendedRuntimeSession")

    /// Receives the session's events. Held weakly.
    public weak var delegate: (any WKExtendedRuntimeSessionDelegate)? {
        get { held.withLock { held in Unchecked(held.delegate) }.value }
        set {
            let delegate = Unchecked(newValue)
            held.withLock { $0.delegate = delegate.value }
        }
    }

    /// The state of the session.
    public var state: WKExtendedRuntimeSessionState { held.withLock { $0.state } }

    /// Always nil, because no session ends by itself.
    public var expirationDate: Date? { nil }

    /// Begins the session. One that has begun or ended does not begin again.
    public func start() {
        let began = held.withLock { held in
            guard held.state == .notStarted || held.state == .scheduled else { return false }
            held.state = .running
            return true
        }
        if began { call { $0.extendedRuntimeSessionDidStart($1) } }
    }

    /// Begins the session at a date.
    public func start(at date: Date) {
        held.withLock { if $0.state == .notStarted { $0.state = .scheduled } }
        queue.asyncAfter(deadline: .now() + max(0, date.timeIntervalSinceNow)) { self.start() }
    }

    /// Ends the session.
    public func invalidate() {
        let ended = held.withLock { held in
            guard held.state != .invalid else { return false }
            held.state = .invalid
            return true
        }
        if ended { call { $0.extendedRuntimeSession($1, didInvalidateWith: .none, error: nil) } }
    }

    /// Plays a haptic for an alarm, once.
    public func notifyUser(
        hapticType type: WKHapticType,
        repeatHandler: ((UnsafeMutablePointer<WKHapticType>) -> TimeInterval)? = nil
    ) {
        WKInterfaceDevice.current().play(type)
    }

    private func call(
        _ body: @escaping @Sendable (any WKExtendedRuntimeSessionDelegate, WKExtendedRuntimeSession) -> Void
    ) {
        queue.async { if let delegate = self.delegate { body(delegate, self) } }
    }
}

/// Carries a value across a lock. Delegates are the app's: that they may be called from any thread is Apple's promise too.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
