import DBus
import FakeBluetoothd
import Foundation
import PrivateBus
import Testing

@testable import Bluetooth
@testable import GATT

@Suite(.needsBus, .timeLimit(.minutes(10)))
@BusActor
struct BlueZScannerTests {
    /// Reads a scan until `count` elements have come, or until it ends.
    private func read(
        _ scene: BlueZScene, _ count: Int, of services: Set<BluetoothUUID> = [.heartRateService]
    ) -> Task<[Advertisement], any Error> {
        let stream = scene.central.advertisements(of: services)
        return Task {
            var heard: [Advertisement] = []
            for try await advertisement in stream {
                heard.append(advertisement)
                if heard.count == count { break }
            }
            return heard
        }
    }

    private func awaitScan(_ scene: BlueZScene) async throws {
        try await scene.fake.wait("a scan") { !scene.fake.scans.isEmpty }
    }

    @Test func `a known device is reported when it advertises`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap, heard: false)
        let reading = read(scene, 1)
        try await awaitScan(scene)
        fake.advertise(strap, -71)
        let heard = try await reading.value
        #expect(heard.map(\.address) == [scene.address])
        #expect(heard.first?.signalInDecibelMilliwatts == -71)
        #expect(heard.first?.name == "Strap")
        #expect(heard.first?.addressKind == .random)
        #expect(heard.first?.adapter == DeviceAddress("00:1A:7D:DA:71:10"))
        try await fake.wait("the scan to end") { fake.count("StopDiscovery") == 1 }
        #expect(
            fake.filters == [
                ["Transport": .string("le"), "UUIDs": .strings([BluetoothUUID.heartRateService.full])]
            ])
        await scene.end()
    }

    @Test func `a device that appears while the tree is read is listed once`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = FakeBlueZ.path(BlueZScene.strap)
        fake.script["GetManagedObjects"] = { _ in
            fake.addStrap(BlueZScene.strap)
            fake.script["GetManagedObjects"] = nil
            return .usual
        }
        _ = try await scene.central.adapters()
        let tree = try #require(scene.central.daemon.mirror).tree
        #expect(tree.devices.keys.sorted() == [strap])
        await scene.end()
    }

    @Test func `unrequested and only remembered devices are not reported`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.addStrap("C0:DE:00:00:00:07", heard: false)
        let reading = read(scene, 2)
        try await awaitScan(scene)
        // bluetoothd also delivers what other programs scan for.
        fake.addStrap("C0:DE:00:00:00:08", ["UUIDs": .strings([BluetoothUUID(0x1809).full])])
        fake.addAdapter("hci1", "00:00:00:00:00:01")
        fake.addStrap("C0:DE:00:00:00:09", adapter: "hci1")
        fake.changeDevice(FakeBlueZ.path("C0:DE:00:00:00:07"), ["Name": .string("Long gone")])
        fake.addStrap(
            BlueZScene.strap,
            [
                "ManufacturerData": .dictionary(
                    key: "q", value: "v", [.init(key: .uint16(0x6B), value: .variant(.bytes([1, 2])))])
            ])
        fake.addStrap("C0:DE:00:00:00:02", ["UUIDs": .strings([BluetoothUUID.heartRateService.full.uppercased()])])
        let heard = try await reading.value
        #expect(heard.map(\.address.description) == [BlueZScene.strap, "C0:DE:00:00:00:02"])
        #expect(heard.first?.manufacturerData == [0x6B: [1, 2]])
        await scene.end()
    }

    @Test func `two readers share one scan for both their services`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let first = read(scene, 1)
        try await awaitScan(scene)
        let second = read(scene, 1, of: [.cyclingPowerService])
        try await fake.wait("the wider filter") { fake.filters.count == 2 && !fake.scans.isEmpty }
        #expect(fake.filters.last?["UUIDs"]?.asStrings?.count == 2)
        #expect(fake.scans.count == 1)
        fake.addStrap(BlueZScene.strap)
        #expect(try await first.value.count == 1)
        fake.addStrap("C0:DE:00:00:00:02", ["UUIDs": .strings([BluetoothUUID.cyclingPowerService.full])])
        #expect(try await second.value.map(\.address.description) == ["C0:DE:00:00:00:02"])
        try await fake.wait("the scan to end") { fake.scans.isEmpty }
        await scene.end()
    }

    @Test func `a filter that crashes bluetoothd is not used again, and the scan continues`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.script["StartDiscovery"] = { _ in
            guard fake.filters.last?["UUIDs"] != nil else { return .usual }
            fake.crash()
            return .never
        }
        let reading = read(scene, 1)
        try await fake.wait("the crash") { !fake.connection.isOpen }
        try await fake.start()
        try await awaitScan(scene)
        #expect(fake.filters.count == 2)
        #expect(fake.filters.last == ["Transport": .string("le")])
        fake.addStrap(BlueZScene.strap)
        #expect(try await reading.value.count == 1)
        await scene.end()
    }

    @Test func `a filter that bluetoothd does not understand is simplified`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.script["SetDiscoveryFilter"] = { call in
            call.body.first?.asProperties?["UUIDs"] != nil
                ? .error("org.bluez.Error.InvalidArguments", "Invalid arguments in method call") : .usual
        }
        let reading = read(scene, 1)
        try await awaitScan(scene)
        #expect(fake.filters == [["Transport": .string("le")]])
        fake.addStrap(BlueZScene.strap)
        #expect(try await reading.value.count == 1)
        await scene.end()
    }

    @Test func `a scan that cannot begin is tried four times, then abandoned`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.script["StartDiscovery"] = { _ in .error("org.bluez.Error.InProgress", "Operation already in progress") }
        let error = await #expect(throws: BluetoothError.self) { try await read(scene, 1).value }
        guard case .failed(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("InProgress"))
        #expect(fake.count("StartDiscovery") == 4)
        await scene.end()
    }

    @Test func `a blocked adapter is reported as such, and works once unblocked`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let adapter = "/org/bluez/hci0"
        fake.addStrap(BlueZScene.strap, heard: false)
        fake.change(
            adapter, BlueZ.adapter, ["Powered": .boolean(false), "PowerState": .string("off-blocked")])
        fake.script["Set"] = { _ in .error("org.bluez.Error.Blocked", "Blocked through rfkill") }
        #expect(try await scene.central.adapters().map(\.power) == [.blocked])
        await #expect(throws: BluetoothError.blocked) { try await scene.peripheral.connect() }
        await #expect(throws: BluetoothError.blocked) { try await read(scene, 1).value }
        fake.change(adapter, BlueZ.adapter, ["PowerState": .string("off")])
        fake.script = [:]
        try await scene.central.switchOn()
        let link = try await scene.peripheral.connect()
        #expect(try await scene.central.adapters().map(\.power) == [.on])
        await link.disconnect()
        await scene.end()
    }

    @Test func `an adapter that is powered off or unplugged ends the scan`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let reading = read(scene, 1)
        try await awaitScan(scene)
        try await scanning(scene)
        fake.switchOff()
        await #expect(throws: BluetoothError.poweredOff) { try await reading.value }
        try await scene.central.switchOn()
        let again = read(scene, 1)
        try await fake.wait("the next scan") { fake.count("StartDiscovery") == 2 }
        try await scanning(scene)
        fake.remove("/org/bluez/hci0")
        await #expect(throws: BluetoothError.noAdapter) { try await again.value }
        await scene.end()
    }

    /// Waits until the central knows that its scan is active.
    private func scanning(_ scene: BlueZScene) async throws {
        let scanner = try #require(scene.central.daemon.scannerIfAny)
        let start = ContinuousClock.now
        while !scanner.isScanning, start.duration(to: .now) < FakeBlueZ.limit { await Task.yield() }
        try #require(scanner.isScanning)
    }

    @Test func `bluetoothd stopping ends the scan`() async throws {
        let scene = try await BlueZScene { $0.filterCrash = .zero }
        let reading = read(scene, 1)
        try await awaitScan(scene)
        scene.fake.crash()
        await #expect(throws: BluetoothError.serviceStopped) { try await reading.value }
        await scene.end()
    }

    @Test func `an invalidated signal strength is not reported, and causes no report of the device`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap, heard: false)
        let reading = read(scene, 2)
        try await awaitScan(scene)
        fake.advertise(strap, -50)
        fake.change(strap, BlueZ.device, [:], withdrawn: ["RSSI"])
        fake.changeDevice(strap, ["Name": .string("Renamed")])
        fake.advertise(strap, -52)
        let heard = try await reading.value
        #expect(heard.map(\.signalInDecibelMilliwatts) == [-50, -52])
        #expect(heard.map(\.name) == ["Strap", "Renamed"])
        await scene.end()
    }

    @Test func `a scan without results for a long time is restarted`() async throws {
        let scene = try await BlueZScene { $0.quietScan = .milliseconds(30) }
        let fake = scene.fake
        let reading = read(scene, 1)
        try await fake.wait("the second scan") { fake.count("StartDiscovery") >= 2 }
        #expect(fake.count("StopDiscovery") >= 1)
        reading.cancel()
        _ = try? await reading.value
        await scene.end()
    }

    @Test func `a device connected to another program is reported although it does not advertise`() async throws {
        let scene = try await BlueZScene()
        scene.fake.addStrap(BlueZScene.strap, heard: false, ["Connected": .boolean(true)])
        let heard = try await read(scene, 1).value
        #expect(heard.first?.isConnected == true)
        await scene.end()
    }

    @Test func `forgetting removes the bond, and forgetting an unknown device is not an error`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap, ["Paired": .boolean(true)])
        try await scene.central.forget(scene.address)
        #expect(fake.objects[strap] == nil)
        try await scene.central.forget(scene.address)
        #expect(fake.count("RemoveDevice") == 1)
        await scene.end()
    }

    @Test func `without adapters the list is empty, and without bluetoothd there is an error`() async throws {
        let scene = try await BlueZScene()
        scene.fake.remove("/org/bluez/hci0")
        #expect(try await scene.central.adapters().isEmpty)
        await #expect(throws: BluetoothError.noAdapter) { try await read(scene, 1).value }
        scene.fake.crash()
        let control = try #require(scene.central.daemon.mirror)
        _ = try await control.wait(atMost: FakeBlueZ.limit) { control.tree.owner == nil ? true : nil }
        await #expect(throws: BluetoothError.serviceStopped) { try await scene.central.adapters() }
        await scene.end()
    }
}
