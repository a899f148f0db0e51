// App code: every call of a workout session and its builders, with callbacks and with async.

import HealthKit

struct WorkoutPlan: Codable {
    var activity: UInt = HKWorkoutActivityType.running.rawValue
    var location: Int = HKWorkoutSessionLocationType.outdoor.rawValue
    var swimming: Int = HKWorkoutSwimmingLocationType.unknown.rawValue

    var configuration: HKWorkoutConfiguration {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = HKWorkoutActivityType(rawValue: activity) ?? .other
        configuration.locationType = HKWorkoutSessionLocationType(rawValue: location) ?? .unknown
        if configuration.activityType == .swimming {
            configuration.swimmingLocationType = HKWorkoutSwimmingLocationType(rawValue: swimming) ?? .pool
            configuration.lapLength = HKQuantity(unit: .meter(), doubleValue: 25)
        }
        return configuration
    }
}

extension HKWorkoutConfiguration {
    convenience init(activity: HKWorkoutActivityType, location: HKWorkoutSessionLocationType) {
        self.init()
        activityType = activity
        locationType = location
    }

    var isIndoor: Bool { locationType == .indoor }
}

extension HKWorkoutEvent {
    convenience init(lapFrom start: Date, to end: Date) {
        self.init(type: .lap, dateInterval: DateInterval(start: start, end: end), metadata: nil)
    }

    var dictionary: [String: Any] {
        ["type": type.rawValue, "start": dateInterval.start, "end": dateInterval.end, "metadata": metadata ?? [:]]
    }
}

@MainActor
final class WorkoutController: NSObject {
    enum Failure: Error { case noSession, refused }

    let healthStore = HKHealthStore()
    var session: HKWorkoutSession?
    var builder: HKLiveWorkoutBuilder?
    private(set) var events: [HKWorkoutEventType] = []
    private(set) var states: [HKWorkoutSessionState] = []
    private(set) var collected: Set<HKQuantityType> = []
    private(set) var figures: [String: Double] = [:]
    private(set) var error: (any Error)?
    private var start: Date?
    private var atEnd: [CheckedContinuation<Void, Never>] = []

    var isRunning: Bool { session?.state == .running }
    var elapsed: TimeInterval { builder?.elapsedTime ?? 0 }
    var elapsedNow: TimeInterval { builder?.elapsedTime(at: Date()) ?? 0 }
    var interval: (Date?, Date?) { (session?.startDate, session?.endDate) }
    var collection: (Date?, Date?) { (builder?.startDate, builder?.endDate) }

    func begin(_ configuration: HKWorkoutConfiguration) async throws {
        let session = try HKWorkoutSession(healthStore: healthStore, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        self.session = session
        self.builder = builder
        session.delegate = self
        builder.delegate = self
        builder.shouldCollectWorkoutEvents = true
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: healthStore, workoutConfiguration: configuration)
        if let types = builder.dataSource?.typesToCollect, types.contains(HKQuantityType(.heartRate)) == false {
            builder.dataSource?.enableCollection(for: HKQuantityType(.heartRate), predicate: nil)
        }
        builder.dataSource?.disableCollection(for: .init(.basalEnergyBurned))
        assert(builder.workoutSession === session)
        assert(session.workoutConfiguration.activityType == configuration.activityType)

        session.prepare()
        let startDate = Date()
        start = startDate
        session.startActivity(with: startDate)
        try await builder.beginCollection(at: startDate)
        try await builder.addMetadata([HKMetadataKeyIndoorWorkout: configuration.isIndoor])
    }

    func addLap() {
        guard let start else { return }
        let event = HKWorkoutEvent(
            type: .lap, dateInterval: DateInterval(start: start, end: Date()), metadata: ["lap": 1])
        builder?.addWorkoutEvents([event]) { success, error in
            guard success else {
                NSLog("%@", error?.localizedDescription ?? "")
                return
            }
        }
    }

    func addNote() {
        builder?.addMetadata([HKMetadataKeyWorkoutBrandName: "Loop"]) { (success, error) in
            if !success { Task { @MainActor in self.error = error } }
        }
    }

    func finish() async throws -> HKWorkout? {
        guard let session, let builder else { throw Failure.noSession }
        await withCheckedContinuation { reached in
            if session.state == .ended { reached.resume() } else { atEnd.append(reached) }
            session.stopActivity(with: .now)
        }
        let end = session.endDate ?? Date()
        try await builder.endCollection(at: end)
        let workout = try await builder.finishWorkout()
        return workout
    }

    func giveUp() {
        session?.end()
        builder?.discardWorkout()
        session = nil
        builder = nil
    }

    func update(_ statistics: HKStatistics) {
        let type = statistics.quantityType
        collected.insert(type)
        switch type {
        case HKQuantityType.quantityType(forIdentifier: .heartRate):
            let unit = HKUnit.count().unitDivided(by: HKUnit.minute())
            figures["heartRate"] = statistics.mostRecentQuantity()?.doubleValue(for: unit)
            figures["average"] = statistics.averageQuantity()?.doubleValue(for: unit)
            figures["maximum"] = statistics.maximumQuantity()?.doubleValue(for: unit)
            figures["minimum"] = statistics.minimumQuantity()?.doubleValue(for: unit)
            figures["latest"] = statistics.mostRecentQuantityDateInterval()?.end.timeIntervalSince1970
        case HKQuantityType(.activeEnergyBurned):
            figures["energy"] = statistics.sumQuantity()?.doubleValue(for: .kilocalorie())
        case .init(.distanceWalkingRunning), .init(.distanceCycling):
            figures["distance"] = statistics.sumQuantity()?.doubleValue(for: .meter())
            figures["span"] = statistics.endDate.timeIntervalSince(statistics.startDate)
        default:
            break
        }
    }
}

extension WorkoutController: HKWorkoutSessionDelegate {
    nonisolated func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        DispatchQueue.main.async {
            self.states.append(toState)
            guard toState == .stopped || toState == .ended else { return }
            if toState == .stopped { workoutSession.end() }
            self.atEnd.forEach { $0.resume() }
            self.atEnd = []
        }
    }

    nonisolated func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
        Task { @MainActor in self.error = error }
    }

    nonisolated func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {
        let type = event.type
        Task { @MainActor [weak self] in self?.events.append(type) }
    }
}

extension WorkoutController: HKLiveWorkoutBuilderDelegate {
    nonisolated func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
    ) {
        for case let type as HKQuantityType in collectedTypes {
            guard let statistics = workoutBuilder.statistics(for: type) else { continue }
            DispatchQueue.main.async { self.update(statistics) }
        }
    }

    nonisolated func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {
        guard let last = workoutBuilder.workoutEvents.last else { return }
        DispatchQueue.main.async { self.events.append(last.type) }
    }
}

/// Writes a workout that was recorded elsewhere, as importers do.
final class WorkoutImporter: Sendable {
    let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    func write(
        _ samples: [HKSample], from start: Date, to end: Date, events: [HKWorkoutEvent],
        completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void
    ) {
        let configuration = HKWorkoutConfiguration(activity: .running, location: .outdoor)
        let builder = HKWorkoutBuilder(healthStore: healthStore, configuration: configuration, device: .local())
        builder.beginCollection(withStart: start) { success, error in
            guard success else { return completion(nil, error) }
            builder.add(samples) { success, error in
                guard success else { return completion(nil, error) }
                builder.addWorkoutEvents(events) { _, _ in
                    builder.addMetadata([HKMetadataKeyCoachedWorkout: true]) { _, _ in
                        builder.endCollection(withEnd: end) { success, error in
                            guard success else { return completion(nil, error) }
                            builder.finishWorkout(completion: completion)
                        }
                    }
                }
            }
        }
    }
}
