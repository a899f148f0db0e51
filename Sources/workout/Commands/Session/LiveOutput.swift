import Engine
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts
import Synchronization

/// Shows a running session: a screen on a terminal, plain lines in a pipe, nothing for JSON.
struct LiveOutput: Sendable {
    /// The speed of a replay. Nil for a live session.
    var speed: Double?
    var json: Bool
    /// The alarm for the target heart rate. Nil if there is no target.
    var alarm: TargetAlarm?
    /// Whether the session waits for a key before it starts, if there are keys.
    var waits = false
    /// The environment whose profile has zones of power and pace. Nil to show none.
    var zonesOf: HealthEnvironment?
    /// The server that shows it to browsers. Nil if there is none.
    var pages: PageServer?

    /// Runs to the end, or until the user ends it. Either way the data so far is a workout.
    func follow(_ run: WorkoutRun) async throws -> WorkoutRun.Finished {
        // Not a child of the task that the screen cancels: an interrupted run is ended and finished, not dropped.
        let terminal = json || speed?.isInfinite == true ? nil : Terminal.standard()
        let waits = waits && terminal?.input != nil
        let served = await pages?.show(run, speed: speed, target: alarm?.target, course(of: run))
        let work = Task { try await run.run(waits: waits) }
        let interrupted =
            if json || speed?.isInfinite == true {
                try await Interruption.calling({ run.end() }) { _ = try await work.value }
            } else if let terminal {
                try await onScreen(terminal, run, work, served?.course)
            } else {
                try await plainly(run, work)
            }
        var finished = try await work.value
        finished.wasInterrupted = interrupted
        return finished
    }

    /// Returns the timeline with the wearer's zones of power and pace. A profile that cannot be read counts as empty,
    /// because the session matters more than its zones.
    private func course(of run: WorkoutRun) -> LiveTimeline {
        let recorder = run.session.recorder
        let athlete = try? zonesOf?.athlete(at: recorder.now, doing: recorder.configuration.activity)
        return LiveTimeline(athlete ?? WorkoutAnalysis.Athlete())
    }

    private func onScreen(
        _ terminal: Terminal, _ run: WorkoutRun, _ work: Task<WorkoutRun.Finished, any Error>, _ served: LiveTimeline?
    ) async throws -> Bool {
        let course = served ?? course(of: run)
        if served == nil { await run.session.recorder.attach(course) }
        // A replay can be repeated, so it ends without a question.
        let keys = Mutex(LiveKeys(asksBeforeEnd: speed == nil))
        let end = try await LiveScreen(terminal: terminal).run(
            snapshot: {
                var snapshot = LiveSnapshot(run, speed: speed, course)
                keys.withLock { $0.show(on: &snapshot, at: Date()) }
                alarm?.take(&snapshot, on: terminal)
                return snapshot
            },
            keys: { key in
                switch keys.withLock({ $0.press(key, in: run.phase, at: Date()) }) {
                case .begin: run.begin()
                case .pause: run.pause()
                case .resume: run.resume()
                case .lap: run.lap()
                case .end: run.end()
                case .harder: run.plan?.changeIntensity(by: 1)
                case .easier: run.plan?.changeIntensity(by: -1)
                case .nextStep: run.plan?.skipStep(in: run)
                case .trainer: run.plan?.toggleTrainer()
                case nil: break
                }
            },
            until: {
                try await withTaskCancellationHandler {
                    _ = try await work.value
                } onCancel: {
                    run.end()
                }
            })
        return end != .finished
    }

    private func plainly(_ run: WorkoutRun, _ work: Task<WorkoutRun.Finished, any Error>) async throws -> Bool {
        let printer = Task {
            var lines = PlainLiveLine()
            while !Task.isCancelled {
                var snapshot = LiveSnapshot(run, speed: speed)
                alarm?.take(&snapshot, on: nil)
                for line in lines.lines(for: snapshot) { print(line) }
                CommandOutput.standard.flush()
                try await Task.sleep(for: TerminalScreen.shortestRefresh)
            }
        }
        defer { printer.cancel() }
        return try await Interruption.calling({ run.end() }) { _ = try await work.value }
    }
}

/// The keys of a live view and the requests they stand for. Pure: a state machine with the time as a parameter.
struct LiveKeys: Sendable {
    /// For how long a question waits for its `y`.
    static let questionLimitInSeconds = 10.0

    /// Whether `q` asks before it ends the session, because a live session cannot be repeated.
    var asksBeforeEnd: Bool
    private(set) var span = LiveSnapshot.CurveSpan.whole
    private var asked: Date?

    init(asksBeforeEnd: Bool) {
        self.asksBeforeEnd = asksBeforeEnd
    }

    enum Request: Equatable {
        case begin, pause, resume, lap, end
        // For a plan.
        case harder, easier, nextStep
        /// Sets the trainer free, or lets it follow again.
        case trainer
    }

    /// Returns the request of a key. Returns nil for a key that has no meaning or only changes the view.
    mutating func press(_ key: Key, in phase: SessionPhase, at now: Date) -> Request? {
        let wasAsked = isAsked(at: now)
        asked = nil
        switch key {
        case .control("c"): return .end
        case .enter where phase == .prepared: return .begin
        case .character(let character):
            switch character.lowercased() {
            case "s" where phase == .prepared: return .begin
            case "p": return .pause
            case "r": return .resume
            case "l": return .lap
            case "+", "=": return .harder
            case "-": return .easier
            case "n": return .nextStep
            case "e": return .trainer
            case "t": span = span.other
            case "y" where wasAsked: return .end
            case "q":
                // A session that is over already only waits to be stored.
                guard asksBeforeEnd, phase == .running || phase == .paused else { return .end }
                asked = now
            default: break
            }
        default: break
        }
        return nil
    }

    func show(on snapshot: inout LiveSnapshot, at now: Date) {
        snapshot.curveSpan = span
        if isAsked(at: now) { snapshot.question = "Finish and save? y: yes, any other key: keep going" }
    }

    private func isAsked(at now: Date) -> Bool {
        asked.map { (0..<Self.questionLimitInSeconds).contains(now.timeIntervalSince($0)) } ?? false
    }
}
