// App code in the Swift 5 language mode: classes that are not Sendable, closures that capture them freely, protocols
// without `any`, singletons in global variables, Dispatch, and only HealthKit imported.

import HealthKit

protocol OldWorkoutManagerDelegate: AnyObject {
    func manager(_ manager: OldWorkoutManager, didUpdate heartRate: Double)
    func managerDidFinish(_ manager: OldWorkoutManager, workout: HKWorkout?, error: Error?)
}

var sharedManager = OldWorkoutManager()

class OldWorkoutManager: NSObject, HKWorkoutSessionDelegate, HKLiveWorkoutBuilderDelegate {
    static var instances = 0
    static let formatter = EnergyFormatter()

    let healthStore = HKHealthStore()
    weak var delegate: OldWorkoutManagerDelegate?
    var session: HKWorkoutSession!
    var builder: HKLiveWorkoutBuilder!
    var configuration = HKWorkoutConfiguration()
    var heartRates = [Double]()
    var log: [String] { lock.withLock { lines } }
    private let lock = NSLock()
    private var lines = [String]()
    var workout: HKWorkout?
    var completion: ((HKWorkout?, Error?) -> Void)?
    let heartRateUnit = HKUnit(from: "count/min")

    override init() {
        super.init()
        OldWorkoutManager.instances += 1
    }

    /// Sessions, builders and stores call back on queues of their own.
    private func note(_ line: String) {
        lock.withLock { lines.append(line) }
    }

    func requestAuthorization(completion: @escaping (Bool, Error?) -> Void) {
        guard HKHealthStore.isHealthDataAvailable() else {
            completion(false, HKError(.errorHealthDataUnavailable))
            return
        }
        let typesToShare: Set = [HKQuantityType.workoutType()]
        let typesToRead: Set<HKObjectType> = [
            HKQuantityType.quantityType(forIdentifier: .heartRate)!,
            HKQuantityType.quantityType(forIdentifier: .activeEnergyBurned)!,
            HKQuantityType.quantityType(forIdentifier: .distanceWalkingRunning)!,
            HKObjectType.activitySummaryType(),
        ]
        healthStore.requestAuthorization(toShare: typesToShare, read: typesToRead) { success, error in
            self.note("authorized \(success)")
            completion(success, error)
        }
    }

    func start(completion: @escaping (HKWorkout?, Error?) -> Void) {
        self.completion = completion
        configuration.activityType = .running
        configuration.locationType = .outdoor
        do {
            session = try HKWorkoutSession(healthStore: healthStore, configuration: configuration)
            builder = session.associatedWorkoutBuilder()
        } catch {
            completion(nil, error)
            return
        }
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: healthStore, workoutConfiguration: configuration)
        session.delegate = self
        builder.delegate = self
        var began = 0
        session.startActivity(with: Date())
        builder.beginCollection(withStart: Date()) { (success, error) in
            began += 1
            self.note("began \(success) \(began)")
        }
    }

    func finish(at date: Date) {
        builder.endCollection(withEnd: date) { (success, error) in
            self.builder.finishWorkout { (workout, error) in
                self.workout = workout
                self.completion?(workout, error)
                self.completion = nil
                DispatchQueue.main.async {
                    self.delegate?.managerDidFinish(self, workout: workout, error: error)
                }
            }
        }
    }

    func add(_ events: [HKWorkoutEvent], metadata: [String: Any], then completion: @escaping (Bool, Error?) -> Void) {
        builder.addWorkoutEvents(events) { success, error in
            guard success else {
                completion(false, error)
                return
            }
            self.builder.addMetadata(metadata, completion: completion)
        }
    }

    // MARK: HKWorkoutSessionDelegate

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        note("\(fromState.rawValue) -> \(toState.rawValue)")
        switch toState {
        case .running, .paused, .prepared, .notStarted:
            break
        case .stopped:
            workoutSession.end()
        case .ended:
            finish(at: date)
        @unknown default:
            break
        }
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: Error) {
        note(error.localizedDescription)
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {
        DispatchQueue.main.async { [weak self] in
            self?.note("event \(event.type.rawValue)")
        }
    }

    // MARK: HKLiveWorkoutBuilderDelegate

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        for type in collectedTypes {
            guard let quantityType = type as? HKQuantityType else { continue }
            let statistics = workoutBuilder.statistics(for: quantityType)
            switch quantityType {
            case HKQuantityType.quantityType(forIdentifier: .heartRate):
                let value = statistics!.mostRecentQuantity()?.doubleValue(for: heartRateUnit)
                heartRates.append(Double(round(1 * value!) / 1))
                DispatchQueue.main.async {
                    self.delegate?.manager(self, didUpdate: value!)
                }
            case HKQuantityType.quantityType(forIdentifier: .activeEnergyBurned):
                let value = statistics?.sumQuantity()?.doubleValue(for: HKUnit.kilocalorie()) ?? 0
                note(OldWorkoutManager.formatter.string(fromValue: value, unit: .kilocalorie))
            default:
                break
            }
        }
    }
}

/// A view model on the main actor, with a delegate whose methods have no isolation marks.
@MainActor
class OldViewModel: NSObject, OldWorkoutManagerDelegate {
    var heartRate = 0.0
    let manager = OldWorkoutManager()

    nonisolated func manager(_ manager: OldWorkoutManager, didUpdate heartRate: Double) {
        DispatchQueue.main.async {
            self.heartRate = heartRate
        }
    }

    nonisolated func managerDidFinish(_ manager: OldWorkoutManager, workout: HKWorkout?, error: Error?) {}

    func begin() {
        manager.requestAuthorization { success, error in
            self.manager.start { workout, error in
                Task { await self.show(workout) }
            }
        }
    }

    func show(_ workout: HKWorkout?) async {
        heartRate =
            workout?.statistics(for: HKQuantityType(.heartRate))?
            .averageQuantity()?.doubleValue(for: HKUnit(from: "count/min")) ?? 0
    }
}

/// A manager on the main actor whose delegate methods stay on it.
@MainActor
class OldMainManager: NSObject, @preconcurrency HKWorkoutSessionDelegate, @preconcurrency HKLiveWorkoutBuilderDelegate {
    var state = HKWorkoutSessionState.notStarted
    var eventCount = 0

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        DispatchQueue.main.async { self.state = toState }
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: Error) {}

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {
        DispatchQueue.main.async { self.eventCount += 1 }
    }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {}
}
