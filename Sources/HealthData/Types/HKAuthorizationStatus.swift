/// Whether an app may write samples of a type. Says nothing of reading: that is never told.
public enum HKAuthorizationStatus: Int, Sendable {
    /// The user was not asked yet.
    case notDetermined = 0
    /// The user refused.
    case sharingDenied = 1
    /// The user allowed it.
    case sharingAuthorized = 2
}
