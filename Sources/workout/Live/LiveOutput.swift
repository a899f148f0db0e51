import Foundation
import HealthKit

/// Shows a run while it goes on: a screen on a terminal, plain lines in a pipe, nothing for JSON.
struct LiveOutput: Sendable {
    var speed: Double
    var json: Bool

    /// Runs to the end, or until the user ends it.
    func follow(_ run: WorkoutRun) async throws -> WorkoutRun.Finished {
        if json || speed.isInfinite { return try await Interruption.ending(run) { try await run.run() } }
        guard let terminal = Terminal.standard() else { return try await plainly(run) }
        let result = Outcome()
        _ = try await LiveScreen(terminal: terminal).run(
            snapshot: { LiveSnapshot(run, speed: speed) },
            keys: { key in Self.act(on: key, run) },
            until: {
                try await withTaskCancellationHandler {
                    await result.set(try await run.run())
                } onCancel: {
                    run.end()
                }
            })
        guard let finished = await result.finished else { throw CancellationError() }
        return finished
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

    private func plainly(_ run: WorkoutRun) async throws -> WorkoutRun.Finished {
        let printer = Task {
            var lines = PlainLiveLine()
            while !Task.isCancelled {
                for line in lines.lines(for: LiveSnapshot(run, speed: speed)) { print(line) }
                fflush(nil)
                try await Task.sleep(for: LiveScreen.shortestRefresh)
            }
        }
        defer { printer.cancel() }
        return try await Interruption.ending(run) { try await run.run() }
    }

    private actor Outcome {
        private(set) var finished: WorkoutRun.Finished?
        func set(_ finished: WorkoutRun.Finished) { self.finished = finished }
    }
}

/// Ctrl-C while there is no screen: the run is ended, and what there is of it becomes the workout.
enum Interruption {
    static func ending<Result: Sendable>(
        _ run: WorkoutRun, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        signal(SIGINT, SIG_IGN)
        signal(SIGTERM, SIG_IGN)
        let sources = [SIGINT, SIGTERM].map { DispatchSource.makeSignalSource(signal: $0) }
        for source in sources {
            source.setEventHandler { run.end() }
            source.resume()
        }
        defer {
            for source in sources { source.cancel() }
            signal(SIGINT, SIG_DFL)
            signal(SIGTERM, SIG_DFL)
        }
        return try await body()
    }
}
