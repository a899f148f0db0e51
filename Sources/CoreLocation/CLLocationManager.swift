public import Foundation

/// Delivers locations of a receiver, which no Linux machine can be counted on to have.
@available(*, unavailable, message: "Linux has no location service; positions come with recordings and their sensors")
open class CLLocationManager: NSObject {}

@available(*, unavailable, message: "Linux has no location service; positions come with recordings and their sensors")
public protocol CLLocationManagerDelegate: NSObjectProtocol {}

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
