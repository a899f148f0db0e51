public import Foundation

/// Why something between a phone and a watch failed.
/// Source: <https://developer.apple.com/documentation/watchconnectivity/wcerror>.
public struct WCError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// Apple's number of the reason.
    public enum Code: Int, Sendable {
        case genericError = 7001
        case sessionNotSupported
        case sessionMissingDelegate
        case sessionNotActivated
        case deviceNotPaired
        case watchAppNotInstalled
        case notReachable
        case invalidParameter
        case payloadTooLarge
        case payloadUnsupportedTypes
        case messageReplyFailed
        case messageReplyTimedOut
        case fileAccessDenied
        case deliveryFailed
        case insufficientSpace
        case sessionInactive
        case transferTimedOut
        case companionAppNotInstalled
        case watchOnlyApp
    }

    /// The reason.
    public let code: Code

    /// An error with a reason.
    public init(_ code: Code) { self.code = code }

    /// `WCErrorDomain`.
    public static var errorDomain: String { "WCErrorDomain" }
    /// The reason's number.
    public var errorCode: Int { code.rawValue }
    /// What failed, and why.
    public var errorDescription: String? {
        code == .sessionNotSupported
            ? "WatchConnectivity is not supported on Linux: no phone and watch are paired. Mirror the workout session instead."
            : "WatchConnectivity failed: \(code)."
    }

    public static let genericError = Code.genericError
    public static let sessionNotSupported = Code.sessionNotSupported
    public static let sessionMissingDelegate = Code.sessionMissingDelegate
    public static let sessionNotActivated = Code.sessionNotActivated
    public static let deviceNotPaired = Code.deviceNotPaired
    public static let watchAppNotInstalled = Code.watchAppNotInstalled
    public static let notReachable = Code.notReachable
    public static let invalidParameter = Code.invalidParameter
    public static let payloadTooLarge = Code.payloadTooLarge
    public static let payloadUnsupportedTypes = Code.payloadUnsupportedTypes
    public static let messageReplyFailed = Code.messageReplyFailed
    public static let messageReplyTimedOut = Code.messageReplyTimedOut
    public static let fileAccessDenied = Code.fileAccessDenied
    public static let deliveryFailed = Code.deliveryFailed
    public static let insufficientSpace = Code.insufficientSpace
    public static let sessionInactive = Code.sessionInactive
    public static let transferTimedOut = Code.transferTimedOut
    public static let companionAppNotInstalled = Code.companionAppNotInstalled
    public static let watchOnlyApp = Code.watchOnlyApp
}

/// `WCErrorDomain`.
public let WCErrorDomain = WCError.errorDomain

/// So that a pattern names the code alone.
public func ~= (code: WCError.Code, error: any Error) -> Bool { (error as? WCError)?.code == code }
