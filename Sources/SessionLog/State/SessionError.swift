/// Why a session refuses a call, or what has happened to it. HealthKit reports it as its own error with the same message.
package struct SessionError: Error, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The call has an invalid argument, or comes in the wrong order.
        case invalidArgument
        /// Another session of this device began to run.
        case anotherSessionStarted
        /// The workout takes no activity of this type.
        case activityNotAllowed
        /// More data for the other side than may be sent at once.
        case dataSizeExceeded
        /// The journal or the store cannot be written.
        case storageInaccessible
        /// A sensor or another machine delivers nothing.
        case dataUnavailable
    }

    package let kind: Kind
    /// What failed, why, and what to do next.
    package let description: String
    package let cause: (any Error)?

    package init(_ kind: Kind, _ description: String, cause: (any Error)? = nil) {
        self.kind = kind
        self.description = description
        self.cause = cause
    }
}
