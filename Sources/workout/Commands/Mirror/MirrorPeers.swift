import ArgumentParser
import Foundation
import HealthKit
import Mirroring

/// `workout mirror peers`: the machines that are paired with this one.
struct MirrorPeers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers", abstract: "Lists the machines that are paired with this one.")

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func run() throws {
        let peers = try CommandFailure.mirroring { try HealthEnvironment.current.companions.paired() }
        if json { return print(Self.json(peers)) }
        for line in Self.lines(peers, .standard(columnsInPipe: .max)) { print(line) }
    }

    static func lines(_ peers: [Peer], _ page: Page) -> [String] {
        guard !peers.isEmpty else { return ["No machine is paired. 'workout mirror pair' on both pairs two."] }
        var table = ColumnTable(columns: [
            .init(title: "name"), .init(title: "fingerprint"), .init(title: "last address"), .init(title: "paired"),
        ])
        table.rows = peers.map { peer in
            .values([
                peer.name, peer.fingerprint.short, peer.address?.description ?? "",
                peer.added.formatted(date: .abbreviated, time: .omitted),
            ])
        }
        return table.lines(page)
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
}

/// `workout mirror rename`: what a machine is called here.
struct MirrorRename: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Calls a paired machine something else.")

    @Argument(help: "The machine: its name, its fingerprint or the beginning of that.")
    var machine: String

    @Argument(help: "Its new name.")
    var name: String

    func run() throws {
        try CommandFailure.mirroring {
            let book = try HealthEnvironment.current.companions.host().peers
            let peer = try book.find(machine)
            try book.rename(peer.fingerprint, to: name)
            print("\(peer.name) is now called \(name).")
        }
    }
}

/// `workout mirror forget`: a machine that is not trusted any more.
struct MirrorForget: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forgets a paired machine: it gets no connection any more.")

    @Argument(help: "The machine: its name, its fingerprint or the beginning of that.")
    var machine: String

    func run() throws {
        try CommandFailure.mirroring {
            let book = try HealthEnvironment.current.companions.host().peers
            let peer = try book.find(machine)
            try book.forget(peer.fingerprint)
            print("\(peer.name) is forgotten. On that machine, 'workout mirror forget' forgets this one.")
        }
    }
}
