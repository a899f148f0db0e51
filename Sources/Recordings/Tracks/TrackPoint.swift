import Foundation
import SessionLog

/// A point of a track: all that was measured at one time. Missing values are NaN.
struct TrackPoint: BitwiseCopyable {
    /// The time in seconds since 2001-01-01T00:00:00Z.
    var time = Double.nan
    var latitude = Double.nan
    var longitude = Double.nan
    var altitude = Double.nan
    /// The device's count in metres.
    var distance = Double.nan
    /// The speed in m/s.
    var speed = Double.nan
    /// The heart rate in beats per minute. Zero means “none”.
    var heartRate = Double.nan
    /// The cadence: turns of the crank, or strides of two steps, per minute.
    var cadence = Double.nan
    /// The power in watts.
    var power = Double.nan
    /// Temperature of the air in °C.
    var temperature = Double.nan
    var waterTemperature = Double.nan
    /// The course in degrees, clockwise from north.
    var course = Double.nan
    var horizontalAccuracy = Double.nan
    var verticalAccuracy = Double.nan

    /// Returns a time in seconds since 2001.
    static func time(unixSeconds: Double) -> Double { unixSeconds - Date.timeIntervalBetween1970AndReferenceDate }
    static func time(unixMilliseconds: Double) -> Double { time(unixSeconds: unixMilliseconds / 1000) }

    /// Whether the time is a date up to the year 9999, the last that a text can state. Larger numbers are not times.
    var hasTime: Bool { time.magnitude < 3e11 }
    var hasHeartRate: Bool { heartRate > 0 && heartRate < 300 }
    /// Whether there is a valid position. Positions beyond the poles are invalid, and two zeros mean “none”.
    var hasPosition: Bool {
        abs(latitude) <= 90 && abs(longitude) <= 180 && (latitude != 0 || longitude != 0)
    }
    /// Whether there is a plausible distance: less than a million kilometres.
    var hasDistance: Bool { distance >= 0 && distance < 1e9 }

    /// Returns whether the point has the time, the place and all values of the other.
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

/// The points of several series, one for each time.
struct MergedTrackPoints {
    private var points: [Double: TrackPoint] = [:]

    /// - Parameter time: In seconds since 2001.
    mutating func update(at time: Double, _ change: (inout TrackPoint) -> Void) {
        change(&points[time, default: TrackPoint(time: time)])
    }

    /// The points in order of time.
    var ordered: [TrackPoint] { points.values.sorted { $0.time < $1.time } }
}

/// A value of one kind.
struct TimedReading {
    /// In seconds since 2001.
    var time: Double
    var value: Double
}
