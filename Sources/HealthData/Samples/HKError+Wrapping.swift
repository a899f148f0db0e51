import Recordings

extension HKError {
    /// Any error as one of Apple's, with the cause attached; data that HealthKit does not take is an invalid argument.
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

/// An error of a module above, of whoever gave the value that it is about.
package protocol InvalidArgument: Error, CustomStringConvertible {}
