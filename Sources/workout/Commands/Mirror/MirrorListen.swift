import ArgumentParser
import Foundation
import HealthKit
import Mirroring

/// `workout mirror listen`: shows sessions that run on other machines.
struct MirrorListen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Show a session running on another machine and control it (q or Ctrl-C leaves).",
        discussion: """
            Keys control the other machine: p pauses, r resumes, l adds a lap, and e, then y, ends the session. n switches to \
            the next session if there are several; q leaves the view without ending the session. If Avahi runs, this machine \
            is announced on the local network, unless HEALTHKIT_MIRROR_DISCOVERY is off.

            With --json, each line is an object. {"session": …, "entry": …} holds a line of the session's log, from its first \
            entry on. {"session": …, "mirror": "began" | "lost" | "back" | "ended", "peer": …, "reason": …} reports the \
            connection; the reason is left out if there is none.

            Example:
              workout mirror listen --save
            """)

    @Option(
        help: """
            Address to listen on: HOST:PORT, or nats://HOST[/PREFIX] for machines that come through servers of NATS. Default: \
            HEALTHKIT_MIRROR_LISTEN, or port 7654 on all addresses.
            """)
    var listen: String?

    @Flag(help: "Also save finished workouts on this machine.")
    var save = false

    @Flag(help: "Exit when a session has ended.")
    var once = false

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Option(help: ArgumentHelp("With --broadcast: only sessions of this machine.", valueName: "PEER"))
    var broadcastPeer: String?

    @OptionGroup var broadcast: BroadcastOptions

    func run() async throws {
        let terminal = json ? nil : Terminal.standard()
        let environment = HealthEnvironment.current
        _ = try await SavedRun(UUID(), isWanted: save)
        let board = MirrorBoard(
            printsEntries: json, endsWithSession: once, isStored: save ? environment.isStored : nil)
        let hasScreen = terminal != nil
        let notify: @Sendable (String) -> Void = { line in
            if hasScreen { board.note(line) } else { Companions.notifyOnStandardError(line) }
        }
        // What the other machine will measure is not known yet.
        let broadcasting = try await broadcast.open(.ofAnySession, report: notify)
        let listening = try await MirrorListening(
            to: board, on: listen, saves: save, environment,
            began: { [broadcastPeer] session in
                guard let broadcasting, broadcastPeer == nil || session.origin?.peer == broadcastPeer else { return }
                Task { await broadcasting.follow(session) }
            }, report: notify)
        let (address, peers) = (listening.address, listening.peers)
        var heading = "Listening on \(address)"
        if peers.isEmpty { heading += "; no machine is paired yet: run 'workout mirror pair' on both" }
        let reachable = MirrorAddress(address).map { $0.reachable.map(\.typed) } ?? [address]
        board.waiting = Self.invitation(for: peers, on: address, reachable: reachable)
        defer { if !json { for sentence in board.sentences { print(sentence) } } }
        try await CommandFailure.ownFault { try await show(board, heading, terminal) }
        // The other machine leaves when it knows that the whole session has arrived here.
        if once { await listening.untilQuiet(within: .seconds(5)) }
        // A machine that comes only now waits until somebody listens again.
        await listening.close()
        await broadcasting?.close()
        if let failure = board.failure { throw CommandFailure(exitCode: .serviceMissing, message: failure) }
    }

    /// Describes which machines this command waits for, where, and what to type there.
    static func invitation(for peers: [String], on address: String, reachable: [String]) -> [String] {
        let host = reachable.first ?? "HOST"
        let others = reachable.dropFirst().prefix(3)
        let or = others.isEmpty ? "" : " (or \(others.joined(separator: ", or ")))"
        let listening = "Listening on \(address)"
        guard !peers.isEmpty else {
            return [
                "No machine is paired yet, so none can mirror to this one.", listening,
                "Press q, then run 'workout mirror pair' here and, on the other machine: workout mirror pair \(host)\(or)",
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
                // The last output comes after the end.
                isLast = Task.isCancelled
                let all = board.snapshots
                for (id, peer, snapshot) in all {
                    for line in lines[id, default: PlainLiveLine()].lines(for: snapshot) {
                        print(all.count > 1 ? DisplayWidth.printable(peer) + "  " + line : line)
                    }
                }
                CommandOutput.standard.flush()
                try? await Task.sleep(for: TerminalScreen.shortestRefresh)
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
