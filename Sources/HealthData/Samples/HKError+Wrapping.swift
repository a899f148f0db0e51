import SessionLog

extension HKError {
    /// Returns any error as one of Apple's, with the cause attached. An error about data that HealthKit rejects becomes
    /// an invalid argument.
    package static func wrapping(_ error: any Error) -> HKError {
        if let error = error as? HKError { return error }
        switch error {
        case let session as SessionError: return make(Code(session.kind), session.description, cause: session.cause)
        case let refused as SampleError: return make(.errorInvalidArgument, refused.description, cause: refused)
        case let folder as UntrustedFolder: return make(.errorDatabaseInaccessible, folder.description, cause: folder)
        case let invalid as any InvalidArgument:
            return make(.errorInvalidArgument, invalid.description, cause: invalid)
        default: return make(.unknownError, String(describing: error), cause: error)
        }
    }

    package static func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw wrapping(error) }
    }
}

extension HKError.Code {
    fileprivate init(_ kind: SessionError.Kind) {
        self =
            switch kind {
            case .invalidArgument: .errorInvalidArgument
            case .anotherSessionStarted: .errorAnotherWorkoutSessionStarted
            case .activityNotAllowed: .errorWorkoutActivityNotAllowed
            case .dataSizeExceeded: .errorDataSizeExceeded
            case .storageInaccessible: .errorDatabaseInaccessible
            case .dataUnavailable: .errorHealthDataUnavailable
            }
    }
}
