import Recordings

extension HKError {
    /// Any error as one of Apple's, with the cause attached; data that HealthKit does not take is an invalid argument.
    package static func wrapping(_ error: any Error) -> HKError {
        if let error = error as? HKError { return error }
        switch error {
        case let refused as SampleError: return make(.errorInvalidArgument, refused.description, cause: refused)
        case let unreadable as RecordingError:
            return make(.errorInvalidArgument, unreadable.description, cause: unreadable)
        case let profile as WorkoutProfileError:
            return make(.errorInvalidArgument, profile.description, cause: profile)
        default: return make(.unknownError, String(describing: error), cause: error)
        }
    }

    package static func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw wrapping(error) }
    }
}
