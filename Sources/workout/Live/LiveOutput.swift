import Foundation
import HealthKit
import Synchronization

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

/// Ctrl-C while there is no screen: what goes on is told to end, and ends in order.
enum Interruption {
    /// Calls `end` at the first signal. Whether there was one.
    /// - Parameter endsWithOutput: Calls it too when nobody reads what is printed, and the printing is all that is done.
    static func calling(
        endsWithOutput: Bool = false, _ end: @escaping @Sendable () -> Void, _ body: @Sendable () async throws -> Void
    ) async throws -> Bool {
        if endsWithOutput { CommandOutput.standard.whenClosed(end) }
        defer { if endsWithOutput { CommandOutput.standard.whenClosed(nil) } }
        let signals = [SIGINT, SIGTERM, SIGHUP]
        let wasAsked = Atomic(false)
        for number in signals { signal(number, SIG_IGN) }
        let sources = signals.map { DispatchSource.makeSignalSource(signal: $0) }
        for source in sources {
            source.setEventHandler {
                wasAsked.store(true, ordering: .relaxed)
                end()
            }
            source.resume()
        }
        defer {
            for source in sources { source.cancel() }
            for number in signals { signal(number, SIG_DFL) }
        }
        try await body()
        return wasAsked.load(ordering: .relaxed)
    }
}
