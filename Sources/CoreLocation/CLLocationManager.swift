public import Foundation
import Synchronization

/// Delivers locations of a receiver, which no Linux machine can be counted on to have.
///
/// Apps compile and run as on a device with location services turned off: the user is not asked for permission, the
/// status is ``CLAuthorizationStatus/denied``, no location and no heading comes, and the delegate gets
/// ``CLError/Code/denied`` or ``CLError/Code/headingFailure`` for each request. Positions of workouts come from
/// recordings and sensors instead (`HKWorkoutRouteQuery`). The delegate is called on the main queue.
// Sendable holds: the delegate is behind a lock; the settings are behind another.
open class CLLocationManager: NSObject, @unchecked Sendable {
    /// The app's request, which is stored and has no effect.
    private struct Settings {
        var activityType = CLActivityType.other
        var desiredAccuracy = kCLLocationAccuracyBest
        var distanceFilter = kCLDistanceFilterNone
        var headingFilter: CLLocationDegrees = 1
        var pausesAutomatically = true
        var allowsBackground = false
        var showsIndicator = false
    }

    /// Weak, and handed between threads under a lock only.
    private struct DelegateBox: @unchecked Sendable {
        weak var delegate: (any CLLocationManagerDelegate)?
    }

    private let settings = Mutex(Settings())
    private let box = Mutex(DelegateBox())

    /// May be made on any thread: the delegate is called on the main queue all the same.
    public override init() {}

    /// Not held. It is notified of the authorization status soon after it is set.
    open var delegate: (any CLLocationManagerDelegate)? {
        get { box.withLock { $0.delegate } }
        set {
            box.withLock { $0.delegate = newValue }
            notify { $0.locationManagerDidChangeAuthorization($1) }
        }
    }

    // MARK: Services

    /// False: there is no location service.
    open class func locationServicesEnabled() -> Bool { false }
    /// False: there is no compass.
    open class func headingAvailable() -> Bool { false }
    /// False, because nothing reports changes of the location.
    open class func significantLocationChangeMonitoringAvailable() -> Bool { false }
    /// False: there are no beacons.
    open class func isRangingAvailable() -> Bool { false }

    /// Denied, as on a device whose location services are turned off.
    open var authorizationStatus: CLAuthorizationStatus { .denied }
    /// Denied, as the property of every manager is.
    @available(iOS, deprecated: 14.0, message: "Use the property of a manager")
    open class func authorizationStatus() -> CLAuthorizationStatus { .denied }
    /// Reduced: no location comes that could be exact.
    open var accuracyAuthorization: CLAccuracyAuthorization { .reducedAccuracy }
    /// Nil: none ever came.
    open var location: CLLocation? { nil }
    /// Nil: none ever came.
    open var heading: CLHeading? { nil }

    // MARK: Requests of an app

    /// Kept, and without effect.
    open var activityType: CLActivityType {
        get { settings.withLock { $0.activityType } }
        set { settings.withLock { $0.activityType = newValue } }
    }
    /// In metres.
    open var desiredAccuracy: CLLocationAccuracy {
        get { settings.withLock { $0.desiredAccuracy } }
        set { settings.withLock { $0.desiredAccuracy = newValue } }
    }
    /// In metres.
    open var distanceFilter: CLLocationDistance {
        get { settings.withLock { $0.distanceFilter } }
        set { settings.withLock { $0.distanceFilter = newValue } }
    }
    /// In degrees.
    open var headingFilter: CLLocationDegrees {
        get { settings.withLock { $0.headingFilter } }
        set { settings.withLock { $0.headingFilter = newValue } }
    }
    /// Kept, and without effect: there are no updates to pause.
    open var pausesLocationUpdatesAutomatically: Bool {
        get { settings.withLock { $0.pausesAutomatically } }
        set { settings.withLock { $0.pausesAutomatically = newValue } }
    }
    /// Kept, and without effect: there are no updates, and no background.
    open var allowsBackgroundLocationUpdates: Bool {
        get { settings.withLock { $0.allowsBackground } }
        set { settings.withLock { $0.allowsBackground = newValue } }
    }
    /// Kept, and without effect.
    open var showsBackgroundLocationIndicator: Bool {
        get { settings.withLock { $0.showsIndicator } }
        set { settings.withLock { $0.showsIndicator = newValue } }
    }

    // MARK: Calls

    /// Asks nobody. The delegate is notified that the status is denied.
    open func requestWhenInUseAuthorization() { notify { $0.locationManagerDidChangeAuthorization($1) } }
    /// As ``requestWhenInUseAuthorization()``.
    open func requestAlwaysAuthorization() { notify { $0.locationManagerDidChangeAuthorization($1) } }

    /// The delegate gets ``CLError/Code/denied``.
    open func startUpdatingLocation() { fail(.denied, "Linux has no location service") }
    /// Does nothing: there are no updates.
    open func stopUpdatingLocation() {}
    /// The delegate gets ``CLError/Code/denied``.
    open func requestLocation() { fail(.denied, "Linux has no location service") }
    /// The delegate gets ``CLError/Code/denied``.
    open func startMonitoringSignificantLocationChanges() { fail(.denied, "Linux has no location service") }
    /// Does nothing: there are no updates.
    open func stopMonitoringSignificantLocationChanges() {}
    /// The delegate gets ``CLError/Code/headingFailure``.
    open func startUpdatingHeading() { fail(.headingFailure, "Linux has no compass") }
    /// Does nothing: there are no updates.
    open func stopUpdatingHeading() {}
    /// Does nothing: nothing is displayed.
    open func dismissHeadingCalibrationDisplay() {}

    private func fail(_ code: CLError.Code, _ message: String) {
        let error = CLError(
            code,
            userInfo: [
                NSLocalizedDescriptionKey: "\(message): positions come with recordings and their sensors."
            ])
        notify { $0.locationManager($1, didFailWithError: error) }
    }

    private func notify(_ call: @escaping @Sendable (any CLLocationManagerDelegate, CLLocationManager) -> Void) {
        DispatchQueue.main.async { [self] in
            if let delegate { call(delegate, self) }
        }
    }
}

/// Every method may be left out, as on Apple's systems.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// Called once after the delegate is set, and after each request for permission. The status is denied.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    /// The older method, which is not called if the delegate has the newer one.
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
    /// Never called on Linux: no locations come.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    /// Never called on Linux: no headings come.
    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
    /// Called for each request, with ``CLError/Code/denied`` or ``CLError/Code/headingFailure``.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    /// Never called on Linux: there is no compass.
    func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
    /// Never called on Linux: there are no updates to pause.
    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
    /// Never called on Linux: there are no updates to pause.
    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
}

extension CLLocationManagerDelegate {
    /// An app with only the older method is called there.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
    }
    /// Does nothing: optional, as in Apple's protocol.
    public func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}
    /// Does nothing: optional, as in Apple's protocol.
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    /// Does nothing: optional, as in Apple's protocol.
    public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {}
    /// Does nothing: optional, as in Apple's protocol.
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    /// False: optional, as in Apple's protocol.
    public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool { false }
    /// Does nothing: optional, as in Apple's protocol.
    public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
    /// Does nothing: optional, as in Apple's protocol.
    public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}
}

@available(*, unavailable, message: "looking up addresses needs a service that Linux does not have")
open class CLGeocoder: NSObject {}

/// The requested accuracy in metres. Negative values stand for the best possible.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The best possible accuracy, represented by −1.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// A hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// A kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// Three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// Every movement counts.
public let kCLDistanceFilterNone: CLLocationDistance = -1

/// Whether an app may use locations.
public enum CLAuthorizationStatus: Int32, Sendable {
    /// The user was not asked yet. Never on Linux.
    case notDetermined = 0
    /// The system does not allow it, whatever the user chooses. Never on Linux.
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
    /// Reduced to some kilometres. Every manager on Linux returns this, because there are no locations.
    case reducedAccuracy = 1
}

/// The purpose of an app's locations.
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

/// Where the top of a device points. Nothing on Linux makes any.
public final class CLHeading: NSObject, NSCopying, Sendable {
    /// Degrees from magnetic north.
    public let magneticHeading: CLLocationDirection
    /// Degrees from true north. Negative if unknown.
    public let trueHeading: CLLocationDirection
    /// Degrees. Negative if the heading is unknown.
    public let headingAccuracy: CLLocationDirection
    /// When it was measured.
    public let timestamp: Date

    init(magneticHeading: CLLocationDirection, timestamp: Date) {
        self.magneticHeading = magneticHeading
        trueHeading = -1
        headingAccuracy = -1
        self.timestamp = timestamp
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
