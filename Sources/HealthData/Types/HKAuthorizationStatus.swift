/// Whether an app may write samples of a type. It contains nothing about reading, which apps never learn.
public enum HKAuthorizationStatus: Int, Sendable {
    /// The user has not decided yet.
    case notDetermined = 0
    /// The user refused.
    case sharingDenied = 1
    /// The user allowed it.
    case sharingAuthorized = 2
}

/// Whether a request for a set of permissions would show a prompt.
public enum HKAuthorizationRequestStatus: Int, Sendable {
    /// The status could not be determined. The error has the reason.
    case unknown = 0
    /// At least one of the types was never requested.
    case shouldRequest = 1
    /// Every type was requested before.
    case unnecessary = 2
}
