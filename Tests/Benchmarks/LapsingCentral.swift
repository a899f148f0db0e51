import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Synchronization

/// Stands still until it gets its delay.
final class LapsingTime: TimeSource {
    private let state: Mutex<State>

    private struct State {
        var now: Date
        var sleepers: [UUID: (until: Date, continuation: CheckedContinuation<Void, Never>)] = [:]
    }

    init(start: Date) { state = Mutex(State(now: start)) }

    func now() -> Date { state.withLock { $0.now } }

    func advance(to date: Date) {
        let woken = state.withLock { state in
            state.now = max(state.now, date)
            let now = state.now
            let due = state.sleepers.filter { $0.value.until <= now }
            for key in due.keys { state.sleepers[key] = nil }
            return due.values.map(\.continuation)
        }
        for sleeper in woken { sleeper.resume() }
    }

    func sleep(until date: Date) async throws {
        let key = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.now < date, !Task.isCancelled else { return true }
                    state.sleepers[key] = (date, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: key) }?.continuation.resume()
        }
        try Task.checkCancellation()
    }
}

/// Another central, whose values are dated one second apart, however fast they come.
struct LapsingCentral: Central {
    private let central: any Central
    private let start: Date

    init(_ central: any Central, start: Date) {
        self.central = central
        self.start = start
    }

    func adapters() async throws(BluetoothError) -> [Adapter] { try await central.adapters() }

    func advertisements(of services: Set<BluetoothUUID>) -> AsyncThrowingStream<Advertisement, any Error> {
        central.advertisements(of: services)
    }

    func peripheral(_ address: DeviceAddress, kind: DeviceAddress.Kind?) -> any Peripheral {
        Device(device: central.peripheral(address, kind: kind), start: start)
    }

    func forget(_ address: DeviceAddress) async throws(BluetoothError) { try await central.forget(address) }
    func close() async { await central.close() }

    private struct Device: Peripheral {
        let device: any Peripheral
        let start: Date

        var address: DeviceAddress { device.address }
        func connect() async throws(BluetoothError) -> any PeripheralLink { Link(try await device.connect(), start) }

        func pair(answering agent: any PairingAgent) async throws(BluetoothError) {
            try await device.pair(answering: agent)
        }
    }

    private struct Link: PeripheralLink {
        let link: any PeripheralLink
        let events = LinkEventStream()

        init(_ link: any PeripheralLink, _ start: Date) {
            self.link = link
            Task { [events] in
                var date = start
                for await event in link.events {
                    guard case .value(let characteristic, let bytes, _) = event else {
                        events.yield(event)
                        continue
                    }
                    date += 1
                    events.yield(.value(characteristic, bytes, date))
                }
            }
        }

        var address: DeviceAddress { link.address }
        var characteristics: [GATTCharacteristic] { link.characteristics }

        func subscribe(to characteristic: GATTCharacteristic) async throws(BluetoothError) {
            try await link.subscribe(to: characteristic)
        }

        func read(_ characteristic: GATTCharacteristic) async throws(BluetoothError) -> [UInt8] {
            try await link.read(characteristic)
        }

        func write(_ bytes: [UInt8], to characteristic: GATTCharacteristic) async throws(BluetoothError) {
            try await link.write(bytes, to: characteristic)
        }

        func disconnect() async { await link.disconnect() }
    }
}
