package import CoreLocation
package import SessionLog

extension PositionReading {
    /// Creates the reading that the store keeps of a location. Unknown values are left out. The accuracies of course
    /// and speed, and the source of the location, are not kept.
    package init(_ location: CLLocation) {
        let isAltitudeGiven = location.verticalAccuracy >= 0 || location.altitude != 0
        self.init(
            latitudeInDegrees: location.coordinate.latitude, longitudeInDegrees: location.coordinate.longitude,
            altitudeInMeters: isAltitudeGiven ? location.altitude : nil,
            horizontalAccuracyInMeters: location.horizontalAccuracy,
            verticalAccuracyInMeters: isAltitudeGiven ? location.verticalAccuracy : nil,
            courseInDegrees: location.course >= 0 ? location.course : nil,
            speedInMetersPerSecond: location.speed >= 0 ? location.speed : nil)
    }
}

extension CLLocation {
    /// Creates a location. An accuracy is 0 if a recording has a coordinate or an altitude without one.
    package convenience init(_ position: PositionReading, at date: Date) {
        self.init(
            coordinate: CLLocationCoordinate2D(
                latitude: position.latitudeInDegrees, longitude: position.longitudeInDegrees),
            altitude: position.altitudeInMeters ?? 0, horizontalAccuracy: position.horizontalAccuracyInMeters ?? 0,
            verticalAccuracy: position.verticalAccuracyInMeters ?? (position.altitudeInMeters == nil ? -1 : 0),
            course: position.courseInDegrees ?? -1, speed: position.speedInMetersPerSecond ?? -1, timestamp: date)
    }
}
