public import Foundation

public let kCLErrorDomain = "kCLErrorDomain"

/// Why locations do not come. Raw values as in Apple's documentation of `CLError.Code`.
public struct CLError: CustomNSError, Hashable, Sendable {
    public enum Code: Int, Sendable {
        case locationUnknown = 0
        case denied = 1
        case network = 2
        case headingFailure = 3
        case regionMonitoringDenied = 4
        case regionMonitoringFailure = 5
        case regionMonitoringSetupDelayed = 6
        case regionMonitoringResponseDelayed = 7
        case geocodeFoundNoResult = 8
        case geocodeFoundPartialResult = 9
        case geocodeCanceled = 10
        case deferredFailed = 11
        case deferredNotUpdatingLocation = 12
        case deferredAccuracyTooLow = 13
        case deferredDistanceFiltered = 14
        case deferredCanceled = 15
        case rangingUnavailable = 16
        case rangingFailure = 17
        case promptDeclined = 18

        /// Lets `catch CLError.denied` match, also an `NSError` of the domain.
        public static func ~= (code: Self, error: any Error) -> Bool {
            if let error = error as? CLError { return error.code == code }
            let error = error as NSError
            return error.domain == kCLErrorDomain && error.code == code.rawValue
        }
    }

    public let code: Code
    private let words: String?

    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        words = userInfo[NSLocalizedDescriptionKey] as? String
    }

    public static var locationUnknown: Code { .locationUnknown }
    public static var denied: Code { .denied }
    public static var network: Code { .network }
    public static var headingFailure: Code { .headingFailure }

    public static var errorDomain: String { kCLErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { words.map { [NSLocalizedDescriptionKey: $0] } ?? [:] }
    public var userInfo: [String: Any] { errorUserInfo }
    public var localizedDescription: String { words ?? (self as NSError).localizedDescription }
}
