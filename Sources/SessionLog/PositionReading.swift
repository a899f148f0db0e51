/// A position in WGS 84.
public struct PositionReading: Sendable, Equatable {
    /// The latitude, −90 … 90, north positive.
    public var latitudeInDegrees: Double
    /// The longitude, −180 … 180, east positive.
    public var longitudeInDegrees: Double
    private var altitude: OptionalNumber
    private var speed: OptionalNumber
    /// Nil for the positions in most files, which then take less than half the memory.
    private var details: Details?
    /// Whether an app added the position through the builder of the workout's route. All others were measured by a
    /// sensor.
    public var isAdded: Bool

    /// Creates a position without checks. Whoever reads a file must leave out invalid places.
    @inline(__always)
    public init(
        latitudeInDegrees: Double, longitudeInDegrees: Double, altitudeInMeters: Double? = nil,
        horizontalAccuracyInMeters: Double? = nil, verticalAccuracyInMeters: Double? = nil,
        courseInDegrees: Double? = nil, speedInMetersPerSecond: Double? = nil, isAdded: Bool = false
    ) {
        self.latitudeInDegrees = latitudeInDegrees
        self.longitudeInDegrees = longitudeInDegrees
        altitude = OptionalNumber(altitudeInMeters)
        speed = OptionalNumber(speedInMetersPerSecond)
        details = Details(horizontalAccuracyInMeters, verticalAccuracyInMeters, courseInDegrees)
        self.isAdded = isAdded
    }

    /// The altitude above mean sea level. Nil if unknown.
    public var altitudeInMeters: Double? {
        get { altitude.value }
        set { altitude = OptionalNumber(newValue) }
    }

    /// The speed over ground. Nil if unknown.
    public var speedInMetersPerSecond: Double? {
        get { speed.value }
        set { speed = OptionalNumber(newValue) }
    }

    /// The radius of a circle that contains the place. Nil if unknown.
    public var horizontalAccuracyInMeters: Double? {
        get { details?.horizontalAccuracy }
        set { details = Details(newValue, verticalAccuracyInMeters, courseInDegrees) }
    }

    /// The accuracy of the altitude, up and down. Nil if unknown.
    public var verticalAccuracyInMeters: Double? {
        get { details?.verticalAccuracy }
        set { details = Details(horizontalAccuracyInMeters, newValue, courseInDegrees) }
    }

    /// The course, 0 … 360, clockwise from true north.
    public var courseInDegrees: Double? {
        get { details?.course }
        set { details = Details(horizontalAccuracyInMeters, verticalAccuracyInMeters, newValue) }
    }

    /// Values that phones add to a position.
    private final class Details: Sendable, Equatable {
        let horizontalAccuracy: Double?
        let verticalAccuracy: Double?
        let course: Double?

        /// Returns nil if there are no values.
        init?(_ horizontalAccuracy: Double?, _ verticalAccuracy: Double?, _ course: Double?) {
            if horizontalAccuracy == nil, verticalAccuracy == nil, course == nil { return nil }
            self.horizontalAccuracy = horizontalAccuracy
            self.verticalAccuracy = verticalAccuracy
            self.course = course
        }

        static func == (a: Details, b: Details) -> Bool {
            a.horizontalAccuracy == b.horizontalAccuracy && a.verticalAccuracy == b.verticalAccuracy
                && a.course == b.course
        }
    }

    /// An optional number in the memory of a number; Swift's optional takes twice as much.
    private struct OptionalNumber: Sendable, Equatable {
        /// One of the many bit patterns of NaN, which no arithmetic produces.
        private static let none: UInt64 = 0x7FF8_4F48_4B6E_6F6E
        private let bits: UInt64

        init(_ value: Double?) { bits = value?.bitPattern ?? Self.none }

        var value: Double? { bits == Self.none ? nil : Double(bitPattern: bits) }

        static func == (a: Self, b: Self) -> Bool { a.value == b.value }
    }
}
