public import Foundation

/// Where something was, and when: a place on WGS 84 with altitude, course and speed as far as they are known.
///
/// Negative accuracies, courses and speeds say that the value beside them is not known. Two locations are equal when all
/// their values are.
// Sendable holds: all stored properties are immutable values; subclasses hold to the same.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Latitude and longitude in degrees, on WGS 84.
    public let coordinate: CLLocationCoordinate2D
    /// Above mean sea level.
    public let altitude: CLLocationDistance
    /// Negative: the coordinate is not known.
    public let horizontalAccuracy: CLLocationAccuracy
    /// Negative: the altitude is not known.
    public let verticalAccuracy: CLLocationAccuracy
    /// 0 ..< 360; negative: not known.
    public let course: CLLocationDirection
    /// In degrees; negative: the course is not known.
    public let courseAccuracy: CLLocationDirectionAccuracy
    /// Negative: not known.
    public let speed: CLLocationSpeed
    /// In metres a second; negative: the speed is not known.
    public let speedAccuracy: CLLocationSpeedAccuracy
    /// When it was there.
    public let timestamp: Date
    /// Who found it out; nil when nobody says.
    public let sourceInformation: CLLocationSourceInformation?

    /// A place now, of which nothing else is known.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// With course and speed not known.
    /// - Parameters:
    ///   - altitude: Metres above mean sea level.
    ///   - horizontalAccuracy: Metres; negative when the coordinate is not known.
    ///   - verticalAccuracy: Metres; negative when the altitude is not known.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// With course in degrees from true north and speed in metres a second; negative: not known. Of neither is known
    /// how exact it is.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: -1, speed: speed, speedAccuracy: -1,
            timestamp: timestamp)
    }

    /// With how exact course (in degrees) and speed (in metres a second) are; negative: not known.
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

    /// The floor of a building: nothing on Linux tells it.
    public var floor: CLFloor? { nil }

    /// Above the ellipsoid of WGS 84: not known, since that needs a model of the geoid; NaN. Use ``altitude``.
    public var ellipsoidalAltitude: CLLocationDistance { .nan }

    /// Metres along the surface of the ellipsoid; altitudes do not matter. NaN from or to a place that is none.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        Geodesic.distance(from: location.coordinate, to: coordinate)
    }

    /// Equal when all values are; who found it out is not compared.
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

    /// Nil when the archive has no coordinate or no time; what else it does not have is not known.
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
