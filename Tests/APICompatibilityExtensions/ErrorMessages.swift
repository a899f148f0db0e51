// App code: shows the user what went wrong.

import HealthKit

enum ErrorMessages {
    static func text(for error: any Error) -> String {
        guard let error = error as? HKError else { return error.localizedDescription }
        switch error.code {
        case .errorHealthDataUnavailable: return "not available"
        case .errorHealthDataRestricted: return "restricted"
        case .errorInvalidArgument: return "invalid"
        case .errorAuthorizationDenied: return "denied"
        case .errorAuthorizationNotDetermined: return "not asked"
        case .errorDatabaseInaccessible: return "locked"
        case .errorUserCanceled: return "cancelled"
        case .errorAnotherWorkoutSessionStarted, .errorUserExitedWorkoutSession: return "over"
        case .errorNoData: return "no data"
        case .noError: return "none"
        case .unknownError: return "unknown"
        default: return "other"
        }
    }

    static func isLocked(_ error: (any Error)?) -> Bool {
        if let error = error as? HKError, error.code == .errorDatabaseInaccessible { return true }
        if case HKError.errorDatabaseInaccessible? = error { return true }
        guard let error = error as NSError? else { return false }
        return error.domain == HKErrorDomain && error.code == HKError.Code.errorDatabaseInaccessible.rawValue
    }

    static func bridged(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == HKError.errorDomain && error.code == HKError.errorAuthorizationDenied.rawValue
    }

    static func attempt(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "fine"
        } catch HKError.errorAuthorizationDenied, HKError.errorAuthorizationNotDetermined {
            return "rights"
        } catch let error as HKError where error.code == .errorNoData {
            return "empty"
        } catch let error as HKError {
            return "code \(error.errorCode)"
        } catch {
            return "else"
        }
    }

    static func unavailable() -> any Error { HKError(.errorHealthDataUnavailable) }
    static func unavailableCode() -> HKError.Code { HKError.errorHealthDataUnavailable }
}
