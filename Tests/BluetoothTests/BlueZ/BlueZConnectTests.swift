import DBus
import FakeBluetoothd
import Foundation
import PrivateBus
import Testing

@testable import Bluetooth
@testable import GATT

/// From connecting to the first value: the problems in section 7 of `ble.md`, as scripts of the fake.
@Suite(.needsBus, .timeLimit(.minutes(10)))
@BusActor
struct BlueZConnectTests {
    @Test func `a strap is found, connected and read`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let (link, events) = try await scene.stream()
        #expect(link.characteristics.map(\.handle) == [12, 15, 17, 34])
        #expect(fake.property(strap, BlueZ.device, "Trusted") == .boolean(true))
        fake.notify(strap, [0, 60])
        #expect(await events.values(1) == [[0, 60]])
        await link.disconnect()
        #expect(await events.rest().loss == .local)
        #expect(fake.count("Disconnect") == 1)
        await scene.end()
    }

    @Test func `a known strap is connected without a scan`() async throws {
        let scene = try await BlueZScene()
        scene.fake.addStrap(BlueZScene.strap, heard: false)
        let link = try await scene.peripheral.connect()
        #expect(scene.fake.count("StartDiscovery") == 0)
        await link.disconnect()
        await scene.end()
    }

    @Test func `an unknown strap is scanned for, and the scan ends before connecting`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.script["StartDiscovery"] = { _ in
            fake.addStrap(BlueZScene.strap)
            return .usual
        }
        let link = try await scene.peripheral.connect()
        let order = fake.calls.map { $0.prefix { $0 != " " } }
        #expect(try #require(order.firstIndex(of: "StopDiscovery")) < #require(order.firstIndex(of: "Connect")))
        await link.disconnect()
        await scene.end()
    }

    @Test func `an absent strap is not found`() async throws {
        let scene = try await BlueZScene { $0.find = .milliseconds(50) }
        await #expect(throws: BluetoothError.notFound(scene.address)) { try await scene.peripheral.connect() }
        try await scene.fake.wait("the scan to end") { scene.fake.count("StopDiscovery") == 1 }
        await scene.end()
    }

    @Test func `a connection that is broken off twice succeeds the third time`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap)
        fake.script["Connect"] = { _ in
            fake.count("Connect") <= 2
                ? .error("org.bluez.Error.Failed", "le-connection-abort-by-local") : .usual
        }
        let link = try await scene.peripheral.connect()
        #expect(fake.count("Connect") == 3)
        await link.disconnect()
        await scene.end()
    }

    @Test func `a connection that always fails is tried four times, and the last error is reported`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap)
        fake.script["Connect"] = { _ in .error("org.bluez.Error.Failed", "le-connection-abort-by-local") }
        let error = await #expect(throws: BluetoothError.self) { try await scene.peripheral.connect() }
        #expect(
            error == .connectionFailed(scene.address, "org.bluez.Error.Failed: le-connection-abort-by-local"))
        #expect(fake.count("Connect") == 4)
        await scene.end()
    }

    @Test func `a connection that fails after a long time is not retried`() async throws {
        let scene = try await BlueZScene { $0.quickFailure = .zero }
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap)
        fake.script["Connect"] = { _ in .error("org.bluez.Error.Failed", "le-connection-abort-by-local") }
        await #expect(throws: BluetoothError.self) { try await scene.peripheral.connect() }
        #expect(fake.count("Connect") == 1)
        await scene.end()
    }

    @Test func `a connection without an answer is cancelled at its deadline`() async throws {
        let scene = try await BlueZScene { $0.connect = .milliseconds(50) }
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap)
        fake.script["Connect"] = { _ in .never }
        let error = await #expect(throws: BluetoothError.self) { try await scene.peripheral.connect() }
        guard case .connectionFailed(scene.address, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fake.count("Connect") == 1 && fake.count("Disconnect") == 1)
        await scene.end()
    }

    @Test func `a cancelled connection is taken back, and a late answer changes nothing`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let taken = BusWaiters()
        var isTakenBack = false
        fake.script["Connect"] = { _ in
            _ = try? await taken.wait(atMost: FakeBlueZ.limit) { isTakenBack ? true : nil }
            return .error("org.bluez.Error.Failed", "br-connection-canceled")
        }
        fake.script["Disconnect"] = { _ in
            isTakenBack = true
            taken.recheck()
            return .usual
        }
        let connecting = Task { try await scene.peripheral.connect() }
        try await fake.wait("the call") { fake.count("Connect") == 1 }
        connecting.cancel()
        await #expect(throws: BluetoothError.connectionFailed(scene.address, "given up")) { try await connecting.value }
        #expect(isTakenBack)
        #expect(fake.property(strap, BlueZ.device, "Connected") == .boolean(false))
        fake.script = [:]
        // It does not block the next one.
        let link = try await scene.peripheral.connect()
        await link.disconnect()
        await scene.end()
    }

    @Test func `services announced before their objects exist are waited for`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        fake.script["Connect"] = { _ in
            fake.link(strap)
            fake.changeDevice(strap, ["ServicesResolved": .boolean(true)])
            return .ok()
        }
        let connecting = Task { try await scene.peripheral.connect() }
        // The battery service comes first: its object doesn't mean that all objects exist.
        try await fake.wait("the trust that follows, or the objects") { fake.count("Connect") == 1 }
        let objects = FakeBlueZ.strapServices(strap).sorted { $0.key > $1.key }
        for (path, interfaces) in objects { fake.add(path, interfaces) }
        let link = try await connecting.value
        #expect(link.characteristic(.heartRateMeasurement) != nil)
        await link.disconnect()
        await scene.end()
    }

    @Test func `a strap whose services stay unknown is abandoned`() async throws {
        let scene = try await BlueZScene { $0.objects = .milliseconds(30) }
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        fake.services[strap] = [:]
        let error = await #expect(throws: BluetoothError.self) { try await scene.peripheral.connect() }
        guard case .connectionFailed(scene.address, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("none of its services"))
        #expect(fake.count("Connect") <= 4)
        #expect(fake.property(strap, BlueZ.device, "Connected") == .boolean(false))
        await scene.end()
    }

    @Test func `a link that breaks before the services are known is retried`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        fake.script["Connect"] = { _ in
            guard fake.count("Connect") < 3 else { return .usual }
            fake.link(strap)
            fake.drop(strap)
            return .ok()
        }
        let link = try await scene.peripheral.connect()
        #expect(fake.count("Connect") == 3)
        await link.disconnect()
        await scene.end()
    }

    @Test func `a device removed while connecting is searched for once more`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        fake.script["Connect"] = { _ in
            guard fake.count("Connect") == 1 else { return .usual }
            fake.remove(strap)
            return .error("org.freedesktop.DBus.Error.UnknownObject", "gone")
        }
        fake.script["StartDiscovery"] = { _ in
            fake.addStrap(BlueZScene.strap)
            return .usual
        }
        let link = try await scene.peripheral.connect()
        #expect(fake.count("Connect") == 2)
        await link.disconnect()
        await scene.end()
    }

    @Test func `an adapter that disappears while connecting ends the attempt at once`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap)
        fake.script["Connect"] = { _ in
            fake.link(FakeBlueZ.path(BlueZScene.strap))
            // Its children are not listed.
            fake.remove("/org/bluez/hci0", tellingChildren: false)
            return .ok()
        }
        await #expect(throws: BluetoothError.noAdapter) { try await scene.peripheral.connect() }
        await scene.end()
    }

    @Test func `a crash of bluetoothd while connecting is reported as such`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap)
        fake.script["Connect"] = { _ in
            fake.crash()
            return .never
        }
        await #expect(throws: BluetoothError.serviceStopped) { try await scene.peripheral.connect() }
        await #expect(throws: BluetoothError.serviceStopped) { try await scene.peripheral.connect() }
        await scene.end()
    }

    @Test func `another program's link is used and left unchanged`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        fake.link(strap)
        fake.resolve(strap)
        fake.change(FakeBlueZ.measurement(strap), BlueZ.characteristic, ["Notifying": .boolean(true)])
        let (link, events) = try await scene.stream()
        fake.notify(strap, [0, 60])
        #expect(await events.values(1) == [[0, 60]])
        await link.disconnect()
        #expect(fake.count("Disconnect") == 0)
        #expect(fake.property(strap, BlueZ.device, "Connected") == .boolean(true))
        await scene.end()
    }

    @Test func `of two heart rate services the first that notifies is read`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        // An earlier characteristic that does not notify.
        fake.services[strap]?["\(strap)/service0005"] = [
            BlueZ.gattService: ["UUID": .string(BluetoothUUID.heartRateService.full), "Device": .objectPath(strap)]
        ]
        fake.services[strap]?["\(strap)/service0005/char0006"] = [
            BlueZ.characteristic: [
                "UUID": .string(BluetoothUUID.heartRateMeasurement.full),
                "Service": .objectPath("\(strap)/service0005"), "Flags": .strings(["read"]),
            ]
        ]
        let link = try await scene.peripheral.connect()
        #expect(link.characteristic(.heartRateMeasurement)?.handle == 12)
        #expect(link.characteristics.map(\.handle) == [7, 12, 15, 17, 34])
        await link.disconnect()
        await scene.end()
    }

    @Test func `two straps connect one after the other, and an absent one delays neither`() async throws {
        let scene = try await BlueZScene { $0.connectTurn = .milliseconds(20) }
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap)
        let present = try #require(DeviceAddress("C0:DE:00:00:00:02"))
        fake.addStrap("C0:DE:00:00:00:02")
        fake.script["Connect"] = { call in
            call.path == FakeBlueZ.path(BlueZScene.strap) ? .never : .usual
        }
        let waiting = Task { try await scene.peripheral.connect() }
        try await fake.wait("the first call") { fake.count("Connect") == 1 }
        let link = try await scene.central.peripheral(present, kind: nil).connect()
        waiting.cancel()
        await #expect(throws: BluetoothError.self) { try await waiting.value }
        await link.disconnect()
        await scene.end()
    }

    @Test func `properties of the wrong type are ignored`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(
            BlueZScene.strap, ["Name": .uint32(7), "RSSI": .string("loud"), "ManufacturerData": .strings(["x"])])
        let link = try await scene.peripheral.connect()
        fake.changeDevice(strap, ["Connected": .string("perhaps"), "Paired": .byte(1), "UUIDs": .byte(3)])
        fake.changeDevice(strap, ["Connected": .boolean(true)])
        fake.change(strap, BlueZ.battery, ["Percentage": .string("full")])
        fake.add(strap, [BlueZ.battery: ["Percentage": .byte(200)]])
        fake.change(strap, BlueZ.battery, ["Percentage": .byte(61)])
        let events = LinkEvents(link.events)
        guard case .battery(61, _) = await events.next() else {
            Issue.record("no battery")
            return
        }
        await link.disconnect()
        await scene.end()
    }
}
