import Foundation
import HealthKit

/// Shows a run while it goes on: a screen on a terminal, plain lines in a pipe, nothing for JSON.
struct LiveOutput: Sendable {
    /// Of a replay; nil for a live session.
    var speed: Double?
    var json: Bool

    /// Runs to the end, or until the user ends it; either way what there is of it is a workout.
    func follow(_ run: WorkoutRun) async throws -> WorkoutRun.Finished {
        // Not a child of the task that the screen cancels: an interrupted run is ended and finished, not dropped.
        let work = Task { try await run.run() }
        let interrupted =
            if json || speed?.isInfinite == true {
                try await Interruption.calling({ run.end() }) { _ = try await work.value }
            } else if let terminal = Terminal.standard() {
                try await onScreen(terminal, run, work)
            } else {
                try await plainly(run, work)
            }
        var finished = try await work.value
        finished.wasInterrupted = interrupted
        return finished
    }

    private func onScreen(
        _ terminal: Terminal, _ run: WorkoutRun, _ work: Task<WorkoutRun.Finished, any Error>
    ) async throws -> Bool {
        let end = try await LiveScreen(terminal: terminal).run(
            snapshot: { LiveSnapshot(run, speed: speed) },
            keys: { key in Self.act(on: key, run) },
            until: {
                try await withTaskCancellationHandler {
                    _ = try await work.value
                } onCancel: {
                    run.end()
                }
            })
        return end != .finished
    }

    private static func act(on key: Key, _ run: WorkoutRun) {
        switch key {
        case .character("p"), .character("P"): run.pause()
        case .character("r"), .character("R"): run.resume()
        case .character("l"), .character("L"): run.lap()
        case .character("q"), .character("Q"), .control("c"): run.end()
        default: break
        }
    }

    private func plainly(_ run: WorkoutRun, _ work: Task<WorkoutRun.Finished, any Error>) async throws -> Bool {
        let printer = Task {
            var lines = PlainLiveLine()
            while !Task.isCancelled {
                for line in lines.lines(for: LiveSnapshot(run, speed: speed)) { print(line) }
                CommandOutput.standard.flush()
                try await Task.sleep(for: LiveScreen.shortestRefresh)
            }
        }
        defer { printer.cancel() }
        return try await Interruption.calling({ run.end() }) { _ = try await work.value }
    }
}
