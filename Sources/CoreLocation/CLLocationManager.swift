public import Foundation
import Synchronization

/// Delivers locations of a receiver, which no Linux machine can be counted on to have.
///
/// Apps compile and run with it as on a device whose location services are turned off: nobody is asked for permission, the
/// status is ``CLAuthorizationStatus/denied``, no location and no heading comes, and the delegate hears
/// ``CLError/Code/denied`` or ``CLError/Code/headingFailure`` whenever it asks for some. Positions of workouts come from
/// recordings and sensors instead (`HKWorkoutRouteQuery`). The delegate is called on the main queue.
// Sendable holds: the delegate is behind a lock; the settings are behind another.
open class CLLocationManager: NSObject, @unchecked Sendable {
    /// What an app asks for; kept, and without effect.
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

    public override init() {}

    /// Not held. Hears once how authorization stands, soon after it is set.
    open var delegate: (any CLLocationManagerDelegate)? {
        get { box.withLock { $0.delegate } }
        set {
            box.withLock { $0.delegate = newValue }
            tell { $0.locationManagerDidChangeAuthorization($1) }
        }
    }

    // MARK: What there is

    /// False: there is no location service.
    open class func locationServicesEnabled() -> Bool { false }
    /// False: there is no compass.
    open class func headingAvailable() -> Bool { false }
    open class func significantLocationChangeMonitoringAvailable() -> Bool { false }
    open class func isRangingAvailable() -> Bool { false }

    /// Denied, as on a device whose location services are turned off.
    open var authorizationStatus: CLAuthorizationStatus { .denied }
    @available(iOS, deprecated: 14.0, message: "Use the property of a manager")
    open class func authorizationStatus() -> CLAuthorizationStatus { .denied }
    open var accuracyAuthorization: CLAccuracyAuthorization { .reducedAccuracy }
    /// Nil: none ever came.
    open var location: CLLocation? { nil }
    /// Nil: none ever came.
    open var heading: CLHeading? { nil }

    // MARK: What an app asks for

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
    open var pausesLocationUpdatesAutomatically: Bool {
        get { settings.withLock { $0.pausesAutomatically } }
        set { settings.withLock { $0.pausesAutomatically = newValue } }
    }
    open var allowsBackgroundLocationUpdates: Bool {
        get { settings.withLock { $0.allowsBackground } }
        set { settings.withLock { $0.allowsBackground = newValue } }
    }
    open var showsBackgroundLocationIndicator: Bool {
        get { settings.withLock { $0.showsIndicator } }
        set { settings.withLock { $0.showsIndicator = newValue } }
    }

    // MARK: Calls

    /// Asks nobody: the delegate hears that the status is denied.
    open func requestWhenInUseAuthorization() { tell { $0.locationManagerDidChangeAuthorization($1) } }
    /// As ``requestWhenInUseAuthorization()``.
    open func requestAlwaysAuthorization() { tell { $0.locationManagerDidChangeAuthorization($1) } }

    /// The delegate hears ``CLError/Code/denied``.
    open func startUpdatingLocation() { fail(.denied, "Linux has no location service") }
    open func stopUpdatingLocation() {}
    /// The delegate hears ``CLError/Code/denied``.
    open func requestLocation() { fail(.denied, "Linux has no location service") }
    /// The delegate hears ``CLError/Code/denied``.
    open func startMonitoringSignificantLocationChanges() { fail(.denied, "Linux has no location service") }
    open func stopMonitoringSignificantLocationChanges() {}
    /// The delegate hears ``CLError/Code/headingFailure``.
    open func startUpdatingHeading() { fail(.headingFailure, "Linux has no compass") }
    open func stopUpdatingHeading() {}
    open func dismissHeadingCalibrationDisplay() {}

    private func fail(_ code: CLError.Code, _ message: String) {
        let error = CLError(
            code,
            userInfo: [
                NSLocalizedDescriptionKey: "\(message): positions come with recordings and their sensors."
            ])
        tell { $0.locationManager($1, didFailWithError: error) }
    }

    private func tell(_ call: @escaping @Sendable (any CLLocationManagerDelegate, CLLocationManager) -> Void) {
        DispatchQueue.main.async { [self] in
            if let delegate { call(delegate, self) }
        }
    }
}

/// Every method may be left out, as on Apple's systems.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
}

extension CLLocationManagerDelegate {
    /// An app that has only the older method hears it there.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
    }
    public func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {}
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool { false }
    public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
    public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}
}

@available(*, unavailable, message: "looking up addresses needs a service that Linux does not have")
open class CLGeocoder: NSObject {}

/// What an app asks of a receiver, in metres; the negative ones stand for the best there is.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// Every movement counts.
public let kCLDistanceFilterNone: CLLocationDistance = -1
