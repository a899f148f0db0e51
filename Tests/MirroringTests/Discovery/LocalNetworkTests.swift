import DBus
import Foundation
import PrivateBus
import Testing

@testable import Mirroring

@Suite(.needsBus, .timeLimit(.minutes(5)))
@BusActor
struct LocalNetworkTests {
    private let limit = Duration.seconds(240)

    @Test func `each machine is found once, with its addresses, the most useful first`() async throws {
        let avahi = try await FakeAvahi()
        let texts = ["id=0123456789abcdef"]
        avahi.services = [
            .init(name: "kitchen", interface: 1, network: Avahi.ipv6, address: "fe80::1", texts: texts),
            .init(name: "kitchen", network: Avahi.ipv6, address: "2001:db8::7", texts: texts),
            .init(name: "kitchen", texts: texts),
            .init(name: "attic", interface: 3, address: "192.0.2.8", port: 99, texts: ["pair=1"]),
        ]
        let machines = try await avahi.network.machines(within: limit)
        #expect(machines.map(\.name) == ["attic", "kitchen"])
        #expect(machines.map(\.waitsForPairing) == [true, false])
        #expect(machines[0].addresses == [MirrorAddress(host: "192.0.2.8", port: 99)])
        #expect(
            machines[1].addresses.map(\.description) == ["192.0.2.7:7654", "[2001:db8::7]:7654", "[fe80::1%lo]:7654"])
        #expect(machines[1].fingerprintPrefix == "0123456789abcdef")
        avahi.close()
    }

    @Test func `a search on an empty network ends`() async throws {
        let avahi = try await FakeAvahi()
        #expect(try await avahi.network.machines(within: limit).isEmpty)
        avahi.close()
    }

    @Test func `finding the right machine ends the search`() async throws {
        let avahi = try await FakeAvahi()
        avahi.tellsAllForNow = false
        avahi.services = [.init(name: "kitchen")]
        #expect(try await avahi.network.machines(within: limit) { $0.name == "kitchen" }.count == 1)
        avahi.close()
    }

    @Test func `a machine that does not answer does not hide the others`() async throws {
        let avahi = try await FakeAvahi()
        avahi.services = [.init(name: "silent", interface: 5, answers: false), .init(name: "kitchen")]
        // A short time suffices, except on a busy machine.
        var machines: [NearbyMachine] = []
        for limit in [.milliseconds(300), .seconds(2), .seconds(5)] as [Duration] where machines.isEmpty {
            machines = try await avahi.network.machines(within: limit)
        }
        #expect(machines.map(\.name) == ["kitchen"])
        avahi.close()
    }

    @Test func `a machine that leaves during the search is not found`() async throws {
        let avahi = try await FakeAvahi()
        avahi.tellsAllForNow = false
        let leaves = FakeAvahi.Service(name: "leaves", interface: 5, answers: false)
        avahi.services = [leaves, .init(name: "kitchen")]
        async let machines = avahi.network.machines(within: limit)
        // It was resolved, so it had been found before.
        try await avahi.wait { avahi.resolving.contains("leaves") ? true : nil }
        try avahi.vanish(leaves)
        try avahi.notifyAllForNow()
        #expect(try await machines.map(\.name) == ["kitchen"])
        avahi.close()
    }

    @Test func `signals of other programs on the bus are ignored`() async throws {
        let avahi = try await FakeAvahi()
        avahi.tellsAllForNow = false
        async let machines = avahi.network.machines(within: limit)
        let watcher = try await avahi.wait { avahi.watchers.first }
        let liar = try await DBusConnection.open(avahi.bus.address, atMost: FakeAvahi.limit)
        var ended = DBusMessage.signal("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged")
        ended.body = [.string(Avahi.service), .string(":1.0"), .string("")]
        let failure = DBusMessage.signal(watcher.key, Avahi.browser, "Failure", .string("no"))
        let enough = DBusMessage.signal(watcher.key, Avahi.browser, "AllForNow")
        for lie in [ended, failure, enough] {
            var lie = lie
            lie.destination = watcher.value
            try liar.send(lie)
        }
        // The bus has forwarded them before it answers.
        try await liar.call(.bus("GetId"), atMost: FakeAvahi.limit)
        try avahi.appear(.init(name: "kitchen"))
        try avahi.notifyAllForNow()
        #expect(try await machines.map(\.name) == ["kitchen"])
        liar.close()
        avahi.close()
    }

    @Test func `invalid announcements are ignored at no cost`() async throws {
        let avahi = try await FakeAvahi()
        avahi.services = (0..<2_000).map { .init(name: "n\($0)", interface: Int32($0), port: 0, texts: ["id"]) }
        avahi.services.append(.init(name: "late", interface: 3_000))
        #expect(try await avahi.network.machines(within: limit).isEmpty)
        avahi.services = [.init(name: "odd", texts: ["id=XYZ", "=", "", "ID=0123456789abcdef", "pair=yes"])]
        let odd = try #require(try await avahi.network.machines(within: limit).first)
        #expect(odd.fingerprintPrefix == "" && !odd.waitsForPairing)
        avahi.close()
    }

    @Test func `without Avahi the error has a remedy`() async throws {
        let bus = try await PrivateBus()
        let network = LocalNetwork { bus.address }
        let error = await #expect(throws: MirrorError.self) { try await network.machines(within: limit) }
        #expect(error == .noDiscovery(reason: "Avahi is not running"))
        #expect(error?.description.contains("avahi-daemon") == true)
        bus.kill()
        let nothing = await #expect(throws: MirrorError.self) { try await network.machines(within: limit) }
        #expect(nothing?.description.contains(bus.address) == true)
    }

    @Test func `an Avahi that stops during the search is an error, not an empty network`() async throws {
        let avahi = try await FakeAvahi()
        avahi.tellsAllForNow = false
        avahi.services = [.init(name: "silent", answers: false)]
        let work = Task { try await avahi.network.machines(within: limit) }
        try await avahi.wait { avahi.resolving.contains("silent") ? true : nil }
        avahi.stop()
        await #expect(throws: MirrorError.noDiscovery(reason: "Avahi ended")) { try await work.value }
        avahi.close()
    }
}
