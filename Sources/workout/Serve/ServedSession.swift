import Engine
import Foundation
import HealthKit
import SessionLog
import Synchronization

/// A session that browsers see: its own reader of the log, its present values, and its controls.
final class ServedSession: SessionLogSink {
    /// The controls of a browser.
    enum Control: String, Sendable, CaseIterable { case start, pause, resume, lap, end }

    let id: UUID
    /// The machine that runs it, or the recording replayed. Nil for the one session of this machine.
    let athlete: String?
    let course: LiveTimeline
    private let recorder: WorkoutRecorder
    private let show: @Sendable () -> LiveSnapshot
    private let ask: @Sendable (Control) -> Void
    private let over: @Sendable () -> Bool
    /// Shows a sentence in the live view on this machine's terminal, if there is one.
    let warn: @Sendable (String) -> Void
    private let changes: ServedChanges
    private let epoch = Mutex(0)

    /// Creates a session of this process.
    /// - Parameters:
    ///   - athlete: The name, if it is one of several.
    ///   - speed: The speed of a replay. Nil for a live session.
    convenience init(
        _ run: WorkoutRun, athlete: String? = nil, speed: Double?, target: HeartRateTarget?,
        _ course: LiveTimeline = LiveTimeline(), changes: ServedChanges
    ) {
        self.init(
            run.session.recorder, athlete: athlete, course, changes: changes,
            show: {
                var snapshot = LiveSnapshot(run, speed: speed, course)
                if let bounds = target?.bounds(snapshot.zones) {
                    snapshot.target = TargetPosition(bounds, snapshot.heartRateInBeatsPerMinute)
                }
                return snapshot
            },
            ask: { control in
                switch control {
                case .start: run.begin()
                case .pause: run.pause()
                case .resume: run.resume()
                case .lap: run.lap()
                case .end: run.end()
                }
            },
            isOver: { run.session.recorder.read { $0.phase == .ended } }, warn: { run.notices.warn($0) })
    }

    init(
        _ recorder: WorkoutRecorder, athlete: String?, _ course: LiveTimeline, changes: ServedChanges,
        show: @escaping @Sendable () -> LiveSnapshot, ask: @escaping @Sendable (Control) -> Void,
        isOver: @escaping @Sendable () -> Bool, warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.warn = warn
        id = recorder.id
        self.recorder = recorder
        self.athlete = athlete
        self.course = course
        self.changes = changes
        self.show = show
        self.ask = ask
        over = isOver
    }

    var snapshot: LiveSnapshot { show() }
    /// Whether no more data comes.
    var isOver: Bool { over() }

    /// The name of the activity: `running`.
    var activity: String { recorder.configuration.activity }

    /// The number of entries in its log.
    var entryCount: Int { recorder.read { $0.entryCount } }

    /// The present log, and how often another one has replaced it.
    var log: (log: LiveSessionLog, epoch: Int) {
        get async { (await recorder.log, epoch.withLock { $0 }) }
    }

    /// Reads the log from its first entry on.
    func follow() async {
        await recorder.attach(course)
        await recorder.add(self)
        changes.notify()
    }

    // MARK: Of the recorder, on its queue

    func append(_ entry: SessionEntry) { changes.notify() }

    func beginAnew() {
        epoch.withLock { $0 += 1 }
        changes.notify()
    }

    // MARK: Controls

    /// Returns the controls that are useful in this state.
    static func controls(of snapshot: LiveSnapshot, isOver: Bool) -> [Control] {
        guard !isOver, !snapshot.isOutOfReach, !snapshot.isReadOnly else { return [] }
        return switch snapshot.phase {
        // A session of another machine is started there.
        case .prepared: snapshot.isMirrored ? [] : [.start, .end]
        case .running: [.pause, .lap, .end]
        case .paused: [.resume, .end]
        case .notStarted, .stopped, .ended: []
        }
    }

    /// Performs the control. Returns why it cannot, or nil if it was requested.
    func perform(_ control: Control) -> String? {
        let snapshot = snapshot
        let isOver = isOver
        guard Self.controls(of: snapshot, isOver: isOver).contains(control) else {
            if isOver { return "the session is over" }
            if snapshot.isReadOnly { return "the session is read-only here" }
            if snapshot.isOutOfReach { return "\(athlete ?? "its machine") is out of reach: try again when it is back" }
            return "the session is \(snapshot.phaseName); '\(control.rawValue)' is not possible now"
        }
        ask(control)
        return nil
    }
}
