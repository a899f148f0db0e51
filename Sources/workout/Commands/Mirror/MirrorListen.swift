import ArgumentParser
import Foundation
import HealthKit

/// `workout mirror listen`: the live view of sessions that run on other machines.
struct MirrorListen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Shows the session that runs on another machine, and takes its keys, until q or Ctrl-C.",
        discussion: """
            Keys act on the other machine: p pauses the session, r resumes it, l ends a lap, e ends it. q only ends the \
            view. With --json, each line is an object: {"session": …, "entry": …} has a line of the session's log, \
            {"session": …, "mirror": "began" | "lost" | "back" | "ended", "peer": …} says how the mirroring stands; \
            after "began" comes the log from its first entry. Where Avahi runs, the local network is told that this \
            machine listens, unless HEALTHKIT_MIRROR_DISCOVERY is off.
            """)

    @Option(help: "Where to listen: HOST:PORT. Default: HEALTHKIT_MIRROR_LISTEN, or port 7654 of all addresses.")
    var listen: String?

    @Flag(help: "Store the workouts here too, once they are finished there.")
    var save = false

    @Flag(help: "End when a session has ended.")
    var once = false

    @Flag(help: "Print one JSON object a line and nothing else.")
    var json = false

    func run() async throws {
        let terminal = json ? nil : Terminal.standard()
        var environment = HealthEnvironment.current
        var settings = environment.companions.settings
        settings.listen = listen ?? settings.listen
        settings.savesWorkouts = save
        let board = MirrorBoard(printsEntries: json, endsWithSession: once)
        let hasScreen = terminal != nil
        let report: @Sendable (String) -> Void = { line in
            if hasScreen { board.note(line) } else { Companions.tellOnStandardError(line) }
        }
        environment.companions = Companions(settings, report: report)
        let store = HKHealthStore(environment: environment)
        let address: String
        do {
            address = try await store.listenForMirroredSessions()
        } catch let error as HKError where error.code == .errorInvalidArgument {
            throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
        } catch {
            throw CommandFailure(exitCode: .serviceMissing, message: CommandFailure.describe(error))
        }
        store.workoutSessionMirroringStartHandler = { board.add($0) }
        defer { store.workoutSessionMirroringStartHandler = nil }
        try await CommandFailure.ownFault { try await show(board, at: address, terminal) }
        // The other machine leaves when it knows that all of its session has arrived here.
        if once { await environment.companions.untilQuiet(within: .seconds(5)) }
    }

    private func show(_ board: MirrorBoard, at address: String, _ terminal: Terminal?) async throws {
        if let terminal {
            board.waiting = "Listening on \(address)"
            let end = try await LiveScreen(terminal: terminal).run(
                snapshot: { board.snapshot }, keys: { board.press($0) },
                until: {
                    await withTaskCancellationHandler {
                        await board.untilOver()
                    } onCancel: {
                        board.quit()
                    }
                })
            if end != .finished { throw ExitCode.interrupted }
            return
        }
        FileHandle.standardError.write(Data("Listening on \(address); Ctrl-C ends.\n".utf8))
        let printer = Task {
            guard !json else { return }
            var lines = PlainLiveLine()
            while !Task.isCancelled {
                if let snapshot = board.shown { for line in lines.lines(for: snapshot) { print(line) } }
                fflush(nil)
                try await Task.sleep(for: LiveScreen.shortestRefresh)
            }
        }
        let interrupted = try await Interruption.calling({ board.quit() }) { await board.untilOver() }
        printer.cancel()
        if interrupted { throw ExitCode.interrupted }
    }
}
