public import Foundation

/// Where something was, and when: a place on WGS 84 with altitude, course and speed as far as they are known.
///
/// A negative accuracy, course or speed means that the value is unknown. Two locations are equal when all their values
/// are.
// Sendable holds: all stored properties are immutable values; subclasses must keep that.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Latitude and longitude in degrees, on WGS 84.
    public let coordinate: CLLocationCoordinate2D
    /// Above mean sea level.
    public let altitude: CLLocationDistance
    /// Negative: the coordinate is not known.
    public let horizontalAccuracy: CLLocationAccuracy
    /// Negative: the altitude is not known.
    public let verticalAccuracy: CLLocationAccuracy
    /// 0 ..< 360. Negative if unknown.
    public let course: CLLocationDirection
    /// In degrees. Negative if the course is unknown.
    public let courseAccuracy: CLLocationDirectionAccuracy
    /// Negative: not known.
    public let speed: CLLocationSpeed
    /// In metres per second. Negative if the speed is unknown.
    public let speedAccuracy: CLLocationSpeedAccuracy
    /// When it was there.
    public let timestamp: Date
    /// The source. Nil if unknown.
    public let sourceInformation: CLLocationSourceInformation?

    /// A place at the present time, without any other figure.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// With course and speed not known.
    /// - Parameters:
    ///   - altitude: Metres above mean sea level.
    ///   - horizontalAccuracy: In metres. Negative if the coordinate is unknown.
    ///   - verticalAccuracy: In metres. Negative if the altitude is unknown.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// With the course in degrees from true north and the speed in metres per second. Negative if unknown. Of neither
    /// is known how exact it is.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: -1, speed: speed, speedAccuracy: -1,
            timestamp: timestamp)
    }

    /// With the accuracy of course (in degrees) and speed (in metres per second). Negative if unknown.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate, altitude, horizontalAccuracy, verticalAccuracy, course, courseAccuracy, speed, speedAccuracy,
            timestamp, nil)
    }

    /// With who found it out: software that made it up, or an accessory.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date,
        sourceInfo: CLLocationSourceInformation
    ) {
        self.init(
            coordinate, altitude, horizontalAccuracy, verticalAccuracy, course, courseAccuracy, speed, speedAccuracy,
            timestamp, sourceInfo)
    }

    private init(
        _ coordinate: CLLocationCoordinate2D, _ altitude: CLLocationDistance, _ horizontalAccuracy: CLLocationAccuracy,
        _ verticalAccuracy: CLLocationAccuracy, _ course: CLLocationDirection,
        _ courseAccuracy: CLLocationDirectionAccuracy, _ speed: CLLocationSpeed,
        _ speedAccuracy: CLLocationSpeedAccuracy, _ timestamp: Date, _ source: CLLocationSourceInformation?
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.timestamp = timestamp
        sourceInformation = source
    }

    /// The floor of a building, which is unknown on Linux.
    public var floor: CLFloor? { nil }

    /// Above the ellipsoid of WGS 84. Unknown (NaN), because that needs a model of the geoid. Use ``altitude``.
    public var ellipsoidalAltitude: CLLocationDistance { .nan }

    /// Metres along the surface of the ellipsoid, without altitudes. NaN from or to a place that is none.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        Geodesic.distance(from: location.coordinate, to: coordinate)
    }

    /// Returns whether all values are equal. The source is not compared.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLLocation)?.values == values
    }

    /// Of all values.
    open override var hash: Int { values.hashValue }

    private var values: [Double] {
        [
            coordinate.latitude, coordinate.longitude, altitude, horizontalAccuracy, verticalAccuracy, course,
            courseAccuracy, speed, speedAccuracy, timestamp.timeIntervalSinceReferenceDate,
        ]
    }

    /// The coordinate with its accuracy, speed and course, and the time.
    open override var description: String {
        let place = String(
            format: "<%+.8f,%+.8f> +/- %.2fm", coordinate.latitude, coordinate.longitude, horizontalAccuracy)
        return place + String(format: " (speed %.2f mps / course %.2f)", speed, course) + " @ \(timestamp)"
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public class var supportsSecureCoding: Bool { true }

    /// Nil if the archive has no coordinate or no time. Other missing values are unknown.
    public required convenience init?(coder: NSCoder) {
        func number(_ key: String) -> Double? {
            coder.containsValue(forKey: key) ? coder.decodeDouble(forKey: key) : nil
        }
        guard let latitude = number("latitude"), let longitude = number("longitude"), let date = number("timestamp")
        else { return nil }
        let source = CLLocationSourceInformation(
            bits: coder.containsValue(forKey: "source") ? coder.decodeInteger(forKey: "source") : nil)
        self.init(
            CLLocationCoordinate2D(latitude: latitude, longitude: longitude), number("altitude") ?? 0,
            number("horizontalAccuracy") ?? -1, number("verticalAccuracy") ?? -1, number("course") ?? -1,
            number("courseAccuracy") ?? -1, number("speed") ?? -1, number("speedAccuracy") ?? -1,
            Date(timeIntervalSinceReferenceDate: date), source)
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    open func encode(with coder: NSCoder) {
        coder.encode(coordinate.latitude, forKey: "latitude")
        coder.encode(coordinate.longitude, forKey: "longitude")
        coder.encode(altitude, forKey: "altitude")
        coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
        coder.encode(verticalAccuracy, forKey: "verticalAccuracy")
        coder.encode(course, forKey: "course")
        coder.encode(courseAccuracy, forKey: "courseAccuracy")
        coder.encode(speed, forKey: "speed")
        coder.encode(speedAccuracy, forKey: "speedAccuracy")
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
        if let sourceInformation { coder.encode(sourceInformation.bits, forKey: "source") }
    }
}

/// The floor of a building.
public final class CLFloor: NSObject, Sendable {
    /// 0 is the ground floor.
    public let level: Int

    init(level: Int) {
        self.level = level
    }
}

/// Whether a location was made up by software, and whether an accessory found it out.
public final class CLLocationSourceInformation: NSObject, NSCopying, Sendable {
    /// Whether software made the location up, as a simulator does.
    public let isSimulatedBySoftware: Bool
    /// Whether an accessory found the location out, and not the machine itself.
    public let isProducedByAccessory: Bool

    /// Both may be true: of a simulated accessory.
    public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
        isSimulatedBySoftware = isSoftware
        isProducedByAccessory = isAccessory
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    convenience init?(bits: Int?) {
        guard let bits else { return nil }
        self.init(softwareSimulationState: bits & 1 != 0, andExternalAccessoryState: bits & 2 != 0)
    }

    var bits: Int { (isSimulatedBySoftware ? 1 : 0) | (isProducedByAccessory ? 2 : 0) }
}

/// Distances on the ellipsoid of WGS 84.
///
/// T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid with application of nested equations",
/// Survey Review 23 (1975), 88–93: to half a millimetre. Between nearly antipodal places the iteration does not
/// converge. Then the distance on a sphere of the mean radius is returned, which is accurate to half a percent.
///
/// Over a few hundred metres, as from one second of a workout to the next, a plane that touches the ellipsoid halfway gives the
/// same to some micrometres, and several times faster. Its scales are the radii of curvature: J. P. Snyder, "Map projections: a
/// working manual", U.S. Geological Survey Professional Paper 1395 (1987), equations 4-18 and 4-20.
package enum Geodesic {
    private static let equatorialRadius = 6_378_137.0
    private static let flattening = 1 / 298.257223563
    private static let meanRadius = 6_371_008.8
    private static let longestIteration = 100

    /// In metres. NaN for an invalid place.
    package static func distance(from start: CLLocationCoordinate2D, to end: CLLocationCoordinate2D) -> Double {
        guard CLLocationCoordinate2DIsValid(start), CLLocationCoordinate2DIsValid(end) else { return .nan }
        let radians = Double.pi / 180
        let (north, east) = (end.latitude - start.latitude, end.longitude - start.longitude)
        let middle = (start.latitude + end.latitude) / 2
        if north.magnitude < shortInDegrees, east.magnitude < shortInDegrees, middle.magnitude < 80 {
            return onPlane(touchingAt: middle * radians, north: north * radians, east: east * radians)
        }
        let reduced1 = atan((1 - flattening) * tan(start.latitude * radians))
        let reduced2 = atan((1 - flattening) * tan(end.latitude * radians))
        let longitude = remainder((end.longitude - start.longitude) * radians, 2 * .pi)
        return inverse(reduced1, reduced2, longitude)
            ?? onSphere(start.latitude * radians, end.latitude * radians, longitude)
    }

    /// 220 m of latitude.
    private static let shortInDegrees = 0.002

    private static func onPlane(touchingAt latitude: Double, north: Double, east: Double) -> Double {
        let squaredEccentricity = flattening * (2 - flattening)
        let sine = sin(latitude)
        let square = 1 - squaredEccentricity * sine * sine
        let acrossMeridian = equatorialRadius / square.squareRoot()
        let alongMeridian = acrossMeridian * (1 - squaredEccentricity) / square
        let (y, x) = (alongMeridian * north, acrossMeridian * cos(latitude) * east)
        return (x * x + y * y).squareRoot()
    }

    /// Equations 13 to 19, named as there: U are the reduced latitudes, L and λ differences of longitude, σ is the angle on
    /// the sphere and α the azimuth at the equator. Nil where it does not converge.
    private static func inverse(_ reduced1: Double, _ reduced2: Double, _ longitude: Double) -> Double? {
        let (sinU1, cosU1) = (sin(reduced1), cos(reduced1))
        let (sinU2, cosU2) = (sin(reduced2), cos(reduced2))
        var lambda = longitude
        for _ in 0..<longestIteration {
            let sinSigma = hypot(cosU2 * sin(lambda), cosU1 * sinU2 - sinU1 * cosU2 * cos(lambda))
            guard sinSigma > 0 else { return lambda.magnitude < 1 ? 0 : nil }
            let cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cos(lambda)
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cosU1 * cosU2 * sin(lambda) / sinSigma
            let cosSquaredAlpha = 1 - sinAlpha * sinAlpha
            // On the equator, the formula has no midpoint.
            let cosTwoSigmaM = cosSquaredAlpha > 1e-15 ? cosSigma - 2 * sinU1 * sinU2 / cosSquaredAlpha : 0
            let middle = -1 + 2 * cosTwoSigmaM * cosTwoSigmaM
            let c = flattening / 16 * cosSquaredAlpha * (4 + flattening * (4 - 3 * cosSquaredAlpha))
            let before = lambda
            lambda =
                longitude + (1 - c) * flattening * sinAlpha
                * (sigma + c * sinSigma * (cosTwoSigmaM + c * cosSigma * middle))
            guard lambda.magnitude <= .pi else { return nil }
            guard abs(lambda - before) < 1e-12 else { continue }
            let polarRadius = equatorialRadius * (1 - flattening)
            let u = cosSquaredAlpha * (equatorialRadius * equatorialRadius / (polarRadius * polarRadius) - 1)
            let a = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
            let b = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
            let last = b / 6 * cosTwoSigmaM * (-3 + 4 * sinSigma * sinSigma) * (-3 + 4 * cosTwoSigmaM * cosTwoSigmaM)
            let correction = b * sinSigma * (cosTwoSigmaM + b / 4 * (cosSigma * middle - last))
            return polarRadius * a * (sigma - correction)
        }
        return nil
    }

    /// The haversine formula.
    private static func onSphere(_ latitude1: Double, _ latitude2: Double, _ longitude: Double) -> Double {
        let square =
            pow(sin((latitude2 - latitude1) / 2), 2) + cos(latitude1) * cos(latitude2) * pow(sin(longitude / 2), 2)
        return 2 * meanRadius * asin(min(1, square.squareRoot()))
    }
}
