import CoreLocation
import Foundation
import Testing

@Suite struct CLLocationTests {
    /// Lengths of arcs that follow from the axes of WGS 84, and the line of Vincenty's paper that textbooks repeat.
    @Test(arguments: [
        ((0.0, 0.0), (0.0, 1.0), 111_319.491, 0.001),
        ((0, 179.5), (0, -179.5), 111_319.491, 0.001),
        ((0, 0), (90, 0), 10_001_965.729, 0.001),
        ((-90, 0), (90, 0), 20_003_931.459, 0.001),
        ((-37.95103341666667, 144.42486788888888), (-37.65282113888889, 143.92649552777777), 54_972.271, 0.01),
        ((48.1, 11.5), (48.1, 11.5), 0, 0),
        // Nearly antipodal: 19 936 288.579 m by Karney's method.
        ((0, 0), (0.5, 179.5), 19_936_288.579, 100_000),
    ])
    func `distances follow the ellipsoid`(
        from: (Double, Double), to: (Double, Double), meters: Double, tolerance: Double
    ) {
        let start = CLLocation(latitude: from.0, longitude: from.1)
        let end = CLLocation(latitude: to.0, longitude: to.1)
        #expect(abs(end.distance(from: start) - meters) <= tolerance)
        #expect(abs(start.distance(from: end) - meters) <= tolerance)
    }

    /// Lines through a place, slightly shorter and slightly longer than on a plane.
    @Test(arguments: [-79.9, -61, -33.3, 0, 12, 48.1, 60.5, 79.9], [(0.0, 1.0), (1, 0), (1, 1), (-1, 0.3), (0.2, -1)])
    func `short distances agree with those on the ellipsoid`(latitude: Double, direction: (Double, Double)) {
        func metersPerDegree(_ length: Double) -> Double {
            let (north, east) = (direction.0 * length / 2, direction.1 * length / 2)
            let start = CLLocation(latitude: latitude - north, longitude: 179.9 - east)
            let end = CLLocation(latitude: latitude + north, longitude: 179.9 + east)
            return end.distance(from: start) / length
        }
        let (plane, ellipsoid) = (metersPerDegree(0.0019), metersPerDegree(0.0021))
        #expect(abs(plane - ellipsoid) < 1e-7 * ellipsoid)
    }

    @Test func `an invalid place has no distance`() {
        let nowhere = CLLocation(
            coordinate: kCLLocationCoordinate2DInvalid, altitude: 0, horizontalAccuracy: -1, verticalAccuracy: -1,
            timestamp: Date())
        #expect(nowhere.distance(from: CLLocation(latitude: 1, longitude: 1)).isNaN)
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2D(latitude: .nan, longitude: 0)))
        #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2D(latitude: -90, longitude: 180)))
    }

    @Test func `properties an initializer does not set are unknown`() {
        let place = CLLocation(latitude: 48, longitude: 11)
        #expect(place.horizontalAccuracy == 0 && place.verticalAccuracy == -1)
        #expect(place.speed == -1 && place.course == -1 && place.speedAccuracy == -1 && place.courseAccuracy == -1)
        #expect(place.sourceInformation == nil && place.floor == nil)
    }

    @Test func `an archive contains every property of a location`() throws {
        let location = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 48.137154, longitude: 11.576124), altitude: 519.3,
            horizontalAccuracy: 3.5, verticalAccuracy: 4.25, course: 271, courseAccuracy: 2, speed: 3.125,
            speedAccuracy: 0.5, timestamp: Date(timeIntervalSinceReferenceDate: 800_000_000.125),
            sourceInfo: CLLocationSourceInformation(softwareSimulationState: true, andExternalAccessoryState: false))
        let data = try NSKeyedArchiver.archivedData(withRootObject: location, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data)
        #expect(read == location)
        #expect(read?.hash == location.hash)
        #expect(read?.sourceInformation?.isSimulatedBySoftware == true)
        #expect(CLLocation(latitude: 1, longitude: 2) != location)
    }
}
