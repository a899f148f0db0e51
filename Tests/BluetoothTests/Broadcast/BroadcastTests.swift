import DBus
import FakeBluetoothd
import Foundation
import GATT
import PrivateBus
import Synchronization
import Testing

@testable import Bluetooth

@Suite(.needsBus, .timeLimit(.minutes(10)))
@BusActor
struct BroadcastTests {
    /// A running broadcast, and what it reports.
    @BusActor
    final class Scene {
        let fake: FakeBlueZ
        let broadcast: Broadcast
        private(set) var events: [BroadcastEvent] = []
        private var running: Task<BroadcastError?, Never>?

        init(
            _ offer: BroadcastOffer = BroadcastOffer(hasEnergy: true, batteryPercent: 80), faults: String? = nil,
            name: String = "Our strap"
        ) async throws {
            fake = try await FakeBlueZ()
            let plan = try faults.map { try BroadcastFaultPlan(json: Data($0.utf8)) }
            broadcast = Broadcast(
                offer, name: name, faults: plan, busAddress: fake.bus.address, timings: BlueZScene.timings)
        }

        func begin() {
            let broadcast = broadcast
            running = Task {
                do throws(BroadcastError) {
                    try await broadcast.run { event in
                        var reported = (self, event)
                        BusActor.assumeIsolated(with: &reported) { $0.0.note($0.1) }
                    }
                    return nil
                } catch {
                    return error
                }
            }
        }

        private func note(_ event: BroadcastEvent) {
            events.append(event)
            fake.changed.recheck()
        }

        func waitUntilOnAir() async throws {
            try await fake.wait("on air") { [self] in events.contains { if case .onAir = $0 { true } else { false } } }
        }

        /// Ends it. Returns the reason if it failed.
        @discardableResult
        func end() async -> BroadcastError? {
            running?.cancel()
            let error = await running?.value ?? nil
            #expect(fake.applications.isEmpty && fake.advertisements.isEmpty)
            fake.close()
            return error
        }

        func failure() async -> BroadcastError? {
            let error = await running?.value ?? nil
            fake.close()
            return error
        }
    }

    @Test func `services and the advertisement are registered, and removed at the end`() async throws {
        let scene = try await Scene()
        scene.begin()
        try await scene.waitUntilOnAir()
        let application = try #require(scene.fake.applications.values.first)
        #expect(application.services == [BluetoothUUID.heartRateService.full, BluetoothUUID.batteryService.full])
        let advertisement = try #require(scene.fake.advertisements.values.first)
        #expect(advertisement["LocalName"] == .string("Our strap"))
        #expect(advertisement["ServiceUUIDs"] == .strings([BluetoothUUID.heartRateService.full]))
        #expect(await scene.end() == nil)
        #expect(scene.fake.count("UnregisterAdvertisement") == 1 && scene.fake.count("UnregisterApplication") == 1)
    }

    @Test func `measured values are notified and can be read`() async throws {
        let scene = try await Scene()
        scene.begin()
        try await scene.waitUntilOnAir()
        _ = try await scene.fake.callApplication(.heartRateMeasurement, "StartNotify")
        #expect(scene.events.contains(.subscribed(.heartRateMeasurement)))
        scene.broadcast.take([.packet(.heartRateMeasurement, [0, 61]), .battery(percent: 79)])
        try await scene.fake.wait("both values") { scene.fake.notified.count == 2 }
        #expect(scene.fake.notified.map(\.bytes) == [[0, 61], [79]])
        #expect(try await scene.fake.callApplication(.batteryLevel, "ReadValue", .properties([:])) == [.bytes([79])])
        let none = try await scene.fake.callApplication(
            .batteryLevel, "ReadValue", .properties(["offset": .uint16(1)]))
        #expect(none == [.bytes([])])
        await #expect(throws: DBusCallError.self) {
            _ = try await scene.fake.callApplication(.batteryLevel, "ReadValue", .properties(["offset": .uint16(9)]))
        }
        _ = try await scene.fake.callApplication(.heartRateMeasurement, "StopNotify")
        #expect(scene.events.contains(.unsubscribed(.heartRateMeasurement)))
        await scene.end()
    }

    @Test func `the control point resets the energy and refuses anything else`() async throws {
        let scene = try await Scene()
        scene.begin()
        try await scene.waitUntilOnAir()
        _ = try await scene.fake.callApplication(.heartRateControlPoint, "WriteValue", .bytes([1]), .properties([:]))
        #expect(scene.events.contains(.energyReset))
        await #expect(throws: DBusCallError.answered(name: "org.bluez.Error.Failed", text: "0x80")) {
            _ = try await scene.fake.callApplication(
                .heartRateControlPoint, "WriteValue", .bytes([7]), .properties([:]))
        }
        await scene.end()
    }

    @Test func `a restart of bluetoothd registers everything again`() async throws {
        let scene = try await Scene()
        scene.begin()
        try await scene.waitUntilOnAir()
        scene.fake.crash()
        try await scene.fake.wait("off air") { scene.events.contains(.offAir(.bluetooth(.serviceStopped))) }
        try await scene.fake.start()
        try await scene.fake.wait("registered again") {
            !scene.fake.applications.isEmpty && !scene.fake.advertisements.isEmpty
        }
        try await scene.fake.wait("told") { scene.events.count { $0 == .onAir(adapter: "hci0") } == 2 }
        scene.broadcast.take([.packet(.heartRateMeasurement, [0, 62])])
        try await scene.fake.wait("a value") { scene.fake.notified.last?.bytes == [0, 62] }
        await scene.end()
    }

    @Test func `an adapter that disappears and returns is used again`() async throws {
        let scene = try await Scene()
        scene.begin()
        try await scene.waitUntilOnAir()
        scene.fake.remove("/org/bluez/hci0")
        try await scene.fake.wait("off air") { scene.events.contains(.offAir(.bluetooth(.noAdapter))) }
        scene.fake.addAdapter("hci1", "00:1A:7D:DA:71:10")
        try await scene.fake.wait("on the other") { scene.events.contains(.onAir(adapter: "hci1")) }
        await scene.end()
    }

    @Test func `a killed process leaves nothing behind`() async throws {
        let scene = try await Scene()
        // When a process is killed, the kernel closes its connection, and bluetoothd sees its name vanish.
        let objects = BlueZServerObjects(BroadcastOffer().services, name: "Killed")
        let connection = try await DBusConnection.open(scene.fake.bus.address, atMost: FakeBlueZ.limit)
        connection.onCall = { call in
            let body = call.member == "GetAll" ? objects.advertisement : objects.managed
            try? connection.send(call.reply(body))
            return true
        }
        for (interface, member, path) in [
            (BlueZ.gattManager, "RegisterApplication", BlueZServerObjects.root),
            (BlueZ.advertisingManager, "RegisterAdvertisement", BlueZServerObjects.advertisementPath),
        ] {
            var message = DBusMessage.call(BlueZ.service, "/org/bluez/hci0", interface, member)
            message.body = [.objectPath(path), .properties([:])]
            try await connection.call(message, atMost: FakeBlueZ.limit)
        }
        #expect(scene.fake.applications.count == 1 && scene.fake.advertisements.count == 1)
        connection.close()
        try await scene.fake.wait("both gone") { scene.fake.applications.isEmpty && scene.fake.advertisements.isEmpty }
        await scene.end()
    }

    @Test(
        arguments: [
            (
                "RegisterAdvertisement", "org.bluez.Error.NotPermitted", "Maximum advertisements reached",
                BroadcastError.noSlot(adapter: "hci0")
            ),
            (
                "RegisterAdvertisement", "org.bluez.Error.InvalidLength", "Advertisement data too long",
                .nameTooLong("Our strap")
            ),
            (
                "RegisterApplication", "org.freedesktop.DBus.Error.UnknownMethod", "No such method",
                .notPeripheral(adapter: "hci0")
            ),
            (
                "RegisterAdvertisement", "org.bluez.Error.Failed", "Failed to register advertisement",
                .refused("org.bluez.Error.Failed: Failed to register advertisement")
            ),
        ] as [(String, String, String, BroadcastError)])
    func `a refusal of bluetoothd is an error with a remedy`(
        member: String, name: String, text: String, expected: BroadcastError
    ) async throws {
        let scene = try await Scene()
        scene.fake.script[member] = { _ in .error(name, text) }
        scene.begin()
        #expect(await scene.failure() == expected)
        #expect(expected.description.contains(";"))
    }

    @Test
    func `an adapter without the role, powered off or missing, and a long name are early errors`()
        async throws
    {
        let central = try await Scene()
        central.fake.change("/org/bluez/hci0", BlueZ.adapter, ["Roles": .strings(["central"])])
        central.begin()
        #expect(await central.failure() == .notPeripheral(adapter: "hci0"))
        let off = try await Scene()
        off.fake.switchOff()
        off.begin()
        #expect(await off.failure() == .bluetooth(.poweredOff))
        let none = try await Scene()
        none.fake.remove("/org/bluez/hci0")
        none.begin()
        #expect(await none.failure() == .bluetooth(.noAdapter))
        let long = String(repeating: "n", count: 26)
        let named = try await Scene(name: long)
        named.begin()
        #expect(await named.failure() == .nameTooLong(long))
    }

    @Test func `faults end links, change the name and send any bytes`() async throws {
        let scene = try await Scene(
            faults: """
                {"faults": [{"at": 0, "fault": "large"}, {"at": 0, "fault": "name", "name": "Renamed"},
                            {"at": 0, "fault": "disconnect"}]}
                """)
        let phone = scene.fake.addStrap("AA:BB:CC:00:00:01", ["Connected": .boolean(true)])
        scene.begin()
        try await scene.fake.wait("the large value") { scene.fake.notified.first?.bytes.count == 512 }
        try await scene.fake.wait("the new name") {
            scene.fake.advertisements.values.first?["LocalName"] == .string("Renamed")
        }
        try await scene.fake.wait("the end of the link") {
            scene.fake.property(phone, BlueZ.device, "Connected") == .boolean(false)
        }
        await scene.end()
    }

    @Test func `a strap that refuses pairing requests encryption, and its agent declines`() async throws {
        let scene = try await Scene(faults: #"{"faults": [{"at": 0, "fault": "pairing"}]}"#)
        let phone = scene.fake.addStrap("AA:BB:CC:00:00:01", ["Connected": .boolean(true)])
        scene.begin()
        try await scene.fake.wait("the agent") { !scene.fake.agents.isEmpty }
        let application = try #require(scene.fake.applications.values.first)
        let path = try #require(application.path(of: .heartRateMeasurement))
        #expect(application.objects[path]?[BlueZ.characteristic]?["Flags"] == .strings(["notify", "encrypt-notify"]))
        let caller = try #require(scene.fake.agents.keys.first)
        #expect(await scene.fake.answer(of: caller, "RequestAuthorization", [.objectPath(phone)]) == nil)
        #expect(await scene.fake.answer(of: caller, "Cancel", []) != nil)
        try await scene.fake.wait("the end of the link") {
            scene.fake.property(phone, BlueZ.device, "Connected") == .boolean(false)
        }
        await scene.end()
    }
}
