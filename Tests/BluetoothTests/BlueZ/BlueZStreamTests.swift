import DBus
import FakeBluetoothd
import Foundation
import PrivateBus
import Testing

@testable import Bluetooth
@testable import GATT

/// From the subscription to the end of a link: the problems in section 7 of `ble.md`, as scripts of the fake.
@Suite(.needsBus, .timeLimit(.minutes(10)))
@BusActor
struct BlueZStreamTests {
    @Test func `a link that breaks before the subscription fails it with the reason`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let link = try await scene.peripheral.connect()
        fake.script["StartNotify"] = { _ in
            fake.drop(strap, reason: "Timeout")
            return .never
        }
        let measurement = try #require(link.characteristic(.heartRateMeasurement))
        await #expect(throws: BluetoothError.linkLost(scene.address, .timeout)) {
            try await link.subscribe(to: measurement)
        }
        #expect(await LinkEvents(link.events).rest().loss == .timeout)
        await #expect(throws: BluetoothError.linkLost(scene.address, .timeout)) {
            try await link.subscribe(to: measurement)
        }
        await scene.end()
    }

    @Test func `values that arrive before the answer to the subscription are not lost`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        fake.script["StartNotify"] = { _ in
            for beat in 60..<63 as Range<UInt8> {
                fake.change(FakeBlueZ.measurement(strap), BlueZ.characteristic, ["Value": .bytes([0, beat])])
            }
            return .usual
        }
        let (link, events) = try await scene.stream()
        fake.notify(strap, [0, 63])
        #expect(await events.values(4) == [[0, 60], [0, 61], [0, 62], [0, 63]])
        await link.disconnect()
        await scene.end()
    }

    @Test func `a silent strap keeps its link, and disconnecting ends it`() async throws {
        let scene = try await BlueZScene()
        scene.fake.addStrap(BlueZScene.strap)
        let (link, events) = try await scene.stream()
        await link.disconnect()
        let (values, loss) = await events.rest()
        #expect(values.isEmpty && loss == .local)
        await scene.end()
    }

    @Test func `empty and malformed values are passed on unchanged`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let (link, events) = try await scene.stream()
        let odd: [[UInt8]] = [[], [0xFF], Array(repeating: 7, count: 512)]
        for bytes in odd { fake.notify(strap, bytes) }
        // Empty, so not a value.
        fake.change(FakeBlueZ.measurement(strap), BlueZ.characteristic, ["Value": .string("62")])
        fake.notify(strap, [0, 60])
        #expect(await events.values(4) == odd + [[0, 60]])
        await link.disconnect()
        await scene.end()
    }

    @Test(arguments: [false, true])
    func `a restart of bluetoothd ends the link, and the next connection works`(tellsRemovals: Bool) async throws {
        // The adapter is removed after the device, on a busy machine much later.
        let scene = try await BlueZScene { $0.reason = .seconds(240) }
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let (_, events) = try await scene.stream()
        fake.notify(strap, [0, 60])
        #expect(await events.values(1) == [[0, 60]])
        if tellsRemovals { fake.remove("/org/bluez/hci0") }
        fake.crash()
        #expect(await events.rest().loss == .adapterGone)
        let control = try #require(scene.central.daemon.mirror)
        // The adapter's removal ends the link before the end of the service is known.
        _ = try await control.wait(atMost: FakeBlueZ.limit) { control.tree.isLoaded ? nil : true }
        await #expect(throws: BluetoothError.serviceStopped) { try await scene.peripheral.connect() }
        try await fake.start {
            $0.reset()
            $0.addAdapter("hci0", "00:1A:7D:DA:71:10", ["Powered": .boolean(false)])
            $0.addStrap(BlueZScene.strap)
        }
        _ = try await control.wait(atMost: FakeBlueZ.limit) { control.tree.isLoaded ? true : nil }
        // It is off after the restart, and stays off until somebody turns it on.
        await #expect(throws: BluetoothError.poweredOff) { try await scene.peripheral.connect() }
        #expect(fake.property("/org/bluez/hci0", BlueZ.adapter, "Powered") == .boolean(false))
        try await scene.central.switchOn()
        #expect(fake.property("/org/bluez/hci0", BlueZ.adapter, "Powered") == .boolean(true))
        let (link, again) = try await scene.stream()
        fake.notify(strap, [0, 61])
        #expect(await again.values(1) == [[0, 61]])
        await link.disconnect()
        await scene.end()
    }

    @Test func `an adapter that is unplugged without signals about its devices ends the link`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap)
        let (_, events) = try await scene.stream()
        fake.remove("/org/bluez/hci0", tellingChildren: false)
        #expect(await events.rest().loss == .adapterGone)
        await #expect(throws: BluetoothError.noAdapter) { try await scene.peripheral.connect() }
        await scene.end()
    }

    @Test func `an adapter that returns under another name is the same adapter`() async throws {
        let adapter = try #require(DeviceAddress("00:1A:7D:DA:71:10"))
        let scene = try await BlueZScene(adapter: adapter)
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap)
        let (_, events) = try await scene.stream()
        fake.remove("/org/bluez/hci0")
        #expect(await events.rest().loss == .adapterGone)
        fake.addAdapter("hci0", "00:00:00:00:00:99")
        fake.addAdapter("hci1", adapter.description)
        let strap = fake.addStrap(BlueZScene.strap, adapter: "hci1")
        let control = try #require(scene.central.daemon.mirror)
        _ = try await control.wait(atMost: FakeBlueZ.limit) { control.tree.devices[strap] }
        let (link, again) = try await scene.stream()
        fake.notify(strap, [0, 61])
        #expect(await again.values(1) == [[0, 61]])
        await link.disconnect()
        await scene.end()
    }

    @Test func `removing hci1 does not affect hci10`() async throws {
        let scene = try await BlueZScene(adapter: DeviceAddress("00:00:00:00:00:10"))
        let fake = scene.fake
        fake.addAdapter("hci1", "00:00:00:00:00:01")
        fake.addAdapter("hci10", "00:00:00:00:00:10")
        let strap = fake.addStrap(BlueZScene.strap, adapter: "hci10")
        let (link, events) = try await scene.stream()
        fake.remove("/org/bluez/hci1", tellingChildren: false)
        fake.notify(strap, [0, 60])
        #expect(await events.values(1) == [[0, 60]])
        #expect(try await scene.central.adapters().map(\.name) == ["hci0", "hci10"])
        await link.disconnect()
        await scene.end()
    }

    @Test func `a closed bus ends the link, and every call fails with that reason`() async throws {
        let scene = try await BlueZScene()
        scene.fake.addStrap(BlueZScene.strap)
        let (link, events) = try await scene.stream()
        scene.fake.bus.kill()
        #expect(await events.rest().loss == .adapterGone)
        await link.disconnect()
        let error = await #expect(throws: BluetoothError.self) { try await scene.peripheral.connect() }
        guard case .unavailable(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("unix:path="))
        await scene.end()
    }

    @Test func `another program that acquired the notifications is named as the reason`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap)
        // The effect of AcquireNotify by another program, which is never used here.
        fake.script["StartNotify"] = { _ in .error("org.bluez.Error.NotPermitted", "Notify acquired") }
        let link = try await scene.peripheral.connect()
        let measurement = try #require(link.characteristic(.heartRateMeasurement))
        await #expect(throws: BluetoothError.busy(scene.address)) { try await link.subscribe(to: measurement) }
        #expect(fake.count("AcquireNotify") == 0)
        await link.disconnect()
        await scene.end()
    }

    @Test func `a cancelled subscription is stopped`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap)
        let link = try await scene.peripheral.connect()
        let measurement = try #require(link.characteristic(.heartRateMeasurement))
        fake.script["StartNotify"] = { _ in .never }
        let subscribing = Task { try await link.subscribe(to: measurement) }
        try await fake.wait("the call") { fake.count("StartNotify") == 1 }
        subscribing.cancel()
        await #expect(throws: BluetoothError.self) { try await subscribing.value }
        try await fake.wait("it to be taken back") { fake.count("StopNotify") == 1 }
        await link.disconnect()
        await scene.end()
    }

    @Test func `the battery is reported when the system knows it and when it changes`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let (link, events) = try await scene.stream()
        fake.add(strap, [BlueZ.battery: ["Percentage": .byte(90)]])
        fake.change(strap, BlueZ.battery, ["Percentage": .byte(89)])
        fake.remove(strap, interface: BlueZ.battery)
        var levels: [Int] = []
        while levels.count < 2, let event = await events.next() {
            if case .battery(let level, _) = event { levels.append(level) }
        }
        #expect(levels == [90, 89])
        await link.disconnect()
        await scene.end()
    }

    @Test func `the battery is reported after the values before it, including possible copies`() async throws {
        let scene = try await BlueZScene { $0.probe = .milliseconds(300) }
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        fake.add(strap, [BlueZ.battery: ["Percentage": .byte(90)]])
        let (link, events) = try await scene.stream()
        for _ in 0..<4 { fake.notify(strap, [0, 60]) }
        fake.change(strap, BlueZ.battery, ["Percentage": .byte(41)])
        var told: [String] = []
        while told.last != "41 %", let event = await events.next() {
            switch event {
            case .value: told.append("value")
            case .battery(let level, _): told.append("\(level) %")
            case .described, .missed, .ended: told.append("end")
            }
        }
        #expect(told.filter { $0 != "90 %" } == ["value", "value", "value", "value", "41 %"])
        await link.disconnect()
        await scene.end()
    }

    @Test(arguments: [
        ("Timeout", LinkLoss.timeout), ("Remote", .remote), ("Local", .local), ("Authentication", .authentication),
        ("Suspend", .suspend), ("Unknown", .unknown),
    ])
    func `a link's end has bluetoothd's reason if there is one`(name: String, loss: LinkLoss) async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let (_, events) = try await scene.stream()
        fake.drop(strap, reason: name)
        #expect(await events.rest().loss == loss)
        await scene.end()
    }

    @Test func `reading a value is not a notification`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let (link, events) = try await scene.stream()
        let measurement = try #require(link.characteristic(.heartRateMeasurement))
        let location = try #require(link.characteristic(.bodySensorLocation))
        #expect(try await link.read(location) == [1])
        // While the characteristic is read, a notification with the same bytes arrives.
        fake.script["ReadValue"] = { _ in
            fake.notify(strap, [0, 60])
            fake.notify(strap, [0, 61])
            return .usual
        }
        #expect(try await link.read(measurement) == [0, 61])
        fake.notify(strap, [0, 62])
        #expect(await events.values(3) == [[0, 60], [0, 61], [0, 62]])
        await link.disconnect()
        await scene.end()
    }

    @Test(arguments: [true, false])
    func `values that arrive during a read are delivered even if the link ends before its answer`(
        isHungUp: Bool
    ) async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let (link, events) = try await scene.stream()
        let measurement = try #require(link.characteristic(.heartRateMeasurement))
        let point = try #require(link.characteristic(.heartRateControlPoint))
        fake.script["ReadValue"] = { _ in .never }
        let reading = Task { try await link.read(measurement) }
        try await fake.wait("a read") { fake.count("ReadValue") > 0 }
        fake.notify(strap, [0, 60])
        fake.notify(strap, [0, 61])
        // The answer comes after the values.
        try await link.write([1], to: point)
        if isHungUp { await link.disconnect() } else { fake.drop(strap) }
        #expect(await events.rest().values == [[0, 60], [0, 61]])
        await #expect(throws: BluetoothError.self) { try await reading.value }
        await scene.end()
    }

    @Test(arguments: [
        ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x80", BluetoothErrorShape.attribute(0x80)),
        ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0f", .pairingRequired),
        ("org.bluez.Error.NotPermitted", "Not paired", .pairingRequired),
        ("org.bluez.Error.NotPermitted", "Write not permitted", .attribute(0x03)),
        ("org.bluez.Error.NotAuthorized", "Operation Not Authorized", .attribute(0x08)),
        ("org.bluez.Error.NotSupported", "Operation is not supported", .attribute(0x06)),
        ("org.bluez.Error.NotConnected", "Not Connected", .linkLost),
        ("org.freedesktop.DBus.Error.AccessDenied", "Rejected send message", .notPermitted),
        ("org.bluez.Error.Failed", "Not so", .failed),
    ])
    func `a strap's error codes are told apart`(name: String, text: String, shape: BluetoothErrorShape) async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap)
        let link = try await scene.peripheral.connect()
        let point = try #require(link.characteristic(.heartRateControlPoint))
        fake.script["WriteValue"] = { call in
            #expect(call.body.first == .bytes([1]))
            return .error(name, text)
        }
        let error = await #expect(throws: BluetoothError.self) { try await link.write([1], to: point) }
        #expect(error.map { BluetoothErrorShape($0) } == shape)
        fake.script["WriteValue"] = { _ in
            fake.count("WriteValue") < 4 ? .error("org.bluez.Error.InProgress", "In Progress") : .usual
        }
        try await link.write([1], to: point)
        await link.disconnect()
        await scene.end()
    }
}

/// The kind of an error, without its texts.
enum BluetoothErrorShape: Equatable, Sendable {
    case attribute(UInt8), pairingRequired, linkLost, notPermitted, failed, other

    init(_ error: BluetoothError) {
        self =
            switch error {
            case .attribute(_, let code): .attribute(code)
            case .pairingRequired: .pairingRequired
            case .linkLost: .linkLost
            case .notPermitted: .notPermitted
            case .failed: .failed
            default: .other
            }
    }
}
