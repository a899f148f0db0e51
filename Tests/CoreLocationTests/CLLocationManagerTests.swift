import CoreLocation
import Foundation
import Testing

// As on a device whose location services are turned off: Apple's documentation of CLLocationManager and CLError.Code.
@Suite struct CLLocationManagerTests {
    private final class Listener: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
        let heard = AsyncStream.makeStream(of: String.self)

        func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
            heard.continuation.yield("status \(manager.authorizationStatus.rawValue)")
        }

        func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
            do { throw error } catch CLError.denied {
                heard.continuation.yield("denied")
            } catch CLError.headingFailure {
                heard.continuation.yield("no heading")
            } catch {
                heard.continuation.yield("\(error)")
            }
        }
    }

    @Test func `location is unavailable, and the delegate gets the error`() async {
        #expect(!CLLocationManager.headingAvailable() && !CLLocationManager.locationServicesEnabled())
        let manager = CLLocationManager()
        let listener = Listener()
        manager.delegate = listener
        manager.desiredAccuracy = kCLLocationAccuracyNearestTenMeters
        manager.headingFilter = 5
        #expect(manager.desiredAccuracy == 10 && manager.headingFilter == 5)
        manager.requestWhenInUseAuthorization()
        manager.startUpdatingLocation()
        manager.startUpdatingHeading()
        manager.stopUpdatingHeading()
        var heard: [String] = []
        for await word in listener.heard.stream {
            heard.append(word)
            if word == "no heading" { break }
        }
        #expect(heard == ["status 2", "status 2", "denied", "no heading"])
        #expect(manager.location == nil && manager.heading == nil && manager.delegate === listener)
    }

    @Test func `errors have a description and their domain`() {
        let error = CLError(.network, userInfo: [NSLocalizedDescriptionKey: "no network"])
        #expect((error as NSError).domain == "kCLErrorDomain" && (error as NSError).code == 2)
        #expect(error.localizedDescription == "no network")
        #expect(String(format: "%@", CLLocation(latitude: 1, longitude: 2)).hasPrefix("<+1.0"))
    }
}
