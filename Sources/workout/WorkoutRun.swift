import ArgumentParser
import Foundation
import HealthKit
import SessionLog
import Synchronization

/// One workout, run as an app runs it: a session with its delegate, and its builder.
///
/// Whoever shows it reads ``live``; whoever wants the result awaits ``run()``.
final class WorkoutRun: NSObject, Sendable {
    let session: HKWorkoutSession
    private let builder: HKLiveWorkoutBuilder
    private let changes = AsyncStream.makeStream(of: Change.self)
    /// The workout is over, and the store cannot be written.
    private let isWaiting = Atomic(false)
    private let hasGivenUp = Atomic(false)
    /// Nobody has started it yet.
    private let isReady = Atomic(false)
    /// Seconds from the start to the end of what is replayed; nil when that is not known.
    let plannedSeconds: Double?
    /// What a live view says beside the numbers.
    let notices: LiveNotices
    /// What fails is said, and the run goes on.
    private let isLive: Bool
    /// Of what is replayed; nil for a live session.
    private let replayTime: HaltableTime?

    private enum Change: Sendable {
        case begun
        case over(Date)
        case failed(any Error)
    }

    /// What a run came to.
    struct Finished: Sendable {
        var id: UUID
        var state: SessionState
        var log: any SessionEntries
        /// Ended by Ctrl-C or another signal.
        var wasInterrupted = false
    }

    init(
        store: HKHealthStore, recorder: WorkoutRecorder, plannedSeconds: Double?, notices: LiveNotices? = nil,
        replayTime: HaltableTime? = nil
    ) {
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

    /// Runs until the recording is over, or the session was ended, and finishes the workout.
    /// - Parameter waits: Makes the sensors ready and waits for ``begin()``.
    /// - Throws: ``CommandFailure`` when it was ended before it began.
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
                // On the recorder's queue, hence after the discarding.
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
        // In this order: the log is read on the recorder's queue, when the end is in it.
        let log = await session.recorder.log
        return Finished(id: session.recorder.id, state: session.recorder.state, log: log)
    }

    /// Saves the workout, which waits for a store that cannot be written now, such as on a full disk, until it can.
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
                            + "q or Ctrl-C gives up")
                }
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Says something at once: in the live view, and on standard error where there is none.
    private func notify(_ sentence: String) {
        notices.warn(sentence)
        if !ScreenMode.isOn { CommandFailure(exitCode: .serviceMissing, message: sentence).report() }
    }

    // MARK: What keys do

    /// Starts the clock of a run that waits for it.
    func begin() {
        if isReady.load(ordering: .relaxed) { changes.continuation.yield(.begun) }
    }

    /// Pauses the session; of a replay, halts the recording: what comes of it stays the same.
    func pause() {
        if let replayTime { replayTime.halt() } else { session.pause() }
    }

    func resume() {
        if let replayTime, replayTime.isHalted { replayTime.goOn() } else { session.resume() }
    }

    /// As somebody sees it who watches.
    var phase: SessionPhase {
        let phase = session.recorder.read { $0.phase }
        return phase == .running && replayTime?.isHalted == true ? .paused : phase
    }

    /// Ends the session; once it has ended and its workout waits to be saved, ends the waiting.
    func end() {
        replayTime?.goOn()
        if isWaiting.load(ordering: .relaxed) { hasGivenUp.store(true, ordering: .relaxed) }
        if isReady.load(ordering: .relaxed) { session.end() } else { session.stopActivity(with: nil) }
    }

    func lap() { session.endLap { _ in } }
}

extension HKWorkoutSession {
    /// Ends the current lap here; in a pause, nothing. `report` gets an error, if there is one.
    func endLap(_ report: @escaping @Sendable (any Error) -> Void) {
        recorder.enqueue { recorder in
            do { try recorder.endLap() } catch { report(error) }
        }
    }
}

extension CommandFailure {
    /// A workout that nobody waits for any longer.
    fileprivate init(notStored error: HKError, _ session: HKWorkoutSession) {
        let rest =
            session.journalFault == nil
            ? "the session's journal is complete: free some disk space, then run: workout recover"
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
            // It goes on: the disk does not take its journal. One that cannot begin because of that fails by itself.
            if workoutSession.recorder.read({ $0.collectionStart }) != nil { notify(CommandFailure.describe(error)) }
        } else if isLive {
            notices.warn(CommandFailure.describe(error))
        } else {
            changes.continuation.yield(.failed(error))
        }
    }
}
