import ArgumentParser
import Foundation
import HealthKit
import Mirroring

/// `workout mirror peers`: the machines that are paired with this one, and those that are near.
struct MirrorPeers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Lists the machines that are paired with this one, or those in the local network.",
        discussion: """
            With --discover, the machines are listed that say in the local network that they listen ('workout mirror \
            listen') or wait to be paired ('workout mirror pair'): through Avahi, which has to run on both. What they say \
            of themselves is not verified before they are paired or connected.
            """)

    @Flag(help: "Look who is in the local network, instead of who is paired.")
    var discover = false

    @Flag(help: "Print one JSON object and nothing else.")
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
        guard !peers.isEmpty else { return ["No machine is paired. 'workout mirror pair' on both pairs two."] }
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
                "No machine in the local network says that it listens. Start 'workout mirror listen' there, or 'workout "
                    + "mirror pair'; both machines need avahi-daemon, and a network that lets multicast through."
            ]
        }
        var table = ColumnTable(columns: [.init(title: "name"), .init(title: "address"), .init(title: "is")])
        table.rows = machines.map { machine in
            .values([machine.name, machine.addresses.first?.description ?? "", Self.standing(machine, peers)])
        }
        return table.lines(page)
    }

    private static func standing(_ machine: NearbyMachine, _ peers: [Peer]) -> String {
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

/// `workout mirror rename`: what a machine is called here.
struct MirrorRename: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Calls a paired machine something else.")

    @Argument(help: "The machine: its name, its fingerprint or at least 8 digits of that.")
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

/// `workout mirror forget`: a machine that is not trusted any more.
struct MirrorForget: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forgets a paired machine: it gets no connection any more.")

    @Argument(help: "The machine: its name, its fingerprint or at least 8 digits of that.")
    var machine: String

    func run() throws {
        try CommandFailure.mirroring {
            let companions = HealthEnvironment.current.companions
            let peer = try PeerBook.find(machine, among: companions.paired())
            let book = try companions.host().peers
            try book.forget(peer.fingerprint)
            print("\(peer.name) is forgotten. On that machine, 'workout mirror forget' forgets this one.")
        }
    }
}
