import ArgumentParser
import Engine
import Foundation
import HealthKit
import SessionLog
import Synchronization

/// One workout, run as an app runs it: a session with its delegate, and its builder.
///
/// Views read ``live``. ``run()`` returns the result.
final class WorkoutRun: NSObject, Sendable {
    let session: HKWorkoutSession
    private let builder: HKLiveWorkoutBuilder
    private let changes = AsyncStream.makeStream(of: Change.self)
    /// Whether the workout is over but the store cannot be written.
    private let isWaiting = Atomic(false)
    private let hasGivenUp = Atomic(false)
    /// Whether the session waits for its start.
    private let isReady = Atomic(false)
    /// The length of a replay in seconds. Nil if it is not known.
    let plannedSeconds: Double?
    /// The notices of a live view besides its values.
    let notices: LiveNotices
    /// The plan that the rider follows. Nil if there is none.
    let plan: PlanRun?
    /// Whether the run is live: it then reports failures and goes on.
    private let isLive: Bool
    /// The clock of a replay. Nil for a live session.
    private let replayTime: HaltableTime?

    private enum Change: Sendable {
        case begun
        case over(Date)
        case failed(any Error)
    }

    /// The result of a run.
    struct Finished: Sendable {
        var id: UUID
        var state: SessionState
        var log: any SessionEntries
        /// Whether Ctrl-C or another signal ended it.
        var wasInterrupted = false
    }

    init(
        store: HKHealthStore, recorder: WorkoutRecorder, plannedSeconds: Double?, notices: LiveNotices? = nil,
        plan: PlanRun? = nil, replayTime: HaltableTime? = nil
    ) {
        self.plan = plan
        self.replayTime = replayTime
        session = HKWorkoutSession(healthStore: store, recorder: recorder)
        builder = session.associatedWorkoutBuilder()
        self.plannedSeconds = plannedSeconds
        self.notices = notices ?? LiveNotices()
        isLive = notices != nil
        super.init()
        session.delegate = self
        let everything = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil)
        for type in TypeCatalogue.quantityTypes { everything.enableCollection(for: type, predicate: nil) }
        builder.dataSource = everything
    }

    /// Runs until the recording is over or the session was ended, and finishes the workout.
    /// - Parameter waits: Whether to make the sensors ready and wait for ``begin()``.
    /// - Throws: ``CommandFailure`` if it was ended before it began.
    func run(waits: Bool = false) async throws -> Finished {
        if waits { try await awaitStart() }
        let start = replayTime?.now() ?? Date()
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        for await change in changes.stream {
            switch change {
            case .begun: break
            case .failed(let error): throw error
            case .over(let date): return try await finish(at: date)
            }
        }
        throw CancellationError()
    }

    private func awaitStart() async throws {
        isReady.store(true, ordering: .relaxed)
        session.prepare()
        session.recorder.enqueue { $0.readySensors() }
        for await change in changes.stream {
            isReady.store(false, ordering: .relaxed)
            switch change {
            case .begun: return
            case .failed(let error): throw error
            case .over:
                builder.discardWorkoutAndSamples()
                // This runs on the recorder's queue, hence after the discarding.
                _ = await session.recorder.log
                throw CommandFailure(exitCode: .success, message: "nothing was recorded: the clock was not started")
            }
        }
        throw CancellationError()
    }

    private func finish(at date: Date) async throws -> Finished {
        try await builder.endCollection(at: date)
        try await save()
        session.end()
        // In this order: the log is read on the recorder's queue after the end was added.
        let log = await session.recorder.log
        return Finished(id: session.recorder.id, state: session.recorder.state, log: log)
    }

    /// Saves the workout. If the store cannot be written now, for instance because the disk is full, waits until it
    /// can.
    private func save() async throws {
        while true {
            do {
                _ = try await builder.finishWorkout()
                if isWaiting.load(ordering: .relaxed) { notify("the workout is saved now") }
                return
            } catch let error as HKError where error.code == .errorDatabaseInaccessible {
                if hasGivenUp.load(ordering: .relaxed) { throw CommandFailure(notStored: error, session) }
                if !isWaiting.exchange(true, ordering: .relaxed) {
                    notify(
                        "the workout is not saved yet: \(CommandFailure.describe(error)) Trying again every second; "
                            + "q or Ctrl-C stops trying")
                }
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Shows a notice at once: in the live view, or on standard error if there is none.
    private func notify(_ sentence: String) {
        notices.warn(sentence)
        if !ScreenMode.isOn { CommandFailure(exitCode: .serviceMissing, message: sentence).report() }
    }

    // MARK: What keys do

    /// Starts the clock of a run that waits.
    func begin() {
        if isReady.load(ordering: .relaxed) { changes.continuation.yield(.begun) }
    }

    /// Pauses the session. For a replay, halts the recording instead, so that the result stays the same.
    func pause() {
        if let replayTime { replayTime.halt() } else { session.pause() }
    }

    func resume() {
        if let replayTime, replayTime.isHalted { replayTime.goOn() } else { session.resume() }
    }

    /// The phase as a viewer sees it.
    var phase: SessionPhase {
        let phase = session.recorder.read { $0.phase }
        return phase == .running && replayTime?.isHalted == true ? .paused : phase
    }

    /// Ends the session, with the lap that goes on if it has laps. If it has ended and its workout waits to be saved,
    /// ends the waiting.
    func end() {
        replayTime?.goOn()
        if isWaiting.load(ordering: .relaxed) { hasGivenUp.store(true, ordering: .relaxed) }
        if isReady.load(ordering: .relaxed) { return session.end() }
        // A failure to add the lap is reported as one of the session's journal.
        session.recorder.enqueue { try? $0.endLastLap() }
        session.stopActivity(with: nil)
    }

    func lap() { session.endLap { _ in } }
}

extension HKWorkoutSession {
    /// Ends the current lap here. Does nothing in a pause. `report` receives the error, if there is one.
    func endLap(_ report: @escaping @Sendable (any Error) -> Void) {
        recorder.enqueue { recorder in
            do { try recorder.endLap() } catch { report(error) }
        }
    }
}

extension CommandFailure {
    /// The failure for a workout whose saving was given up.
    fileprivate init(notStored error: HKError, _ session: HKWorkoutSession) {
        let rest =
            session.journalFault == nil
            ? "the session's journal is complete. When the store can be used again, run: workout recover"
            : "the session's journal lacks the end; free some disk space, then save the rest: workout recover"
        self.init(
            exitCode: .serviceMissing,
            message: "the workout was not saved: \(CommandFailure.describe(error)) But \(rest)")
    }
}

extension WorkoutRun: HKWorkoutSessionDelegate {
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        if toState == .stopped || toState == .ended { changes.continuation.yield(.over(date)) }
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
        if (error as? HKError)?.code == .errorDatabaseInaccessible {
            // The session goes on if the disk does not accept its journal. One that cannot begin for that reason fails
            // by itself.
            if workoutSession.recorder.read({ $0.collectionStart }) != nil { notify(CommandFailure.describe(error)) }
        } else if isLive {
            notices.warn(CommandFailure.describe(error))
        } else {
            changes.continuation.yield(.failed(error))
        }
    }
}
