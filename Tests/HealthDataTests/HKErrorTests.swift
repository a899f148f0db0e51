import Foundation
import HealthData
import Testing

struct HKErrorTests {
    private struct StrapLost: Error { let secondsAgo: Int }

    private func fail(_ error: any Error) throws { throw error }

    @Test func `an error is caught by its type`() {
        do {
            try fail(HKError(.errorAuthorizationDenied))
            Issue.record("nothing was thrown")
        } catch let error as HKError {
            switch error.code {
            case .errorAuthorizationDenied: break
            default: Issue.record("\(error.code)")
            }
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func `an error is caught by its code`() {
        do {
            try fail(HKError(.errorNoData))
            Issue.record("nothing was thrown")
        } catch HKError.errorInvalidArgument {
            Issue.record("the wrong code matched")
        } catch HKError.errorNoData {
            // Correct usage.
        } catch {
            Issue.record("\(error)")
        }
    }

    /// On Apple's systems, errors of HealthKit arrive as `NSError`, and apps pass them on as such.
    @Test func `an NSError of the domain is caught by its code`() {
        do {
            try fail(NSError(domain: HKErrorDomain, code: 5))
            Issue.record("nothing was thrown")
        } catch HKError.errorNoData {
            Issue.record("the wrong code matched")
        } catch HKError.errorAuthorizationNotDetermined {
            // Correct usage.
        } catch {
            Issue.record("\(error)")
        }
        do {
            try fail(NSError(domain: NSCocoaErrorDomain, code: 5))
        } catch HKError.errorAuthorizationNotDetermined {
            Issue.record("the wrong domain matched")
        } catch {
            // Correct usage.
        }
        #expect(HKError(_nsError: NSError(domain: HKErrorDomain, code: 5)).code == .errorAuthorizationNotDetermined)
        let other = HKError(_nsError: NSError(domain: NSCocoaErrorDomain, code: 5))
        #expect(other.code == .unknownError && other.userInfo[NSUnderlyingErrorKey] is NSError)
    }

    @Test func `an error is an NSError of the domain`() {
        let error: any Error = HKError.make(.errorDatabaseInaccessible, "the store is locked; unlock the machine")
        let bridged = error as NSError
        #expect(bridged.domain == HKErrorDomain)
        #expect(bridged.domain == "com.apple.healthkit")
        #expect(bridged.code == HKError.Code.errorDatabaseInaccessible.rawValue)
        #expect(bridged.localizedDescription == "the store is locked; unlock the machine")
        #expect(error.localizedDescription == "the store is locked; unlock the machine")
        #expect(HKError.errorDomain == HKErrorDomain)
    }

    @Test func `the cause is included with its message`() throws {
        let error = HKError.make(.unknownError, "the session ended", cause: StrapLost(secondsAgo: 7))
        let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(cause.localizedDescription.contains("secondsAgo: 7"))
        #expect((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError === cause)
    }

    @Test func `a cause with its own message keeps it`() throws {
        let inner = HKError.make(.errorNoData, "no samples", cause: CocoaError(.fileNoSuchFile))
        let outer = HKError.make(.unknownError, "no statistics", cause: inner)
        let cause = try #require(outer.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(cause.domain == HKErrorDomain && cause.code == 11)
        #expect(cause.localizedDescription == "no samples")
    }

    @Test func `errors are equal if their code and user information are`() {
        #expect(HKError(.errorNoData) == HKError(.errorNoData))
        #expect(HKError(.errorNoData) != HKError(.unknownError))
        let some = HKError.make(.errorNoData, "none", cause: StrapLost(secondsAgo: 1))
        #expect(some == HKError.make(.errorNoData, "none", cause: StrapLost(secondsAgo: 1)))
        #expect(some != HKError.make(.errorNoData, "nothing"))
        #expect(Set([some, HKError(.errorNoData), HKError(.errorNoData)]).count == 2)
    }

    @Test func `codes have Apple's values`() {
        let codes: [HKError.Code] = [
            HKError.unknownError, HKError.errorHealthDataUnavailable, HKError.errorHealthDataRestricted,
            HKError.errorInvalidArgument, HKError.errorAuthorizationDenied, HKError.errorAuthorizationNotDetermined,
            HKError.errorDatabaseInaccessible, HKError.errorUserCanceled, HKError.errorAnotherWorkoutSessionStarted,
            HKError.errorUserExitedWorkoutSession, HKError.errorRequiredAuthorizationDenied, HKError.errorNoData,
            HKError.errorWorkoutActivityNotAllowed, HKError.errorDataSizeExceeded,
            HKError.errorBackgroundWorkoutSessionNotAllowed, HKError.errorNotPermissibleForGuestUserMode,
        ]
        #expect(codes.map(\.rawValue) == Array(0...15))
        #expect(HKError.noError == .unknownError)
        #expect(HKError.Code.noError == .unknownError)
    }
}
