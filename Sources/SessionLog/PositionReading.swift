/// A position on WGS 84.
public struct PositionReading: Sendable, Equatable {
    /// −90 … 90, north positive.
    public var latitudeInDegrees: Double
    /// −180 … 180, east positive.
    public var longitudeInDegrees: Double
    private var altitude: OptionalNumber
    private var speed: OptionalNumber
    /// Nil for the positions of most files: then they take less than half the room.
    private var details: Details?
    /// An app added it, through the builder of the workout's route; the others a sensor measured.
    public var isAdded: Bool

    /// Nothing is checked here: whoever reads a file leaves out what is no place.
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

    /// Above mean sea level; nil when not known.
    public var altitudeInMeters: Double? {
        get { altitude.value }
        set { altitude = OptionalNumber(newValue) }
    }

    /// Over ground; nil when not known.
    public var speedInMetersPerSecond: Double? {
        get { speed.value }
        set { speed = OptionalNumber(newValue) }
    }

    /// The radius of a circle that the place is in; nil when not known.
    public var horizontalAccuracyInMeters: Double? {
        get { details?.horizontalAccuracy }
        set { details = Details(newValue, verticalAccuracyInMeters, courseInDegrees) }
    }

    /// Up and down from the altitude; nil when not known.
    public var verticalAccuracyInMeters: Double? {
        get { details?.verticalAccuracy }
        set { details = Details(horizontalAccuracyInMeters, newValue, courseInDegrees) }
    }

    /// 0 … 360, clockwise from true north.
    public var courseInDegrees: Double? {
        get { details?.course }
        set { details = Details(horizontalAccuracyInMeters, verticalAccuracyInMeters, newValue) }
    }

    /// What phones say of a position beyond where it is.
    private final class Details: Sendable, Equatable {
        let horizontalAccuracy: Double?
        let verticalAccuracy: Double?
        let course: Double?

        /// Nil where nothing is said.
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

    /// A number that may be missing, in the room of a number: an optional one takes twice as much.
    private struct OptionalNumber: Sendable, Equatable {
        /// Of the many bit patterns that are no number, one that no arithmetic gives.
        private static let none: UInt64 = 0x7FF8_4F48_4B6E_6F6E
        private let bits: UInt64

        init(_ value: Double?) { bits = value?.bitPattern ?? Self.none }

        var value: Double? { bits == Self.none ? nil : Double(bitPattern: bits) }

        static func == (a: Self, b: Self) -> Bool { a.value == b.value }
    }
}
