public import Foundation

/// The domain of every HealthKit error.
public let HKErrorDomain = "com.apple.healthkit"

/// The key in an error's `userInfo` for the validation errors of a clinical document.
public let HKDetailedCDAValidationErrorKey = "HKDetailedCDAValidationErrorKey"

/// An error of HealthKit.
///
/// ``code`` is the reason. `userInfo` has the message under `NSLocalizedDescriptionKey`, and the cause, if there is
/// one, under `NSUnderlyingErrorKey`.
///
/// If Apple's class raises an exception because the program is wrong, this module traps with a message instead.
public struct HKError: CustomNSError, Hashable, Sendable {
    // A dictionary of Any is not Sendable. NSError is immutable and holds one that may cross threads.
    private let error: NSError

    /// Creates an error of HealthKit's domain, with the `userInfo` of an `NSError`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        error = NSError(domain: HKErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// Creates an error from one of another domain, which keeps its message and gets the code `unknownError`.
    public init(_nsError error: NSError) {
        let belongs = error.domain == HKErrorDomain && Code(rawValue: error.code) != nil
        self.error =
            belongs
            ? error
            : NSError(
                domain: HKErrorDomain, code: Code.unknownError.rawValue,
                userInfo: [
                    NSLocalizedDescriptionKey: error.localizedDescription, NSUnderlyingErrorKey: error,
                ])
    }

    /// The domain: ``HKErrorDomain``.
    public static var errorDomain: String { HKErrorDomain }

    /// The reason for the error.
    public var code: Code { Code(rawValue: error.code) ?? .unknownError }
    /// The message and the cause.
    public var userInfo: [String: Any] { error.userInfo }

    /// The raw value of `code`, as in `NSError`.
    public var errorCode: Int { error.code }
    /// The same as ``userInfo``.
    public var errorUserInfo: [String: Any] { error.userInfo }

    /// The message of this error, or Foundation's if it has none of its own.
    public var localizedDescription: String { error.localizedDescription }

    /// Returns whether the code and all of `userInfo` are equal.
    public static func == (a: HKError, b: HKError) -> Bool {
        a.code == b.code && (a.userInfo as NSDictionary).isEqual(to: b.userInfo)
    }

    /// Hashes the code alone, because `NSError` of swift-corelibs-foundation traps if its hash is read.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension HKError {
    /// The reason for an error.
    public enum Code: Int, Sendable {
        /// An error without a code of its own. The message and the cause have the details.
        case unknownError = 0
        /// There is no health store on this machine.
        case errorHealthDataUnavailable = 1
        /// The administrator of this machine does not allow access.
        case errorHealthDataRestricted = 2
        /// A value that the app passed cannot be used.
        case errorInvalidArgument = 3
        /// The user refused permission to write, or the app lacks an entitlement.
        case errorAuthorizationDenied = 4
        /// The app never requested permission.
        case errorAuthorizationNotDetermined = 5
        /// The store is locked, because the device is.
        case errorDatabaseInaccessible = 6
        /// The user cancelled the operation.
        case errorUserCanceled = 7
        /// Another session began, so this one ends.
        case errorAnotherWorkoutSessionStarted = 8
        /// The user left the app during a session.
        case errorUserExitedWorkoutSession = 9
        /// The user refused a type that the app declares as required.
        case errorRequiredAuthorizationDenied = 10
        /// There are no samples for the statistics.
        case errorNoData = 11
        /// The activity does not match the configuration of the workout.
        case errorWorkoutActivityNotAllowed = 12
        /// The data for the other side of a mirrored session exceeds what may be sent at once.
        case errorDataSizeExceeded = 13
        /// The app may not begin a session in the background. Never occurs on Linux, which has no background.
        case errorBackgroundWorkoutSessionNotAllowed = 14
        /// A guest uses the device, whose data must not be added to the owner's.
        case errorNotPermissibleForGuestUserMode = 15

        /// The older name of `unknownError`.
        public static var noError: Self { .unknownError }

        /// Returns whether an error has this code, so that `catch HKError.errorNoData` works. Also matches an `NSError`
        /// of HealthKit's domain.
        public static func ~= (code: Self, error: any Error) -> Bool {
            if let error = error as? HKError { return error.code == code }
            let error = error as NSError
            return error.domain == HKErrorDomain && error.code == code.rawValue
        }
    }

    /// ``HKError/Code/unknownError``, for `catch HKError.unknownError`.
    public static var unknownError: Code { .unknownError }
    /// The older name of ``unknownError``.
    public static var noError: Code { .unknownError }
    /// ``HKError/Code/errorHealthDataUnavailable``. Also used if a sensor or a paired machine is not available. The
    /// message shows which.
    public static var errorHealthDataUnavailable: Code { .errorHealthDataUnavailable }
    /// ``HKError/Code/errorHealthDataRestricted``: on Linux only with `HEALTHKIT_SIMULATE=restricted`.
    public static var errorHealthDataRestricted: Code { .errorHealthDataRestricted }
    /// ``HKError/Code/errorInvalidArgument``. The message shows which argument, and what to pass instead.
    public static var errorInvalidArgument: Code { .errorInvalidArgument }
    /// ``HKError/Code/errorAuthorizationDenied``: the user refused; asking again does not help.
    public static var errorAuthorizationDenied: Code { .errorAuthorizationDenied }
    /// ``HKError/Code/errorAuthorizationNotDetermined``: call ``HKHealthStore/requestAuthorization(toShare:read:completion:)``
    /// first.
    public static var errorAuthorizationNotDetermined: Code { .errorAuthorizationNotDetermined }
    /// ``HKError/Code/errorDatabaseInaccessible``: try again once the device is unlocked.
    public static var errorDatabaseInaccessible: Code { .errorDatabaseInaccessible }
    /// ``HKError/Code/errorUserCanceled``: never on Linux.
    public static var errorUserCanceled: Code { .errorUserCanceled }
    /// ``HKError/Code/errorAnotherWorkoutSessionStarted``. The delegate of the session that was ended receives it.
    public static var errorAnotherWorkoutSessionStarted: Code { .errorAnotherWorkoutSessionStarted }
    /// ``HKError/Code/errorUserExitedWorkoutSession``: never on Linux.
    public static var errorUserExitedWorkoutSession: Code { .errorUserExitedWorkoutSession }
    /// ``HKError/Code/errorRequiredAuthorizationDenied``: never on Linux.
    public static var errorRequiredAuthorizationDenied: Code { .errorRequiredAuthorizationDenied }
    /// ``HKError/Code/errorNoData``: no sample matches, so there is nothing to show.
    public static var errorNoData: Code { .errorNoData }
    /// ``HKError/Code/errorWorkoutActivityNotAllowed``: the workout's configuration does not allow the activity.
    public static var errorWorkoutActivityNotAllowed: Code { .errorWorkoutActivityNotAllowed }
    /// ``HKError/Code/errorDataSizeExceeded``: send less to the other side at once.
    public static var errorDataSizeExceeded: Code { .errorDataSizeExceeded }
    /// ``HKError/Code/errorBackgroundWorkoutSessionNotAllowed``: never on Linux.
    public static var errorBackgroundWorkoutSessionNotAllowed: Code { .errorBackgroundWorkoutSessionNotAllowed }
    /// ``HKError/Code/errorNotPermissibleForGuestUserMode``: on writing, with `HEALTHKIT_SIMULATE=guest`.
    public static var errorNotPermissibleForGuestUserMode: Code { .errorNotPermissibleForGuestUserMode }
}

extension HKError {
    /// Creates an error. Its message states what failed, on what, the result and what to do next. The cause is attached.
    package static func make(_ code: Code, _ message: String, cause: (any Error)? = nil) -> HKError {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let cause { userInfo[NSUnderlyingErrorKey] = bridged(cause) }
        return HKError(code, userInfo: userInfo)
    }

    /// Returns the cause as the NSError that Apple-style code casts to. Foundation drops the payload of a plain Swift
    /// error on the way, so it is passed along as the description.
    private static func bridged(_ cause: any Error) -> NSError {
        let error = cause as NSError
        guard error.userInfo[NSLocalizedDescriptionKey] == nil else { return error }
        var userInfo = error.userInfo
        userInfo[NSLocalizedDescriptionKey] = String(describing: cause)
        return NSError(domain: error.domain, code: error.code, userInfo: userInfo)
    }
}
