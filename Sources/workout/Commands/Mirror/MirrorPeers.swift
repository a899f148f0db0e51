import ArgumentParser
import Foundation
import HealthKit
import Mirroring
import StoredWorkouts

/// `workout mirror peers`: lists paired machines and machines nearby.
struct MirrorPeers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "List paired machines, or machines on the local network.",
        discussion: """
            With --discover, lists machines on the local network that run 'workout mirror listen' or wait in 'workout mirror \
            pair'. Needs Avahi on both machines. Until you pair or connect, the names they announce are unverified.

            Example:
              workout mirror peers --discover
            """)

    @Flag(help: "List machines on the local network instead of paired ones.")
    var discover = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let companions = HealthEnvironment.current.companions
        let peers = try CommandFailure.mirroring { try companions.paired() }
        guard discover else {
            if json { return print(Self.json(peers)) }
            return CommandOutput.standard.print(styled: Self.lines(peers, .standard(columnsInPipe: .max)))
        }
        let own = try CommandFailure.mirroring { try companions.host().identity.fingerprint }
        let work = Task { try await LocalNetwork.system.machines() }
        let interrupted = try await Interruption.calling({ work.cancel() }) { _ = await work.result }
        if interrupted { throw ExitCode.interrupted }
        let machines: [NearbyMachine]
        do { machines = try await work.value.filter { !$0.claims(own) } } catch let error as MirrorError {
            throw CommandFailure(exitCode: .serviceMissing, message: error.description)
        }
        if json { return print(Self.json(machines, peers)) }
        CommandOutput.standard.print(styled: Self.lines(machines, peers, .standard(columnsInPipe: .max)))
    }

    static func lines(_ peers: [Peer], _ page: Page) -> [String] {
        guard !peers.isEmpty else { return ["No machine is paired. Run 'workout mirror pair' on both machines."] }
        var table = ColumnTable(columns: [
            .init(title: "name"), .init(title: "fingerprint"), .init(title: "address"), .init(title: "paired"),
        ])
        table.rows = peers.map { peer in
            .values([
                peer.name, peer.fingerprint.short, peer.address?.description ?? "",
                page.sortableDay(peer.added),
            ])
        }
        return table.lines(page)
    }

    static func lines(_ machines: [NearbyMachine], _ peers: [Peer], _ page: Page) -> [String] {
        guard !machines.isEmpty else {
            return [
                "No machine announces itself on the local network. Start 'workout mirror listen' there, or 'workout "
                    + "mirror pair'. Both machines need avahi-daemon, and the network must allow multicast."
            ]
        }
        var table = ColumnTable(columns: [.init(title: "name"), .init(title: "address"), .init(title: "is")])
        table.rows = machines.map { machine in
            .values([machine.name, machine.addresses.first?.description ?? "", Self.status(machine, peers)])
        }
        return table.lines(page)
    }

    private static func status(_ machine: NearbyMachine, _ peers: [Peer]) -> String {
        if machine.waitsForPairing { return "waiting to be paired" }
        return peers.first { machine.claims($0.fingerprint) }.map { "paired as \($0.name)" } ?? "not paired"
    }

    static func json(_ peers: [Peer]) -> String {
        JSONText.object([
            (
                "peers",
                .array(
                    peers.map { peer in
                        .object([
                            ("name", .string(peer.name)), ("fingerprint", .string(peer.fingerprint.description)),
                            ("address", peer.address.map { .string($0.description) }),
                            ("paired", JSONText.date(peer.added)),
                        ])
                    })
            )
        ]).text
    }

    static func json(_ machines: [NearbyMachine], _ peers: [Peer]) -> String {
        let found = machines.map { machine in
            JSONText.object([
                ("name", .string(machine.name)),
                ("addresses", .array(machine.addresses.map { .string($0.description) })),
                ("waitsForPairing", .boolean(machine.waitsForPairing)),
                ("pairedAs", peers.first { machine.claims($0.fingerprint) }.map { .string($0.name) }),
            ])
        }
        return JSONText.object([("machines", .array(found))]).text
    }
}

/// `workout mirror rename`: changes the name of a machine on this one.
struct MirrorRename: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a paired machine.",
        discussion: """
            Example:
              workout mirror rename laptop kitchen
            """)

    @Argument(help: "The machine: its name, or its fingerprint (at least 8 digits).")
    var machine: String

    @Argument(help: "Its new name.")
    var name: String

    func run() throws {
        try CommandFailure.mirroring {
            let companions = HealthEnvironment.current.companions
            let peer = try PeerBook.find(machine, among: companions.paired())
            let book = try companions.host().peers
            try book.rename(peer.fingerprint, to: name)
            print("\(DisplayWidth.printable(peer.name)) is now called \(name).")
        }
    }
}

/// `workout mirror forget`: removes a machine that is no longer trusted.
struct MirrorForget: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget a paired machine; it can no longer connect.",
        discussion: """
            Example:
              workout mirror forget laptop
            """)

    @Argument(help: "The machine: its name, its fingerprint or at least 8 digits of that.")
    var machine: String

    func run() throws {
        try CommandFailure.mirroring {
            let companions = HealthEnvironment.current.companions
            let peer = try PeerBook.find(machine, among: companions.paired())
            let book = try companions.host().peers
            try book.forget(peer.fingerprint)
            print("Forgot \(peer.name). To forget this machine over there, run 'workout mirror forget' on it.")
        }
    }
}
