import Recordings

extension HKError {
    /// Returns any error as one of Apple's, with the cause attached. An error about data that HealthKit rejects becomes
    /// an invalid argument.
    package static func wrapping(_ error: any Error) -> HKError {
        if let error = error as? HKError { return error }
        switch error {
        case let refused as SampleError: return make(.errorInvalidArgument, refused.description, cause: refused)
        case let unreadable as RecordingError:
            return make(.errorInvalidArgument, unreadable.description, cause: unreadable)
        case let invalid as any InvalidArgument:
            return make(.errorInvalidArgument, invalid.description, cause: invalid)
        default: return make(.unknownError, String(describing: error), cause: error)
        }
    }

    package static func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw wrapping(error) }
    }
}

/// An error of a higher module that is the caller's fault, because the caller passed the value.
package protocol InvalidArgument: Error, CustomStringConvertible {}
