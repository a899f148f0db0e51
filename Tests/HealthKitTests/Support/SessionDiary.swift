import Engine
import Foundation
import HealthKit
import SessionLog
import Synchronization

/// Records the calls of a session's delegates in order.
final class SessionDiary: NSObject, HKWorkoutSessionDelegate, HKLiveWorkoutBuilderDelegate, Sendable {
    enum Note: Equatable, Sendable {
        case changed(HKWorkoutSessionState, from: HKWorkoutSessionState, Date)
        case failed(HKError.Code)
        case event(HKWorkoutEventType, Date)
        case began(HKWorkoutActivityType, Date)
        case ended(HKWorkoutActivityType, Date)
        case collected([String])
        case builderEvent
        case builderBegan(HKWorkoutActivityType)
        case builderEnded(HKWorkoutActivityType)
        case data([Data])
        /// Nil if the order was correct.
        case disconnected(HKError.Code?)
    }

    private let written = Mutex<[Note]>([])
    private let stream = AsyncStream.makeStream(of: Note.self)

    var notes: [Note] { written.withLock { $0 } }
    var states: [HKWorkoutSessionState] {
        notes.compactMap { if case .changed(let state, _, _) = $0 { state } else { nil } }
    }

    private func write(_ note: Note) {
        written.withLock { $0.append(note) }
        stream.continuation.yield(note)
    }

    /// Returns when a note matches. One caller at a time; notes from before the first call count, too.
    func wait(for matches: @Sendable (Note) -> Bool) async {
        for await note in stream.stream where matches(note) { return }
    }

    func waitUntil(_ state: HKWorkoutSessionState) async {
        await wait { if case .changed(state, _, _) = $0 { true } else { false } }
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        write(.changed(toState, from: fromState, date))
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
        write(.failed((error as? HKError)?.code ?? .unknownError))
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {
        write(.event(event.type, event.dateInterval.start))
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration,
        date: Date
    ) {
        write(.began(workoutConfiguration.activityType, date))
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
    ) {
        write(.ended(workoutConfiguration.activityType, date))
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]
    ) {
        write(.data(data))
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?
    ) {
        write(.disconnected(error.map { ($0 as? HKError)?.code ?? .unknownError }))
    }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        write(.collected(collectedTypes.map(\.identifier).sorted()))
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {
        write(.builderEvent)
    }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity) {
        write(.builderBegan(workoutActivity.workoutConfiguration.activityType))
    }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity) {
        write(.builderEnded(workoutActivity.workoutConfiguration.activityType))
    }
}

/// A session on a clock that the test advances, and the calls of its delegates.
struct TestSession {
    let time: ManualTime
    let store: HKHealthStore
    let session: HKWorkoutSession
    let builder: HKLiveWorkoutBuilder
    let diary = SessionDiary()

    init(
        _ activity: HKWorkoutActivityType = .running, sensors: [any Sensor] = [], wearer: WearerProfile? = nil,
        time: ManualTime = ManualTime(), in environment: HealthEnvironment = HealthEnvironment(sensors: [])
    ) {
        self.time = time
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        var environment = environment
        environment.time = time
        store = HKHealthStore(environment: environment)
        let recorder = WorkoutRecorder(
            configuration: configuration.activityDescription, sensors: sensors, wearer: wearer, time: time)
        session = HKWorkoutSession(healthStore: store, recorder: recorder)
        builder = session.associatedWorkoutBuilder()
        session.delegate = diary
        builder.delegate = diary
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
    }

    /// Returns when all requests so far are done.
    func settle() async {
        await withCheckedContinuation { done in session.recorder.enqueue { _ in done.resume() } }
    }

    /// Gives the session readings, as a sensor would.
    func collect(_ entries: [SessionEntry]) async {
        await session.recorder.collect(entries)
    }

    func heartRate(_ value: Double, at date: Date) -> SessionEntry {
        SessionEntry(date, .quantity(QuantityReading("heartRate", value, unit: "count/min", start: date, end: date)))
    }
}
