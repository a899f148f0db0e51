// An early watch app, in Swift 5: a session without a store, key-value coding, a compass, and old test doubles.

import CoreLocation
import Foundation
import HealthKit

class OldWatchApp: NSObject, HKWorkoutSessionDelegate, CLLocationManagerDelegate {
    let healthStore = HKHealthStore()
    let locationManager = CLLocationManager()
    var session: HKWorkoutSession?
    var failures: [Error] = []
    var states: [HKWorkoutSessionState] = []
    var heading = 0.0

    func begin() {
        let session = HKWorkoutSession(activityType: .running, locationType: .outdoor)
        session.delegate = self
        self.session = session
        healthStore.start(session)
        locationManager.delegate = self
        locationManager.desiredAccuracy = kCLLocationAccuracyBest
        locationManager.distanceFilter = 10
        locationManager.activityType = .fitness
        if CLLocationManager.headingAvailable() { locationManager.startUpdatingHeading() }
        if CLLocationManager.locationServicesEnabled() { locationManager.requestWhenInUseAuthorization() }
        switch CLLocationManager.authorizationStatus() {
        case .authorizedAlways, .authorizedWhenInUse: locationManager.startUpdatingLocation()
        default: break
        }
    }

    func startWatch(_ done: @escaping (Bool, Error?) -> Void) {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .cycling
        healthStore.startWatchApp(with: configuration, completion: done)
    }

    func average(_ type: HKQuantityType, _ done: @escaping (Double?) -> Void) -> HKStatisticsQuery {
        HKStatisticsQuery(quantityType: type, quantitySamplePredicate: nil, options: .discreteAverage) {
            query, statistics, error in
            NSLog("%@ is done", query)
            done(statistics?.averageQuantity()?.doubleValue(for: HKUnit(from: "count/min")))
        }
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        states.append(toState)
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: Error) {
        failures.append(error)
    }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        heading = newHeading.trueHeading
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        guard let last = locations.last else { return }
        NSLog("at %@", last)
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        failures.append(error)
    }

    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}
}

final class OldQueryFactory {
    var observerQueryType: HKObserverQuery.Type = HKObserverQuery.self

    func make(
        _ type: HKSampleType, _ handler: @escaping (HKObserverQuery, @escaping () -> Void, Error?) -> Void
    )
        -> HKObserverQuery
    {
        observerQueryType.init(sampleType: type, predicate: nil, updateHandler: handler)
    }
}

/// As in insulin apps: `override`, without `@Sendable`.
class OldObserverQuery: HKObserverQuery, @unchecked Sendable {
    var handler: ((HKObserverQuery, @escaping HKObserverQueryCompletionHandler, Error?) -> Void)?

    override init(
        sampleType: HKSampleType, predicate: NSPredicate?,
        updateHandler: @escaping (HKObserverQuery, @escaping HKObserverQueryCompletionHandler, Error?) -> Void
    ) {
        super.init(sampleType: sampleType, predicate: predicate, updateHandler: updateHandler)
        handler = updateHandler
    }

    override init(
        queryDescriptors: [HKQueryDescriptor],
        updateHandler:
            @escaping (
                HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler, Error?
            ) -> Void
    ) {
        super.init(queryDescriptors: queryDescriptors, updateHandler: updateHandler)
    }
}

func correct(_ workout: HKWorkout?, _ distance: HKQuantity) {
    workout?.setValue(distance, forKey: "totalDistance")
}

func isMissing(_ error: Error) -> Bool {
    switch error {
    case HKError.errorNoData: return true
    default: return HKError(_nsError: error as NSError).code == .errorNoData
    }
}
