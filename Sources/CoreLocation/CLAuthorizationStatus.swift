/// Whether an app may use locations.
public enum CLAuthorizationStatus: Int32, Sendable {
    /// Nobody was asked yet. Never on Linux.
    case notDetermined = 0
    /// The system does not allow it, whatever the user says. Never on Linux.
    case restricted = 1
    /// Location services are off or refused: what every manager on Linux has.
    case denied = 2
    /// In the background too. Never on Linux.
    case authorizedAlways = 3
    /// While the app is in use. Never on Linux.
    case authorizedWhenInUse = 4

    /// The older name of ``authorizedAlways``.
    @available(iOS, deprecated: 8.0, renamed: "authorizedAlways")
    public static var authorized: Self { .authorizedAlways }
}

/// How exact the locations are that an app gets.
public enum CLAccuracyAuthorization: Int, Sendable {
    /// As exact as the receiver is. Never on Linux.
    case fullAccuracy = 0
    /// Some kilometres wide: what every manager on Linux says, which has no locations to make less exact.
    case reducedAccuracy = 1
}

/// What an app needs locations for.
public enum CLActivityType: Int, Sendable {
    /// Anything that no other case names: a manager's value at first.
    case other = 1
    /// In a car.
    case automotiveNavigation = 2
    /// On foot, on a bicycle, in any sport.
    case fitness = 3
    /// In another vehicle, such as a boat or a train.
    case otherNavigation = 4
    /// In the air.
    case airborne = 5
}
