public import Foundation
import Synchronization

/// A haptic that a watch plays on the wrist. Source: <https://developer.apple.com/documentation/watchkit/wkhaptictype>.
public enum WKHapticType: Int, Sendable {
    case notification = 0
    case directionUp
    case directionDown
    case success
    case failure
    case retry
    case start
    case stop
    case click
    case navigationGenericManeuver
    case navigationLeftTurn
    case navigationRightTurn
    case underwaterDepthPrompt
    case underwaterDepthCriticalPrompt
}

/// The wrist on which a watch is worn.
public enum WKInterfaceDeviceWristLocation: Int, Sendable { case left, right }

/// The side of a watch's crown.
public enum WKInterfaceDeviceCrownOrientation: Int, Sendable { case left, right }

/// The state of a battery.
public enum WKInterfaceDeviceBatteryState: Int, Sendable { case unknown, unplugged, charging, full }

/// The water resistance of a watch.
public enum WKWaterResistanceRating: Int, Sendable { case ipx7, wr50, wr100 }

/// This machine in place of a watch. Source: <https://developer.apple.com/documentation/watchkit/wkinterfacedevice>.
public final class WKInterfaceDevice: NSObject, Sendable {
    private static let device = WKInterfaceDevice()
    private let observer = Mutex(Observer())
    private let monitorsBattery = Mutex(false)

    // A function that is the value of a `Mutex` itself is wrapped once more at each access (Swift 6.3).
    private struct Observer: Sendable {
        var played: (@Sendable (WKHapticType) -> Void)?
    }

    /// This machine.
    public class func current() -> WKInterfaceDevice { device }

    /// Plays a haptic. Linux has none: it rings the terminal's bell, if standard error is a terminal, and calls the closure of ``onPlay(_:)``.
    public func play(_ type: WKHapticType) {
        observer.withLock { $0.played }?(type)
        if isatty(FileHandle.standardError.fileDescriptor) == 1 { FileHandle.standardError.write(Data([7])) }
    }

    /// Calls a closure for each haptic that the app plays from now on, on the thread of the call. Nil removes it. Only
    /// exists on Linux, for tests of apps.
    public func onPlay(_ closure: (@Sendable (WKHapticType) -> Void)?) { observer.withLock { $0.played = closure } }

    /// The machine's name on the network.
    public var name: String { ProcessInfo.processInfo.hostName }
    /// `Linux`.
    public var model: String { "Linux" }
    /// `Linux`.
    public var localizedModel: String { model }
    /// `Linux`.
    public var systemName: String { "Linux" }
    /// The distribution and its version.
    public var systemVersion: String { ProcessInfo.processInfo.operatingSystemVersionString }
    /// Always nil, because Linux gives an app no identifier of its own.
    public var identifierForVendor: UUID? { nil }

    /// Zero, because there is no screen.
    public var screenBounds: CGRect { .zero }
    /// One point is one pixel.
    public var screenScale: CGFloat { 1 }

    /// Whether the app monitors the battery.
    public var isBatteryMonitoringEnabled: Bool {
        get { monitorsBattery.withLock { $0 } }
        set { monitorsBattery.withLock { $0 = newValue } }
    }
    /// Always -1, Apple's value for an unknown level.
    public var batteryLevel: Float { -1 }
    /// Always unknown.
    public var batteryState: WKInterfaceDeviceBatteryState { .unknown }

    /// Always left.
    public var wristLocation: WKInterfaceDeviceWristLocation { .left }
    /// Always right.
    public var crownOrientation: WKInterfaceDeviceCrownOrientation { .right }
    /// The lowest rating.
    public var waterResistanceRating: WKWaterResistanceRating { .ipx7 }
    /// Always false, because there is no screen to lock.
    public var isWaterLockEnabled: Bool { false }
    /// Only prints a notice on standard error, because there is no screen to lock.
    public func enableWaterLock() { LinuxNotice.write("enableWaterLock()", "there is no screen to lock") }
    /// Always false.
    public var supportsAudioStreaming: Bool { false }
}
