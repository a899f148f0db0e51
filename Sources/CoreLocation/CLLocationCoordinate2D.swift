import Foundation

/// Degrees of latitude or longitude on WGS 84.
public typealias CLLocationDegrees = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Metres per second.
public typealias CLLocationSpeed = Double
/// Degrees clockwise from true north.
public typealias CLLocationDirection = Double
/// The radius of uncertainty, in metres.
public typealias CLLocationAccuracy = Double
/// Degrees of a course.
public typealias CLLocationDirectionAccuracy = Double
/// Metres per second.
public typealias CLLocationSpeedAccuracy = Double

/// A place on WGS 84.
public struct CLLocationCoordinate2D: Sendable {
    /// −90 … 90, north positive.
    public var latitude: CLLocationDegrees
    /// −180 … 180, east positive.
    public var longitude: CLLocationDegrees

    /// 0° north, 0° east: a place in the Atlantic, and not an unknown place. See ``kCLLocationCoordinate2DInvalid``.
    public init() {
        latitude = 0
        longitude = 0
    }

    /// In degrees. Nothing is checked: ``CLLocationCoordinate2DIsValid(_:)`` does.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// The same as the initialiser.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether there is such a place: both numbers finite and in their ranges.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
    abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// No place: one that ``CLLocationCoordinate2DIsValid(_:)`` refuses.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)
