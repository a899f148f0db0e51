import Foundation
import HealthKit
import Synchronization

/// An app's workout code as people write it, without anything for tests.
final class TestedApp: NSObject, HKWorkoutSessionDelegate, HKLiveWorkoutBuilderDelegate, @unchecked Sendable {
    let healthStore: HKHealthStore
    private(set) var session: HKWorkoutSession?
    private var builder: HKLiveWorkoutBuilder?
    private let held = Mutex(Held())

    struct Held {
        var heartRates: [Double] = []
        var average: Double?
        var workout: HKWorkout?
        var failure: (any Error)?
        var madeInDelegate: HKHealthStore?
    }

    init(_ healthStore: HKHealthStore = HKHealthStore()) { self.healthStore = healthStore }

    var heartRates: [Double] { held.withLock { $0.heartRates } }
    var average: Double? { held.withLock { $0.average } }
    var workout: HKWorkout? { held.withLock { $0.workout } }
    var failure: (any Error)? { held.withLock { $0.failure } }
    var storeMadeInDelegate: HKHealthStore? { held.withLock { $0.madeInDelegate } }

    /// Returns at once, as a button's action does.
    func start(_ activity: HKWorkoutActivityType = .running) {
        let read: Set<HKObjectType> = [HKQuantityType(.heartRate)]
        healthStore.requestAuthorization(toShare: [.workoutType()], read: read) { [self] _, _ in
            let configuration = HKWorkoutConfiguration()
            configuration.activityType = activity
            do {
                let session = try HKWorkoutSession(healthStore: healthStore, configuration: configuration)
                let builder = session.associatedWorkoutBuilder()
                (self.session, self.builder) = (session, builder)
                session.delegate = self
                builder.delegate = self
                builder.dataSource = HKLiveWorkoutDataSource(
                    healthStore: healthStore, workoutConfiguration: configuration)
                let start = Date()
                session.startActivity(with: start)
                builder.beginCollection(withStart: start) { _, error in self.note(error) }
            } catch {
                note(error)
            }
        }
    }

    func stop() { session?.stopActivity(with: Date()) }

    private func note(_ error: (any Error)?) {
        if let error { held.withLock { $0.failure = error } }
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        if toState == .running { held.withLock { $0.madeInDelegate = HKHealthStore() } }
        guard toState == .stopped else { return }
        builder?.endCollection(withEnd: date) { [self] _, error in
            note(error)
            builder?.finishWorkout { [self] workout, error in
                note(error)
                held.withLock { $0.workout = workout }
                session?.end()
            }
        }
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) { note(error) }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        guard collectedTypes.contains(HKQuantityType(.heartRate)),
            let statistics = workoutBuilder.statistics(for: HKQuantityType(.heartRate))
        else { return }
        let unit = HKUnit.count().unitDivided(by: .minute())
        held.withLock { held in
            held.heartRates += [statistics.mostRecentQuantity()?.doubleValue(for: unit)].compactMap { $0 }
            held.average = statistics.averageQuantity()?.doubleValue(for: unit)
        }
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
}
