/// Whether an app may write samples of a type. Says nothing of reading: that is never told.
public enum HKAuthorizationStatus: Int, Sendable {
    /// The user was not asked yet.
    case notDetermined = 0
    case sharingDenied = 1
    case sharingAuthorized = 2
}
