import DBus
import FakeBluetoothd
import Foundation
import PrivateBus
import Testing

@testable import Bluetooth
@testable import GATT

/// Misbehaving straps and programs, with a bluetoothd that works.
@Suite(.needsBus, .timeLimit(.minutes(10)))
@BusActor
struct BlueZTroubleTests {
    @Test func `an agent pairs a strap that requires pairing on every connection`()
        async throws
    {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        fake.script["Connect"] = { _ in
            fake.answers.append([.uint32(UInt32(fake.agents.count))])
            return .usual
        }
        fake.script["StartNotify"] = { call in
            // bluetoothd starts to pair, and asks.
            let answer = await fake.answer(
                of: call.sender ?? "", "RequestAuthorization", [.objectPath(strap)])
            return answer == nil ? .error("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e") : .usual
        }
        for beat in [60, 61] as [UInt8] {
            let link = try await scene.peripheral.connect(answering: JustWorksAgent())
            try await link.subscribe(to: try #require(link.characteristic(.heartRateMeasurement)))
            fake.notify(strap, [0, beat])
            #expect(await LinkEvents(link.events).values(1) == [[0, beat]])
            await link.disconnect()
        }
        #expect(fake.answers == [[.uint32(1)], [.uint32(1)]])
        #expect(fake.count("Pair ") == 0)
        await scene.end()
    }

    @Test func `without an agent that may answer, a strap that requires pairing is reported at once`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        fake.script["StartNotify"] = { call in
            _ = await fake.answer(of: call.sender ?? "", "RequestAuthorization", [.objectPath(strap)])
            return .never
        }
        let link = try await scene.peripheral.connect()
        let measurement = try #require(link.characteristic(.heartRateMeasurement))
        await #expect(throws: BluetoothError.pairingRequired(scene.address)) {
            try await link.subscribe(to: measurement)
        }
        await link.disconnect()
        await scene.end()
    }

    @Test func `a measurement that moves is found at its new place`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let (link, events) = try await scene.stream()
        fake.notify(strap, [0, 60])
        #expect(await events.values(1) == [[0, 60]])
        // What bluetoothd does if the strap reports that its services have changed.
        fake.remove(strap + "/service000a")
        let moved = strap + "/service0040"
        fake.add(
            moved,
            [BlueZ.gattService: ["UUID": .string(BluetoothUUID.heartRateService.full), "Device": .objectPath(strap)]])
        fake.add(
            moved + "/char0041",
            [
                BlueZ.characteristic: [
                    "UUID": .string(BluetoothUUID.heartRateMeasurement.full), "Service": .objectPath(moved),
                    "Flags": .strings(["notify"]), "Notifying": .boolean(false),
                ]
            ])
        try await fake.wait("the subscription") { fake.subscriptions.contains { $0[0] == moved + "/char0041" } }
        fake.change(moved + "/char0041", BlueZ.characteristic, ["Value": .bytes([0, 61])])
        #expect(await events.values(1) == [[0, 61]])
        await link.disconnect()
        await scene.end()
    }

    @Test func `a repeated subscription is sent to the device`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let (link, events) = try await scene.stream()
        try await link.subscribe(to: try #require(link.characteristic(.heartRateMeasurement)))
        #expect(fake.count("StopNotify") == 1 && fake.count("StartNotify") == 2)
        fake.notify(strap, [0, 60])
        #expect(await events.values(1) == [[0, 60]])
        await link.disconnect()
        await scene.end()
    }

    @Test func `an adapter that a person switched off stays off, also for a scan`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap)
        #expect(try await scene.central.adapters().first?.power == .on)
        fake.switchOff()
        let control = try #require(scene.central.daemon.mirror)
        _ = try await control.wait(atMost: FakeBlueZ.limit) {
            control.tree.adapters.values.allSatisfy { !$0.isPowered } ? true : nil
        }
        await #expect(throws: BluetoothError.poweredOff) { try await scene.peripheral.connect() }
        await #expect(throws: BluetoothError.poweredOff) {
            for try await _ in scene.central.advertisements(of: []) {}
        }
        #expect(fake.count("Set Adapter1") == 0 && fake.count("Set org.bluez.Adapter1") == 0)
        await scene.end()
    }

    @Test func `links left by a killed program are closed, and those of others are not`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("LinkTraces-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let traces = LinkTraces(folder: folder)
        let scene = try await BlueZScene(traces: traces)
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        fake.link(strap)
        fake.resolve(strap)
        // Without an owner: another program's link.
        try await scene.central.releaseLeftovers()
        #expect(fake.count("Disconnect") == 0)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("C0-DE-00-00-00-01")
        try Data().write(to: file)
        // Its owner is a running program.
        var other = LinkTrace.lock(file.path, creates: false)
        #expect(other != nil)
        try await scene.central.releaseLeftovers()
        #expect(fake.count("Disconnect") == 0)
        other = nil
        try await scene.central.releaseLeftovers()
        #expect(fake.count("Disconnect") == 1)
        #expect(traces.leftovers().isEmpty)
        // Our own links leave a file while they are open.
        let link = try await scene.peripheral.connect()
        #expect(FileManager.default.fileExists(atPath: file.path))
        await link.disconnect()
        #expect(!FileManager.default.fileExists(atPath: file.path))
        await scene.end()
    }
}
