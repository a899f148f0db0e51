public import Foundation

/// The domain of every HealthKit error.
public let HKErrorDomain = "com.apple.healthkit"

/// The key of an error's `userInfo` under which the validation errors of a clinical document stand.
public let HKDetailedCDAValidationErrorKey = "HKDetailedCDAValidationErrorKey"

/// What HealthKit reports when something cannot be done. Names the reason by its code; `userInfo` has the words under
/// `NSLocalizedDescriptionKey` and the cause, when there is one, under `NSUnderlyingErrorKey`.
///
/// Where Apple's class raises an exception because the program is wrong, this module traps with a sentence instead.
public struct HKError: CustomNSError, Hashable, Sendable {
    // A dictionary of Any is not Sendable; NSError, which never changes, holds one that may cross threads.
    private let error: NSError

    /// An error of HealthKit's domain; `userInfo` as `NSError` has it.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        error = NSError(domain: HKErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// An error of another domain keeps its words and becomes an unknown one.
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

    /// ``HKErrorDomain``.
    public static var errorDomain: String { HKErrorDomain }

    /// The reason.
    public var code: Code { Code(rawValue: error.code) ?? .unknownError }
    /// The words and the cause.
    public var userInfo: [String: Any] { error.userInfo }

    /// The raw value of `code`, as `NSError` has it.
    public var errorCode: Int { error.code }
    /// The same as ``userInfo``.
    public var errorUserInfo: [String: Any] { error.userInfo }

    /// The words that go with this one error; those of Foundation when it has none of its own.
    public var localizedDescription: String { error.localizedDescription }

    /// Equal when the code and all of `userInfo` are.
    public static func == (a: HKError, b: HKError) -> Bool {
        a.code == b.code && (a.userInfo as NSDictionary).isEqual(to: b.userInfo)
    }

    /// By the code alone: `NSError` of swift-corelibs-foundation traps when it is asked for its hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension HKError {
    /// Why something cannot be done.
    public enum Code: Int, Sendable {
        /// None of the others; the words and the cause say more.
        case unknownError = 0
        /// There is no health store on this machine.
        case errorHealthDataUnavailable = 1
        /// The administrator of this machine does not allow it.
        case errorHealthDataRestricted = 2
        /// What the app handed over cannot be used.
        case errorInvalidArgument = 3
        /// The user refused the right to write, or the app lacks an entitlement.
        case errorAuthorizationDenied = 4
        /// The app never asked for the right.
        case errorAuthorizationNotDetermined = 5
        /// The store is locked, as the machine is.
        case errorDatabaseInaccessible = 6
        /// The user broke it off.
        case errorUserCanceled = 7
        /// Another session began; this one ends.
        case errorAnotherWorkoutSessionStarted = 8
        /// The user left the app while a session ran.
        case errorUserExitedWorkoutSession = 9
        /// The user refused a type without which the app said it cannot work.
        case errorRequiredAuthorizationDenied = 10
        /// There are no samples to make statistics of.
        case errorNoData = 11
        /// The activity does not go with the configuration.
        case errorWorkoutActivityNotAllowed = 12
        /// More data for the other side of a mirrored session than may be sent at once.
        case errorDataSizeExceeded = 13
        /// The app may not begin a session in the background. Not on Linux, where there is no background.
        case errorBackgroundWorkoutSessionNotAllowed = 14
        /// A guest uses the machine: what they do is not the owner's.
        case errorNotPermissibleForGuestUserMode = 15

        /// The older name of `unknownError`.
        public static var noError: Self { .unknownError }

        /// Lets `catch HKError.errorNoData` match, also an `NSError` of HealthKit's domain.
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
    /// ``HKError/Code/errorHealthDataUnavailable``: also of a sensor or a paired machine that is not to be had; the words say
    /// which.
    public static var errorHealthDataUnavailable: Code { .errorHealthDataUnavailable }
    /// ``HKError/Code/errorHealthDataRestricted``: on Linux only with `HEALTHKIT_SIMULATE=restricted`.
    public static var errorHealthDataRestricted: Code { .errorHealthDataRestricted }
    /// ``HKError/Code/errorInvalidArgument``: the words say which argument, and what to give instead.
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
    /// ``HKError/Code/errorAnotherWorkoutSessionStarted``: the delegate's, of the session that ended for it.
    public static var errorAnotherWorkoutSessionStarted: Code { .errorAnotherWorkoutSessionStarted }
    /// ``HKError/Code/errorUserExitedWorkoutSession``: never on Linux.
    public static var errorUserExitedWorkoutSession: Code { .errorUserExitedWorkoutSession }
    /// ``HKError/Code/errorRequiredAuthorizationDenied``: never on Linux.
    public static var errorRequiredAuthorizationDenied: Code { .errorRequiredAuthorizationDenied }
    /// ``HKError/Code/errorNoData``: no sample matches, so there is nothing to show.
    public static var errorNoData: Code { .errorNoData }
    /// ``HKError/Code/errorWorkoutActivityNotAllowed``: an activity that the workout's configuration does not take.
    public static var errorWorkoutActivityNotAllowed: Code { .errorWorkoutActivityNotAllowed }
    /// ``HKError/Code/errorDataSizeExceeded``: send less to the other side at once.
    public static var errorDataSizeExceeded: Code { .errorDataSizeExceeded }
    /// ``HKError/Code/errorBackgroundWorkoutSessionNotAllowed``: never on Linux.
    public static var errorBackgroundWorkoutSessionNotAllowed: Code { .errorBackgroundWorkoutSessionNotAllowed }
    /// ``HKError/Code/errorNotPermissibleForGuestUserMode``: of what writes, with `HEALTHKIT_SIMULATE=guest`.
    public static var errorNotPermissibleForGuestUserMode: Code { .errorNotPermissibleForGuestUserMode }
}

extension HKError {
    /// An error that says what was tried, on what, what came back and what to do now, with its cause attached.
    package static func make(_ code: Code, _ message: String, cause: (any Error)? = nil) -> HKError {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let cause { userInfo[NSUnderlyingErrorKey] = bridged(cause) }
        return HKError(code, userInfo: userInfo)
    }

    /// The cause as the NSError that Apple-style code casts to. Foundation drops the payload of a plain Swift error on the
    /// way, so that goes along as the description.
    private static func bridged(_ cause: any Error) -> NSError {
        let error = cause as NSError
        guard error.userInfo[NSLocalizedDescriptionKey] == nil else { return error }
        var userInfo = error.userInfo
        userInfo[NSLocalizedDescriptionKey] = String(describing: cause)
        return NSError(domain: error.domain, code: error.code, userInfo: userInfo)
    }
}
