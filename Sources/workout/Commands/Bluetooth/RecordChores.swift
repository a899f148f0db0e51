import Engine
import Foundation
import HealthKit
import SessionLog
import Synchronization

/// The automatic actions of a live session: the plan, laps and the end.
struct SessionAutomation {
    private let tasks: [Task<Void, any Error>]

    init(_ run: WorkoutRun, lapEvery: Double?, duration: Double?) {
        var tasks: [Task<Void, any Error>] = []
        if let plan = run.plan { tasks.append(Task { try await plan.follow(run) }) }
        if let lapEvery { tasks.append(Task { try await Self.lap(run, every: lapEvery) }) }
        if let duration {
            tasks.append(
                Task {
                    try await Self.wait(for: duration, run)
                    run.end()
                })
        }
        self.tasks = tasks
    }

    func cancel() {
        for task in tasks { task.cancel() }
    }

    private static func lap(_ run: WorkoutRun, every seconds: Double) async throws {
        var next = seconds
        while true {
            try await wait(for: next, run)
            run.lap()
            next += seconds
        }
    }

    /// Returns when the session has run for that time without its pauses, and is not paused.
    private static func wait(for seconds: Double, _ run: WorkoutRun) async throws {
        let recorder = run.session.recorder
        while true {
            let left = seconds - recorder.activeSeconds()
            let isPaused = recorder.read { $0.phase == .paused }
            if left <= 0, !isPaused { return }
            // A pause can only make the wait longer.
            let pause = isPaused ? 0.25 : left / recorder.secondsPerSecond
            try await Task.sleep(for: .seconds(max(0.02, min(pause, 1))))
        }
    }
}

/// Pauses a session while none of its sensors delivers readings, and resumes what it has paused.
///
/// It reads the log, so that the entry that pauses a session is the one that makes the gap.
final class AutoPause: SessionLogSink {
    private let pause: @Sendable () -> Void
    private let resume: @Sendable () -> Void
    private let state = Mutex(State())

    private struct State {
        var present: Set<String> = []
        var hasPaused = false
    }

    init(pause: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void) {
        self.pause = pause
        self.resume = resume
    }

    convenience init(_ run: WorkoutRun) {
        self.init(pause: { [weak run] in run?.pause() }, resume: { [weak run] in run?.resume() })
    }

    func append(_ entry: SessionEntry) {
        guard case .sensor(let status) = entry.content else { return }
        let action: (@Sendable () -> Void)? = state.withLock { state in
            let was = !state.present.isEmpty
            if status.presence == .present { state.present.insert(status.id) } else { state.present.remove(status.id) }
            let isNow = !state.present.isEmpty
            if was, !isNow {
                state.hasPaused = true
                return pause
            }
            if !was, isNow, state.hasPaused {
                state.hasPaused = false
                return resume
            }
            return nil
        }
        action?()
    }
}

/// A copy of the session's log in a file of the user's, written as it happens. The journal is the original, which must
/// not fail.
final class OutputLog: SessionLogSink {
    private let contents: Mutex<Contents>

    private struct Contents: ~Copyable {
        var writer: SessionLogWriter?
        var lastFlush = Date.distantPast
        var fault: (any Error)?
    }

    /// - Throws: If the file exists or cannot be written.
    init(_ path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                exitCode: .badInput,
                message: "cannot write \(path): it already exists; remove it or choose another name")
        }
        contents = Mutex(Contents(writer: try SessionLogWriter(URL(fileURLWithPath: path))))
    }

    func append(_ entry: SessionEntry) {
        contents.withLock { contents in
            do {
                try contents.writer?.append(entry)
                let now = Date()
                guard abs(now.timeIntervalSince(contents.lastFlush)) >= 1 else { return }
                contents.lastFlush = now
                try contents.writer?.flush()
            } catch {
                contents.fault = error
            }
        }
    }

    /// Closes the file. Returns why it is not complete, or nil if it is.
    // Inlined into `Record.run`, it makes the optimiser of Swift 6.3.1 give up: "Found outside of lifetime use".
    @inline(never)
    func close() -> (any Error)? {
        contents.withLock { contents in
            do {
                try contents.writer?.flush(durable: true)
                contents.fault = nil
            } catch {
                contents.fault = error
            }
            contents.writer = nil
            return contents.fault
        }
    }
}
