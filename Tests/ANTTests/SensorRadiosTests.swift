import ANT
import Bluetooth
import Foundation
import GATT
import Synchronization
import Testing

/// Bluetooth and ANT+ together: a sensor is reached over its own radio, and a failing radio does not silence the
/// other.
@Suite(.timeLimit(.minutes(10))) struct SensorRadiosTests {
    /// A radio that finds one device or fails.
    private struct Radio: Central {
        var heard: Result<Advertisement, BluetoothError>
        var name: String

        func adapters() async throws(BluetoothError) -> [Adapter] {
            _ = try heard.get()
            return [Adapter(name: name, address: DeviceAddress(value: 1), power: .on)]
        }

        func advertisements(of services: Set<BluetoothUUID>) -> AsyncThrowingStream<Advertisement, any Error> {
            AsyncThrowingStream { continuation in
                switch heard {
                case .success(let advertisement):
                    continuation.yield(advertisement)
                    continuation.finish()
                case .failure(let error): continuation.finish(throwing: error)
                }
            }
        }

        func peripheral(_ address: DeviceAddress, kind: DeviceAddress.Kind?) -> any Peripheral {
            Device(address: address, name: name)
        }

        func forget(_ address: DeviceAddress) async throws(BluetoothError) {}
        func spread() async -> any Central { self }
        func close() async {}
    }

    private struct Device: Peripheral {
        var address: DeviceAddress
        var name: String

        func connect() async throws(BluetoothError) -> any PeripheralLink { throw .failed(operation: name, "") }
        func pair(answering agent: any PairingAgent) async throws(BluetoothError) {}
    }

    private static let strap = DeviceAddress(value: 0xC0DE_0000_0001)
    private static let foreign = DeviceAddress(ANTDeviceID(.heartRate, number: 25170))

    private func heard(_ address: DeviceAddress) -> Result<Advertisement, BluetoothError> {
        .success(Advertisement(address: address, date: Date(timeIntervalSinceReferenceDate: 0)))
    }

    private func radios(
        _ bluetooth: Result<Advertisement, BluetoothError>, _ ant: Result<Advertisement, BluetoothError>
    ) -> SensorRadios {
        SensorRadios(Radio(heard: bluetooth, name: "hci0"), ant: Radio(heard: ant, name: "ANT+"))
    }

    private func scan(
        _ radios: SensorRadios
    ) async -> (found: Set<DeviceAddress>, notes: [BluetoothError], error: (any Error)?) {
        let notes = Mutex<[BluetoothError]>([])
        var found: Set<DeviceAddress> = []
        do {
            for try await device in radios.advertisements(
                of: [], reporting: { note in notes.withLock { $0.append(note) } })
            {
                found.insert(device.address)
            }
            return (found, notes.withLock { $0 }, nil)
        } catch {
            return (found, notes.withLock { $0 }, error)
        }
    }

    @Test func `a scan uses both radios`() async {
        let result = await scan(radios(heard(Self.strap), heard(Self.foreign)))
        #expect(result.found == [Self.strap, Self.foreign])
        #expect(result.notes.isEmpty && result.error == nil)
    }

    @Test func `one radio that cannot scan causes a notice`() async {
        let off = await scan(radios(.failure(.poweredOff), heard(Self.foreign)))
        #expect(off.found == [Self.foreign])
        #expect(off.notes == [.poweredOff])
        #expect(off.error == nil)
    }

    @Test func `a missing stick is not mentioned`() async {
        let alone = await scan(radios(heard(Self.strap), .failure(.stick(.absent))))
        #expect(alone.found == [Self.strap])
        #expect(alone.notes.isEmpty && alone.error == nil)
        let neither = await scan(radios(.failure(.noAdapter), .failure(.stick(.absent))))
        #expect(neither.error as? BluetoothError == .noAdapter)
        #expect(neither.notes.isEmpty)
    }

    @Test func `each address is reached over its own radio`() async throws {
        let radios = radios(heard(Self.strap), heard(Self.foreign))
        await #expect(throws: BluetoothError.failed(operation: "hci0", "")) {
            try await radios.peripheral(Self.strap, kind: nil).connect()
        }
        await #expect(throws: BluetoothError.failed(operation: "ANT+", "")) {
            try await radios.peripheral(Self.foreign, kind: nil).connect()
        }
        #expect(try await radios.adapters().map(\.name) == ["hci0", "ANT+"])
        #expect(try await self.radios(.failure(.noAdapter), heard(Self.foreign)).adapters().map(\.name) == ["ANT+"])
        await #expect(throws: BluetoothError.noAdapter) {
            try await self.radios(.failure(.noAdapter), .failure(.stick(.absent))).adapters()
        }
    }
}
