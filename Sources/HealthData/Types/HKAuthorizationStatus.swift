/// Whether an app may write samples of a type. Says nothing of reading: that is never told.
public enum HKAuthorizationStatus: Int, Sendable {
    /// The user was not asked yet.
    case notDetermined = 0
    /// The user refused.
    case sharingDenied = 1
    /// The user allowed it.
    case sharingAuthorized = 2
}

/// Whether asking for a set of rights would show the user anything.
public enum HKAuthorizationRequestStatus: Int, Sendable {
    /// Could not be found out; the error says why.
    case unknown = 0
    /// At least one of the types was never asked for.
    case shouldRequest = 1
    /// Every type was asked for before.
    case unnecessary = 2
}
