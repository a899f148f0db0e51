public import Foundation

/// The domain of every error of ``CLError``.
public let kCLErrorDomain = "kCLErrorDomain"

/// Why locations do not come. Raw values as in Apple's documentation of `CLError.Code`.
public struct CLError: CustomNSError, Hashable, Sendable {
    /// Why locations or headings do not come. On Linux a manager reports ``denied`` and ``headingFailure`` only.
    public enum Code: Int, Sendable {
        /// None could be found out for now.
        case locationUnknown = 0
        /// Location services are off or refused: on Linux, whenever a manager is asked for locations.
        case denied = 1
        /// The network did not answer.
        case network = 2
        /// No heading could be found out: on Linux, whenever a manager is asked for one.
        case headingFailure = 3
        /// Regions may not be watched. Never on Linux.
        case regionMonitoringDenied = 4
        /// A region cannot be watched. Never on Linux.
        case regionMonitoringFailure = 5
        /// Regions are watched later only. Never on Linux.
        case regionMonitoringSetupDelayed = 6
        /// News of a region come late. Never on Linux.
        case regionMonitoringResponseDelayed = 7
        /// No place for the address. Never on Linux, where there is no `CLGeocoder`.
        case geocodeFoundNoResult = 8
        /// A place for a part of the address. Never on Linux.
        case geocodeFoundPartialResult = 9
        /// The search for an address was broken off. Never on Linux.
        case geocodeCanceled = 10
        /// Locations could not be put off. Never on Linux.
        case deferredFailed = 11
        /// Nothing to put off: updates are not on. Never on Linux.
        case deferredNotUpdatingLocation = 12
        /// The accuracy asked for is too low to put locations off. Never on Linux.
        case deferredAccuracyTooLow = 13
        /// A distance filter and putting off do not go together. Never on Linux.
        case deferredDistanceFiltered = 14
        /// Putting off was broken off. Never on Linux.
        case deferredCanceled = 15
        /// Distances to beacons cannot be measured now. Never on Linux.
        case rangingUnavailable = 16
        /// The measuring of distances to beacons failed. Never on Linux.
        case rangingFailure = 17
        /// The user closed the question for permission. Never on Linux.
        case promptDeclined = 18

        /// Lets `catch CLError.denied` match, also an `NSError` of the domain.
        public static func ~= (code: Self, error: any Error) -> Bool {
            if let error = error as? CLError { return error.code == code }
            let error = error as NSError
            return error.domain == kCLErrorDomain && error.code == code.rawValue
        }
    }

    /// The reason.
    public let code: Code
    private let words: String?

    /// - Parameter userInfo: Of it only the words under `NSLocalizedDescriptionKey` are kept.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        words = userInfo[NSLocalizedDescriptionKey] as? String
    }

    /// For `catch CLError.locationUnknown`.
    public static var locationUnknown: Code { .locationUnknown }
    /// For `catch CLError.denied`: what every request for locations ends with on Linux.
    public static var denied: Code { .denied }
    /// For `catch CLError.network`.
    public static var network: Code { .network }
    /// For `catch CLError.headingFailure`: what every request for headings ends with on Linux.
    public static var headingFailure: Code { .headingFailure }

    /// ``kCLErrorDomain``.
    public static var errorDomain: String { kCLErrorDomain }
    /// The raw value of the reason, as `NSError` has it.
    public var errorCode: Int { code.rawValue }
    /// The text under `NSLocalizedDescriptionKey`. Empty if there is none.
    public var errorUserInfo: [String: Any] { words.map { [NSLocalizedDescriptionKey: $0] } ?? [:] }
    /// The text under `NSLocalizedDescriptionKey`. Empty if there is none.
    public var userInfo: [String: Any] { errorUserInfo }
    /// The text of this error, or Foundation's if it has none.
    public var localizedDescription: String { words ?? (self as NSError).localizedDescription }
}
