import Foundation
import HealthKit
import Synchronization
import Testing

/// A typical watch app's workout: a session, its builder, and the calls of their delegates.
final class WatchWorkout: NSObject, HKWorkoutSessionDelegate, HKLiveWorkoutBuilderDelegate, Sendable {
    static let heartRate = HKQuantityType(.heartRate)
    static let beats = HKUnit.count().unitDivided(by: .minute())

    let store: HKHealthStore
    let session: HKWorkoutSession
    let builder: HKLiveWorkoutBuilder
    private let heard = Mutex(Heard())

    struct Heard {
        var changes: [(state: HKWorkoutSessionState, date: Date)] = []
        /// The latest heart rates of the statistics, at each call of the builder's delegate.
        var heartRates: [Double] = []
        var wasOnMainThread = false
    }

    var changes: [(state: HKWorkoutSessionState, date: Date)] { heard.withLock { $0.changes } }
    var heartRates: [Double] { heard.withLock { $0.heartRates } }
    var wasOnMainThread: Bool { heard.withLock { $0.wasOnMainThread } }

    init(_ activity: HKWorkoutActivityType = .running, collects: Bool = true) throws {
        let configuration = Self.configuration(activity)
        store = HKHealthStore()
        session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        builder = session.associatedWorkoutBuilder()
        super.init()
        session.delegate = self
        builder.delegate = self
        guard collects else { return }
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
    }

    /// The app after a crash: it asks for its earlier session.
    static func recovered() async throws -> WatchWorkout {
        let store = HKHealthStore()
        let session = try #require(try await store.recoverActiveWorkoutSession())
        return WatchWorkout(store, session)
    }

    private init(_ store: HKHealthStore, _ session: HKWorkoutSession) {
        self.store = store
        self.session = session
        builder = session.associatedWorkoutBuilder()
        super.init()
        session.delegate = self
        builder.delegate = self
        builder.dataSource = HKLiveWorkoutDataSource(
            healthStore: store, workoutConfiguration: session.workoutConfiguration)
    }

    static func configuration(_ activity: HKWorkoutActivityType) -> HKWorkoutConfiguration {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        configuration.locationType = .outdoor
        return configuration
    }

    func begin() async throws {
        let start = Date()
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
    }

    func finish() async throws -> HKWorkout? {
        session.stopActivity(with: Date())
        try await builder.endCollection(at: Date())
        let workout = try await builder.finishWorkout()
        session.end()
        return workout
    }

    func latestHeartRate() -> Double? {
        builder.statistics(for: Self.heartRate)?.mostRecentQuantity()?.doubleValue(for: Self.beats)
    }

    /// The heart rates of a finished workout, oldest first.
    func heartRates(of workout: HKWorkout) async throws -> [HKQuantitySample] {
        let own = HKQuery.predicateForObjects(from: workout)
        return try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: Self.heartRate, predicate: own)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
    }

    // MARK: Delegates

    private func note(_ change: (inout Heard) -> Void) {
        heard.withLock { heard in
            heard.wasOnMainThread = heard.wasOnMainThread || Thread.isMainThread
            change(&heard)
        }
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        note { $0.changes.append((toState, date)) }
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) { note { _ in } }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        let latest = latestHeartRate()
        note { if let latest { $0.heartRates.append(latest) } }
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) { note { _ in } }
}
