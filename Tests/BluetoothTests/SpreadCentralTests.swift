import Bluetooth
import Foundation
import GATT
import Synchronization
import Testing

/// An adapter for a limited number of links: the double of a radio.
private final class SmallCentral: Central {
    let room: Int
    let hears: Set<DeviceAddress>
    let asked = Mutex<[DeviceAddress]>([])
    private let open = Mutex(0)

    init(room: Int, hears: Set<DeviceAddress> = []) {
        self.room = room
        self.hears = hears
    }

    func adapters() async throws(BluetoothError) -> [Adapter] { [] }

    func advertisements(of services: Set<BluetoothUUID>) -> AsyncThrowingStream<Advertisement, any Error> {
        let (stream, continuation) = AsyncThrowingStream<Advertisement, any Error>.makeStream()
        for address in hears { continuation.yield(Advertisement(address: address, date: .init())) }
        continuation.finish()
        return stream
    }

    func peripheral(_ address: DeviceAddress, kind: DeviceAddress.Kind?) -> any Peripheral {
        Device(address: address, central: self)
    }

    func forget(_ address: DeviceAddress) async throws(BluetoothError) {}
    func close() async {}

    struct Device: Peripheral {
        let address: DeviceAddress
        let central: SmallCentral

        func connect() async throws(BluetoothError) -> any PeripheralLink {
            central.asked.withLock { $0.append(address) }
            let fits = central.open.withLock { open in
                guard open < central.room else { return false }
                open += 1
                return true
            }
            guard fits else { throw .adapterFull(address) }
            return Link(address: address) { [central] in central.open.withLock { $0 -= 1 } }
        }

        func pair(answering agent: any PairingAgent) async throws(BluetoothError) {}
    }

    final class Link: PeripheralLink {
        let address: DeviceAddress
        let characteristics: [GATTCharacteristic] = []
        let events = LinkEventStream()
        let ended: @Sendable () -> Void

        init(address: DeviceAddress, ended: @escaping @Sendable () -> Void) {
            self.address = address
            self.ended = ended
        }

        deinit { ended() }

        func subscribe(to characteristic: GATTCharacteristic) async throws(BluetoothError) {}
        func read(_ characteristic: GATTCharacteristic) async throws(BluetoothError) -> [UInt8] { [] }
        func write(_ bytes: [UInt8], to characteristic: GATTCharacteristic) async throws(BluetoothError) {}
        func disconnect() async {}
    }
}

@Suite(.timeLimit(.minutes(10))) struct SpreadCentralTests {
    private func address(_ number: Int) -> DeviceAddress { DeviceAddress("C0:00:00:00:00:0\(number)")! }

    @Test func `links are spread over adapters, and a full adapter is passed over`() async throws {
        let (small, large) = (SmallCentral(room: 2), SmallCentral(room: 4))
        let central = SpreadCentral([small, large])
        var links: [any PeripheralLink] = []
        for number in 1...6 { links.append(try await central.peripheral(address(number), kind: nil).connect()) }
        #expect(central.links == [2, 4])
        await #expect(throws: BluetoothError.adapterFull(address(7))) {
            try await central.peripheral(address(7), kind: nil).connect()
        }
        // When a link ends, there is room for another.
        links.removeFirst()
        links.append(try await central.peripheral(address(7), kind: nil).connect())
        #expect(central.links == [2, 4])
        withExtendedLifetime(links) {}
    }

    @Test func `an adapter that receives the sensor is tried first`() async throws {
        let near = SmallCentral(room: 4, hears: [address(1)])
        let far = SmallCentral(room: 4)
        let central = SpreadCentral([far, near])
        for try await _ in central.advertisements(of: []) {}
        let link = try await central.peripheral(address(1), kind: nil).connect()
        #expect(central.links == [0, 1])
        #expect(far.asked.withLock { $0 }.isEmpty)
        withExtendedLifetime(link) {}
    }

    @Test func `a full adapter is tried again after a minute`() async throws {
        let time = Mutex(ContinuousClock.now)
        let (small, large) = (SmallCentral(room: 0), SmallCentral(room: 9))
        let central = SpreadCentral([small, large], now: { time.withLock { $0 } })
        var links: [any PeripheralLink] = []
        for number in 1...3 { links.append(try await central.peripheral(address(number), kind: nil).connect()) }
        #expect(small.asked.withLock { $0 } == [address(1)])
        time.withLock { $0 = $0 + .seconds(61) }
        links.append(try await central.peripheral(address(4), kind: nil).connect())
        #expect(small.asked.withLock { $0 } == [address(1), address(4)])
        withExtendedLifetime(links) {}
    }
}
