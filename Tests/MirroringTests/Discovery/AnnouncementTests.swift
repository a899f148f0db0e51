import DBus
import Foundation
import NIOCore
import PrivateBus
import Testing

@testable import Mirroring

@Suite(.needsBus, .timeLimit(.minutes(5)))
@BusActor
struct AnnouncementTests {
    private static let fingerprint = PeerFingerprint(bytes: (0..<32).map { UInt8($0) })

    private func announcement(_ name: String = "kitchen", waits: Bool = false) throws -> Announcement {
        let address = try SocketAddress(ipAddress: "::", port: 7_777)
        let fingerprint = try #require(Self.fingerprint)
        return try #require(
            Announcement(name: name, of: fingerprint, on: address, waitsForPairing: waits))
    }

    private func announced(_ avahi: FakeAvahi, as name: String) async throws -> FakeAvahi.Service {
        try await avahi.wait { avahi.announced.values.first { $0.name == name } }
    }

    @Test func `a listener is announced with its port and half a fingerprint, and nothing else`() async throws {
        let avahi = try await FakeAvahi()
        let announcement = try announcement()
        let work = Task { await avahi.network.announce(announcement) }
        let service = try await announced(avahi, as: "kitchen")
        #expect(service.port == 7_777 && service.interface == Avahi.any && service.network == Avahi.any)
        #expect(service.texts == ["id=0001020304050607"])
        work.cancel()
        try await avahi.wait { avahi.announced.isEmpty ? true : nil }
        await work.value
        avahi.close()
    }

    @Test func `a machine waiting to be paired announces it`() throws {
        #expect(try announcement(waits: true).texts == ["id=0001020304050607", "pair=1"])
    }

    @Test func `a name taken on this machine is replaced`() async throws {
        let avahi = try await FakeAvahi()
        avahi.taken = ["kitchen"]
        let announcement = try announcement()
        let work = Task { await avahi.network.announce(announcement) }
        _ = try await announced(avahi, as: "kitchen #2")
        work.cancel()
        avahi.close()
    }

    @Test func `a name taken on the network is replaced`() async throws {
        let avahi = try await FakeAvahi()
        let announcement = try announcement()
        let work = Task { await avahi.network.announce(announcement) }
        _ = try await announced(avahi, as: "kitchen")
        try avahi.collide(try #require(avahi.announced.keys.first))
        _ = try await announced(avahi, as: "kitchen #2")
        #expect(avahi.announced.count == 1)
        work.cancel()
        avahi.close()
    }

    @Test func `announcements follow an Avahi that starts late, stops and returns`() async throws {
        let avahi = try await FakeAvahi()
        avahi.stop()
        let announcement = try announcement()
        let work = Task { await avahi.network.announce(announcement) }
        for _ in 0..<2 {
            try await avahi.start()
            _ = try await announced(avahi, as: "kitchen")
            avahi.stop()
        }
        work.cancel()
        avahi.close()
    }

    @Test func `while the host name changes nothing refers to it`() async throws {
        let avahi = try await FakeAvahi()
        let announcement = try announcement()
        let work = Task { await avahi.network.announce(announcement) }
        _ = try await announced(avahi, as: "kitchen")
        try avahi.change(to: .collision)
        try await avahi.wait { avahi.announced.isEmpty ? true : nil }
        try avahi.change(to: .registering)
        try avahi.change(to: .running)
        _ = try await announced(avahi, as: "kitchen")
        work.cancel()
        avahi.close()
    }

    @Test func `without a bus there is nothing to wait for`() async throws {
        let announcement = try announcement()
        await LocalNetwork { "unix:path=/nonexistent/bus" }.announce(announcement)
    }

    @Test(arguments: ["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"])
    func `addresses that no other machine can reach are not announced`(host: String) throws {
        let address = try SocketAddress(ipAddress: host, port: 7_654)
        let fingerprint = try #require(Self.fingerprint)
        #expect(Announcement(name: "a", of: fingerprint, on: address, waitsForPairing: false) == nil)
    }

    @Test func `a long name is cut between characters`() throws {
        let name = try announcement(String(repeating: "ü", count: 40)).name
        #expect(name == String(repeating: "ü", count: 31))
    }
}

struct AnnouncementStateTests {
    @Test func `repeatedly taken names are abandoned`() {
        var state = AnnouncementState()
        #expect(state.next(.daemon(isThere: true)) == .askServer)
        #expect(state.next(.server(.running)) == .publish)
        for _ in 0..<AnnouncementState.renameLimit { #expect(state.next(.nameTaken) == .rename) }
        #expect(state.next(.group(.collision)) == .notify("\(AnnouncementState.renameLimit) names were taken"))
    }

    @Test func `each service is published once`() {
        var state = AnnouncementState()
        #expect(state.next(.server(.running)) == .publish)
        #expect(state.next(.server(.running)) == .none)
        #expect(state.next(.server(.registering)) == .withdraw)
        #expect(state.next(.server(.collision)) == .none)
        #expect(state.next(.daemon(isThere: false)) == .none)
        #expect(state.next(.server(.running)) == .publish)
    }

    @Test func `errors of Avahi are reported`() {
        var state = AnnouncementState()
        #expect(state.next(.refused("too many entries")) == .notify("too many entries"))
    }
}
