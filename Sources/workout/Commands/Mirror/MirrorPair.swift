import ArgumentParser
import Foundation
import HealthKit
import Mirroring

/// `workout mirror pair`: pairs two machines, whose users compare one code.
struct MirrorPair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pair this machine with another one.",
        discussion: """
            Without HOST, waits for the other machine; with HOST, connects to the machine that waits. Both show a six-digit \
            code. If the codes are the same, type the code on both machines. If they differ, somebody may be intercepting the \
            connection: type n, and try again in a network that you trust. Each attempt has its own code.

            Pair from the machine that records to the machine that shows: the first then knows where to find the second.

            Examples:
              workout mirror pair
              workout mirror pair SECOND-HOST
            """)

    @Argument(help: ArgumentHelp("The waiting machine: HOST or HOST:PORT.", valueName: "HOST[:PORT]"))
    var host: String?

    @Option(help: "Address to wait on: HOST:PORT. Default: port 7654 on all addresses.")
    var listen: String?

    @Flag(help: "Do not ask for the code. Only for scripts on machines and networks that you trust.")
    var yes = false

    func run() async throws {
        if host != nil, listen != nil {
            throw CommandFailure(
                exitCode: .wrongUsage, message: "--listen waits and HOST connects; choose one")
        }
        guard yes || Question.canBeAsked else {
            throw CommandFailure(
                exitCode: .wrongUsage,
                message: "not a terminal; run this in a terminal to compare the codes")
        }
        let machine = try CommandFailure.mirroring { try HealthEnvironment.current.companions.host() }
        let target = try host.map(Self.address)
        let waiting = try listen.map(Self.address) ?? .everywhere
        let confirm: @Sendable (PairingCode) async -> Bool = { [yes] code in await Self.confirm(code, yes) }
        let work = Task {
            if let target { return try await machine.pair(with: target, confirm: confirm) }
            return try await machine.awaitPairing(
                on: waiting,
                ready: { address in
                    CommandOutput.error.print(Self.invitation(to: address, reachable: address.reachable))
                }, confirm: confirm)
        }
        let interrupted = try await Interruption.calling({ work.cancel() }) { _ = await work.result }
        if interrupted { throw ExitCode.interrupted }
        do {
            let peer = try await work.value
            print("Paired with \(peer.name) (\(peer.fingerprint.short)).")
        } catch let error as MirrorError {
            throw CommandFailure(exitCode: .serviceMissing, message: error.description + Self.remedy(error))
        }
    }

    static func address(_ text: String) throws -> MirrorAddress {
        guard let address = MirrorAddress(text) else {
            throw CommandFailure(
                exitCode: .wrongUsage,
                message: "'\(text)' is not an address; write HOST, HOST:PORT or [IPV6]:PORT")
        }
        return address
    }

    /// Returns the remedy. Most often this command's own service uses the port.
    static func remedy(_ error: MirrorError) -> String {
        guard case .listen = error else { return "" }
        return ". If 'workout mirror listen' runs here, stop it while you pair; "
            + "for the service: systemctl --user stop healthkit-mirror.service"
    }

    /// Returns what to type on the other machine to reach this listener.
    static func invitation(to address: MirrorAddress, reachable: [MirrorAddress]) -> String {
        let isEverywhere = reachable != [address]
        let waiting = isEverywhere ? "Waiting on port \(address.port) on all addresses." : "Waiting on \(address)."
        guard let first = reachable.first else {
            return waiting + " This machine has no network address: connect it to a network."
        }
        // The network of the other machine is not known here.
        let others = reachable.dropFirst().prefix(3).map(\.typed)
        let or = others.isEmpty ? "" : " (or \(others.joined(separator: ", or ")))"
        return waiting + " On the other machine: workout mirror pair \(first.typed)\(or)"
    }

    private static func confirm(_ code: PairingCode, _ yes: Bool) async -> Bool {
        let shown = code.code.prefix(3) + " " + code.code.dropFirst(3)
        let name = code.peerName
        for line in ["", "    \(shown)", ""] { CommandOutput.error.print(line) }
        var question = "Does \(name) show the same code? Type its six digits, or n if not: "
        if yes {
            CommandOutput.error.print(question + "yes")
        } else {
            answers: while true {
                guard let line = await Question.ask(question) else { return false }
                switch PairingAnswer(line, to: code.code) {
                case .same: break answers
                case .different: return false
                case .otherDigits:
                    CommandOutput.error.print("Wrong code. Pairing was cancelled.")
                    return false
                case .unclear: question = "Type the six digits that both machines show, or n if they differ: "
                }
            }
        }
        CommandOutput.error.print("Waiting for confirmation on \(name) …")
        return true
    }
}

/// What the user typed when two machines show codes. The digits themselves are required, so that an answer meant for
/// another attempt confirms nothing.
enum PairingAnswer: Equatable {
    case same, different
    /// Six other digits, such as those of the attempt before.
    case otherDigits
    /// Neither. The question is repeated.
    case unclear

    init(_ line: String, to code: String) {
        let answer = line.lowercased().filter { !$0.isWhitespace && $0 != "-" }
        if answer == code {
            self = .same
        } else if ["n", "no"].contains(answer) {
            self = .different
        } else {
            self =
                answer.count == code.count && answer.allSatisfy { $0.isASCII && $0.isNumber } ? .otherDigits : .unclear
        }
    }
}

extension CommandFailure {
    /// Runs `body` and reports errors of other machines as a missing service.
    static func mirroring<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as MirrorError {
            switch error {
            case .unknownPeer, .ambiguousPeer, .badName:
                throw CommandFailure(exitCode: .badInput, message: error.description)
            default: break
            }
            throw CommandFailure(exitCode: .serviceMissing, message: error.description)
        } catch let error as HKError {
            throw CommandFailure(exitCode: .serviceMissing, message: describe(error))
        }
    }
}
