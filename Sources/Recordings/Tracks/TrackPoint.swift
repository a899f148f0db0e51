import SessionLog

/// A point of a track: what was measured at one time. What was not is NaN.
struct TrackPoint: BitwiseCopyable {
    /// Seconds since 2001-01-01T00:00:00Z.
    var time = Double.nan
    var latitude = Double.nan
    var longitude = Double.nan
    var altitude = Double.nan
    /// In metres, as the device counts them.
    var distance = Double.nan
    /// In m/s.
    var speed = Double.nan
    /// In beats per minute; zeros are none.
    var heartRate = Double.nan
    /// Turns of the crank, or strides of two steps, per minute.
    var cadence = Double.nan
    /// In watts.
    var power = Double.nan
    /// Of the air, in °C.
    var temperature = Double.nan
    var waterTemperature = Double.nan
    /// In degrees, clockwise from north.
    var course = Double.nan
    var horizontalAccuracy = Double.nan
    var verticalAccuracy = Double.nan

    /// Of the years up to 9999, as dates in texts are; not so a number of seconds that is none.
    var hasTime: Bool { time.magnitude < 3e11 }
    var hasHeartRate: Bool { heartRate > 0 && heartRate < 300 }
    /// Positions beyond the poles are none, and two zeros stand for none.
    var hasPosition: Bool {
        abs(latitude) <= 90 && abs(longitude) <= 180 && (latitude != 0 || longitude != 0)
    }
    /// Nobody covers a million kilometres.
    var hasDistance: Bool { distance >= 0 && distance < 1e9 }

    /// Whether it has the time and the place of the other, and all that was measured is the same.
    func repeats(_ other: TrackPoint) -> Bool {
        func isSame(_ value: KeyPath<TrackPoint, Double>) -> Bool {
            let (a, b) = (self[keyPath: value], other[keyPath: value])
            return a == b || a.isNaN && b.isNaN
        }
        guard time == other.time, latitude == other.latitude, longitude == other.longitude else { return false }
        return [\.heartRate, \.distance, \.altitude, \.speed, \.power, \.cadence, \.temperature].allSatisfy(isSame)
    }

    var coordinates: EarthDistance.Coordinates { (latitude, longitude) }

    var position: PositionReading {
        PositionReading(
            latitudeInDegrees: latitude, longitudeInDegrees: longitude, altitudeInMeters: Self.known(altitude),
            horizontalAccuracyInMeters: Self.known(horizontalAccuracy, from: 0),
            verticalAccuracyInMeters: Self.known(verticalAccuracy, from: 0),
            courseInDegrees: Self.known(course, from: 0), speedInMetersPerSecond: Self.known(speed, from: 0))
    }

    private static func known(_ value: Double, from least: Double = -.greatestFiniteMagnitude) -> Double? {
        value >= least ? value : nil
    }
}
