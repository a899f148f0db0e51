import Foundation
import Mirroring
import Testing

@testable import Engine
@testable import HealthKit
@testable import SessionLog

/// What a session has not delivered yet is for the machines with which it was started.
@Suite(.timeLimit(.minutes(5))) struct PendingCompanionsTests {
    private let begun = Date(timeIntervalSince1970: 1_800_000_000)
    private let own = PendingCompanionsTests.fingerprint(0)

    private static func fingerprint(_ byte: UInt8) -> PeerFingerprint {
        PeerFingerprint(bytes: [UInt8](repeating: byte, count: 32))!
    }

    /// A machine that was paired a day before the session began, or this many seconds after.
    private func peer(_ byte: UInt8, at host: String?, after seconds: TimeInterval = -86_400) -> Peer {
        Peer(
            fingerprint: Self.fingerprint(byte), name: "machine \(byte)",
            address: host.map { MirrorAddress(host: $0) }, added: begun + seconds)
    }

    private func owed(_ progress: CompanionProgress...) throws -> PendingCompanions {
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(), creator: "test")
        return try PendingCompanions(
            [SessionEntry(begun, .header(header))] + progress.map { SessionEntry(begun, .companion($0)) })
    }

    private func places(
        _ owed: PendingCompanions, named: [String]? = nil, isSearching: Bool = true, _ peers: [Peer]
    ) -> [String] {
        owed.addresses(
            named: named?.map { MirrorAddress(host: $0) }, isSearching: isSearching, peers: peers, own: own
        ).map { address in
            let machines = address.fingerprint.map { [$0] } ?? Array(address.accepted ?? [])
            let names = peers.filter { machines.contains($0.fingerprint) }.map(\.name).sorted()
            return "\(address.address.host): \(names.joined(separator: ", "))"
        }
    }

    @Test func `a machine that was connected is looked for at its current address, and no other is`() throws {
        let six = peer(6, at: "six.new")
        let peers = [six, peer(5, at: "five"), peer(7, at: "seven", after: 60)]
        let owed = try owed(
            .awaited("six.old:7654"), CompanionProgress(companion: six.fingerprint.description, received: 0))
        #expect(places(owed, peers) == ["six.new: machine 6"])
        #expect(places(owed, named: ["seven"], peers) == [])
        #expect(places(owed, named: ["six.new", "seven"], peers) == ["six.new: machine 6"])
        #expect(places(owed, named: ["elsewhere"], peers) == ["elsewhere: machine 6"])
        #expect(places(owed, named: ["elsewhere"], isSearching: false, peers) == [])
    }

    @Test func `a machine that never connected may be any that was paired when the session began`() throws {
        let peers = [peer(6, at: nil), peer(7, at: nil, after: 60)]
        let owed = try owed(.awaited("six:7654"))
        #expect(places(owed, named: ["six"], isSearching: false, peers) == ["six: machine 6"])
        #expect(places(owed, peers) == ["six: machine 6"])
        #expect(places(owed, named: ["six"], [peer(7, at: nil, after: 60)]) == [])
        // Another machine has got the address.
        #expect(places(owed, named: ["six"], [peer(6, at: nil), peer(7, at: "six", after: 60)]) == [])
    }

    @Test func `of two machines, the one that never connected still gets the session`() throws {
        let (six, eight) = (peer(6, at: "six"), peer(8, at: "eight"))
        let owed = try owed(
            .awaited(six.fingerprint.description), .awaited(eight.fingerprint.description),
            CompanionProgress(companion: six.fingerprint.description, received: 0))
        let both = [six, eight]
        #expect(places(owed, both) == ["six: machine 6", "eight: machine 8"])
        #expect(owed.isEverybody(at: both.map { .init(address: $0.address!) }, peers: both))
        #expect(!owed.isEverybody(at: [.init(address: eight.address!)], peers: both))
        // A forgotten machine gets nothing.
        #expect(owed.isEverybody(at: [.init(address: eight.address!)], peers: [eight]))
    }

    @Test func `a log of an earlier version is for the machines paired at that time`() throws {
        let peers = [peer(6, at: "six"), peer(7, at: "seven", after: 60)]
        #expect(places(try owed(), peers) == ["six: machine 6"])
        #expect(places(try owed(), named: ["seven"], peers) == [])
        #expect(try !owed().wasMirrored)
    }

    // MARK: Between machines

    private let watchFolder = MachineFolder()
    private let sixFolder = MachineFolder()
    private let sevenFolder = MachineFolder()

    private func pair(_ one: URL, _ other: URL) throws {
        let hosts = try [one, other].map {
            try Companions(CompanionSettings(peers: [], folder: $0, discovers: false), report: { _ in }).host()
        }
        try hosts[0].peers.add(Peer(fingerprint: hosts[1].identity.fingerprint, name: other.lastPathComponent))
        try hosts[1].peers.add(Peer(fingerprint: hosts[0].identity.fingerprint, name: one.lastPathComponent))
    }

    @Test func `a session meant for one machine does not reach one that is paired later`() async throws {
        let journals = MachineFolder()
        let six = try await Phone(sixFolder.url)
        try pair(watchFolder.url, sixFolder.url)
        let link = try FlakyLink(to: six.address, seed: 0, faults: 0)
        let watch = try Watch(watchFolder.url, to: [link.address], journals: journals.url)
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        _ = await six.nextSession()
        link.close()
        for value in 1...50 { await watch.measure(Double(value)) }
        _ = try await watch.finish()
        let lines = await watch.lines

        // The state that a killed process leaves.
        let crashed = MachineFolder()
        try FileManager.default.createDirectory(at: crashed.url, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: journals.url.appendingPathComponent("undelivered"),
            to: crashed.url.appendingPathComponent("undelivered"))
        let left = { SessionJournal.left(in: crashed.url.appendingPathComponent("undelivered")).count }
        let seven = try await Phone(sevenFolder.url)
        try pair(watchFolder.url, sevenFolder.url)
        // A session for the later one delivers only itself.
        let next = try Watch(watchFolder.url, to: [seven.address], journals: crashed.url)
        try await next.begin()
        try await next.session.startMirroringToCompanionDevice()
        #expect(await seven.nextSession().session.recorder.id == next.session.recorder.id)
        _ = try await next.finish()
        // After the end, which is requested without waiting.
        _ = await next.session.recorder.log
        #expect(await next.session.finishMirroring(within: .seconds(60)))
        // Nor do requests to its address.
        let store = Watch.store(watchFolder.url, to: [seven.address], journals: crashed.url)
        for delivery in await UndeliveredSessions.deliver(
            in: crashed.url, to: store.environment.companions, time: SystemTime(), within: .milliseconds(500))
        {
            #expect(await !delivery.value)
        }
        #expect(left() == 1)
        let waiting = try UndeliveredSessions.waitingFor(in: crashed.url, store.environment.companions)
        #expect(waiting.names == [sixFolder.url.lastPathComponent])

        // Another process of the first machine, at another address.
        await six.stop()
        let later = try await Phone(sixFolder.url)
        let again = Watch.store(watchFolder.url, to: [later.address], journals: crashed.url)
        let deliveries = await UndeliveredSessions.deliver(
            in: crashed.url, to: again.environment.companions, time: SystemTime())
        #expect(deliveries.count == 1)
        for delivery in deliveries { #expect(await delivery.value) }
        #expect(left() == 0)
        let rest = await later.nextSession()
        #expect(await rest.lines == lines)
        await later.stop()
        await seven.stop()
    }
}
