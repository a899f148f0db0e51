import Foundation
import TestBytes
import Testing

@testable import Bluetooth
@testable import GATT

struct AdvertisingDataTests {
    @Test func `an advertisement contains services, name and manufacturer data`() {
        // A Polar H7: flags, an incomplete list with 0x180D, the manufacturer 0x006B, the name.
        let data = AdvertisingData(
            hexBytes("02 01 06 03 02 0d 18 07 ff 6b 00 3b 1b 54 52 06 09 50 6f 6c 61 72"))
        #expect(data.services == [.heartRateService])
        #expect(data.manufacturerData == [0x006B: [0x3B, 0x1B, 0x54, 0x52]])
        #expect(data.name == "Polar")
    }

    @Test func `a complete name takes precedence over a short one`() {
        #expect(AdvertisingData(hexBytes("03 09 48 31 02 08 48")).name == "H1")
        #expect(AdvertisingData(hexBytes("02 08 48 03 09 48 31")).name == "H1")
    }

    @Test func `truncated data does not trap`() {
        let bytes = hexBytes(
            "03 02 0d 18 11 07 f3 ec d7 45 55 a4 5a ad 40 11 31 fb 4b ff 17 62 03 ff 6b 00 02 09 41 00 05")
        for length in bytes.indices { _ = AdvertisingData(bytes.prefix(length)) }
        #expect(AdvertisingData(bytes).services.count == 2)
        #expect(AdvertisingData([0xFF, 0x09]).name == nil)
    }
}

struct ManagementEventTests {
    @Test func `a found device is decoded`() {
        let event = ManagementEvent(
            hexBytes("12 00 00 00 12 00 01 00 00 00 de c0 02 c9 00 00 00 00 04 00 03 03 0d 18"))
        guard case .found(0, let address, .random, signal: -55, let data)? = event else {
            Issue.record("\(String(describing: event))")
            return
        }
        #expect(address.description == "C0:DE:00:00:00:01")
        #expect(data.services == [.heartRateService])
    }

    @Test func `an answer is decoded with or without parameters`() {
        #expect(
            ManagementEvent(hexBytes("01 00 00 00 04 00 23 00 00 06"))
                == .answered(command: 0x23, index: 0, status: 0, [6]))
        #expect(
            ManagementEvent(hexBytes("02 00 00 00 03 00 05 00 12"))
                == .answered(command: 5, index: 0, status: ManagementStatus.blocked, []))
    }

    @Test func `a device that keeps no pairing key is not bonded`() {
        let address = DeviceAddress(value: 0xC0DE_0000_0001)
        func key(_ hint: String) -> ManagementEvent? {
            let rest = String(repeating: " 00", count: 29)
            return ManagementEvent(hexBytes("0a 00 00 00 25 00 \(hint) 01 00 00 00 de c0 02" + rest))
        }
        #expect(key("00") == .key(index: 0, address, isKept: false))
        #expect(key("01") == .key(index: 0, address, isKept: true))
        let central = ATTCentral(bonded: [address])
        #expect(central.isBonded(address))
        central.note(pairingOf: address, isKept: false)
        #expect(!central.isBonded(address))
        // Whichever arrives first.
        central.remember(bondWith: address)
        #expect(!central.isBonded(address))
        central.note(pairingOf: address, isKept: true)
        #expect(central.isBonded(address))
    }

    @Test func `a truncated event does not trap`() {
        var random = SeededBytes(state: 1)
        for code: UInt8 in 0...0x20 {
            for length in 0...40 {
                let bytes = [code, 0, 0, 0, 9, 0] + random.bytes(40)
                _ = ManagementEvent(bytes.prefix(length))
            }
        }
    }

    @Test func `an adapter's properties are decoded`() throws {
        let bytes = hexBytes("01 00 00 00 de c0 0a 3f 00 ff fe 01 00 01 02 00 00 00 00 00")
        let information = try #require(AdapterInformation(bytes))
        #expect(information.address.description == "C0:DE:00:00:00:01")
        #expect(information.current == [.powered, .lowEnergy])
        #expect(AdapterInformation(Array(bytes.prefix(16))) == nil)
    }

    @Test(arguments: [("hci0", "1", Adapter.Power.blocked), ("hci0", "0", .off), ("hci1", "1", .off)])
    func `an adapter blocked by rfkill is reported as such, also without bluetoothd`(
        name: String, isSet: String, power: Adapter.Power
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("RadioSwitch-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let radio = folder.appendingPathComponent("rfkill0")
        try FileManager.default.createDirectory(at: radio, withIntermediateDirectories: true)
        for (file, text) in [("type", "bluetooth"), ("name", name), ("soft", isSet), ("hard", "0")] {
            try Data((text + "\n").utf8).write(to: radio.appendingPathComponent(file))
        }
        let bytes = hexBytes("01 00 00 00 de c0 0a 3f 00 ff fe 01 00 00 02 00 00 00 00 00")
        let information = try #require(AdapterInformation(bytes))
        let adapter = ATTCentral.KnownAdapter(index: 0, information: information).adapter(switches: folder.path)
        #expect(adapter.power == power && !adapter.isManagedByService)
    }
}

@Suite(.timeLimit(.minutes(10))) struct ManagementSocketTests {
    private func pair() throws -> (ManagementSocket, kernel: Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0 else { throw SystemFault("pair") }
        return (try ManagementSocket(descriptor: ends[0]), ends[1])
    }

    @Test func `each command gets its own answer`() async throws {
        let (management, kernel) = try pair()
        defer { close(kernel) }
        // Other tests may keep all threads busy for a long time.
        let patience = Duration.seconds(600)
        async let power = management.command(
            ManagementCommand.setPowered, index: 1, [1], within: patience)
        async let list = management.command(ManagementCommand.readIndexList, within: patience)
        var asked: Set<UInt8> = []
        while asked.count < 2 {
            var room = [UInt8](repeating: 0, count: 64)
            // Doesn't wait, because the tasks that ask need the threads.
            if recv(kernel, &room, room.count, Int32(truncatingIfNeeded: MSG_DONTWAIT)) > 0 { asked.insert(room[0]) }
            await Task.yield()
        }
        #expect(asked == [3, 5])
        let answers = ["01 00 ff ff 05 00 03 00 00 00 00", "02 00 01 00 03 00 05 00 14"].map(hexBytes)
        for answer in answers { _ = send(kernel, answer, answer.count, 0) }
        #expect(await power?.status == ManagementStatus.permissionDenied)
        #expect(await list?.parameters == [0, 0])
        management.close()
    }

    @Test func `a closed socket fails pending commands and ends its events`() async throws {
        let (management, kernel) = try pair()
        let events = management.events()
        close(kernel)
        for await _ in events {}
        #expect(await management.command(ManagementCommand.readIndexList) == nil)
    }

    @Test func `a missing answer times out`() async throws {
        let (management, kernel) = try pair()
        defer { close(kernel) }
        #expect(await management.command(ManagementCommand.readIndexList, within: .milliseconds(1)) == nil)
        management.close()
    }

    @Test(.enabled(if: ATTCentral.obstacle() != nil, "this machine has Bluetooth sockets"))
    func `without Bluetooth sockets every method names what is missing`() async throws {
        let central = ATTCentral()
        let obstacle = try #require(ATTCentral.obstacle())
        await #expect(throws: obstacle) { _ = try await central.adapters() }
        await #expect(throws: obstacle) { for try await _ in central.advertisements(of: []) {} }
        await #expect(throws: BluetoothError.self) {
            _ = try await central.peripheral(DeviceAddress(value: 1), kind: .public).connect()
        }
        await central.close()
        await #expect(throws: BluetoothError.self) { for try await _ in central.advertisements(of: []) {} }
    }
}
