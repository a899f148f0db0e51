import ArgumentParser
import Foundation
import HealthKit
import Mirroring

/// `workout mirror listen`: the live view of sessions that run on other machines.
struct MirrorListen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Shows the session that runs on another machine, and takes its keys, until q or Ctrl-C.",
        discussion: """
            Keys act on the other machine: p pauses the session, r resumes it, l ends a lap, e and then y ends it. n \
            shows the next one of several sessions, q only ends the view. With --json, each line is an object: \
            {"session": …, "entry": …} has a line of the session's log, {"session": …, "mirror": "began" | "lost" | \
            "back" | "ended", "peer": …, "reason": …} says how the mirroring stands, and why where there is a reason; \
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
        let environment = HealthEnvironment.current
        _ = try await SavedRun(UUID(), isWanted: save)
        let board = MirrorBoard(
            printsEntries: json, endsWithSession: once, isStored: save ? environment.isStored : nil)
        let hasScreen = terminal != nil
        let listening = try await MirrorListening(to: board, on: listen, saves: save, environment) { line in
            if hasScreen { board.note(line) } else { Companions.tellOnStandardError(line) }
        }
        let (address, peers) = (listening.address, listening.peers)
        var heading = "Listening on \(address)"
        if peers.isEmpty { heading += "; no machine is paired yet: 'workout mirror pair' on both" }
        let reachable = MirrorAddress(address).map { $0.reachable.map(\.typed) } ?? []
        board.waiting = Self.invitation(for: peers, on: address, reachable: reachable)
        defer { if !json { for sentence in board.sentences { print(sentence) } } }
        try await CommandFailure.ownFault { try await show(board, heading, terminal) }
        // The other machine leaves when it knows that all of its session has arrived here.
        if once { await listening.untilQuiet(within: .seconds(5)) }
        // Whoever comes only now waits for the next one that listens.
        await listening.close()
        if let failure = board.failure { throw CommandFailure(exitCode: .serviceMissing, message: failure) }
    }

    /// For whom this waits, where, and what to type on the other machine.
    static func invitation(for peers: [String], on address: String, reachable: [String]) -> [String] {
        let host = reachable.first ?? "HOST"
        let others = reachable.dropFirst().prefix(3)
        let or = others.isEmpty ? "" : " (or \(others.joined(separator: ", or ")))"
        let listening = "Listening on \(address)"
        guard !peers.isEmpty else {
            return [
                "No machine is paired yet: nobody can mirror to this one.", listening,
                "Pair first: q here, then 'workout mirror pair'; on the other machine: workout mirror pair \(host)\(or)",
            ]
        }
        return [
            "Waiting for \(peers.joined(separator: ", ")).", listening,
            "On the other machine: workout record --mirror \(host)\(or)",
        ]
    }

    private func show(_ board: MirrorBoard, _ heading: String, _ terminal: Terminal?) async throws {
        if let terminal {
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
        CommandOutput.error.print("\(heading); Ctrl-C ends.")
        let printer = Task {
            guard !json else { return }
            var lines: [UUID: PlainLiveLine] = [:]
            var isLast = false
            repeat {
                // The last look is after the end.
                isLast = Task.isCancelled
                let all = board.snapshots
                for (id, peer, snapshot) in all {
                    for line in lines[id, default: PlainLiveLine()].lines(for: snapshot) {
                        print(all.count > 1 ? DisplayWidth.printable(peer) + "  " + line : line)
                    }
                }
                CommandOutput.standard.flush()
                try? await Task.sleep(for: LiveScreen.shortestRefresh)
            } while !isLast
        }
        let interrupted = try await Interruption.calling(endsWithOutput: !save, { board.quit() }) {
            await board.untilOver()
        }
        printer.cancel()
        await printer.value
        if interrupted { throw ExitCode.interrupted }
    }
}
