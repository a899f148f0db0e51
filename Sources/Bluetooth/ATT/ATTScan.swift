#if Bluetooth
import GATT
import Foundation
import Synchronization

/// The only scan on the air, shared by all readers.
final class ATTScan: Sendable {
    /// An adapter that is on.
    struct Radio: Sendable {
        var management: ManagementSocket
        var index: UInt16
        var address: DeviceAddress
    }

    /// The most devices that are remembered. Places full of phones have thousands, each for some minutes.
    static let maximumDevices = 2048

    private struct Reader {
        var services: Set<BluetoothUUID>
        var continuation: AsyncThrowingStream<Advertisement, any Error>.Continuation
    }

    private struct State {
        var readers: [Int: Reader] = [:]
        var nextReader = 0
        var devices: [DeviceAddress: Advertisement] = [:]
        var scanning: Task<Void, Never>?
        var radio: Radio?
        /// The number of connection attempts in progress, which work better without a scan.
        var pauses = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    func kind(of address: DeviceAddress) -> DeviceAddress.Kind? {
        state.withLock { $0.devices[address]?.addressKind }
    }

    func advertisements(
        of services: Set<BluetoothUUID>, on radio: @escaping @Sendable () async throws(BluetoothError) -> Radio
    ) -> AsyncThrowingStream<Advertisement, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: Advertisement.self, bufferingPolicy: .bufferingNewest(1024))
        let number: Int? = state.withLock { state in
            if state.isClosed { return nil }
            state.nextReader += 1
            state.readers[state.nextReader] = Reader(services: services, continuation: continuation)
            // The task ends with the last reader.
            if state.scanning == nil { state.scanning = Task { [weak self] in await self?.run(on: radio) } }
            return state.nextReader
        }
        guard let number else {
            continuation.finish(throwing: BluetoothError.unavailable("it has been closed"))
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.remove(number)
        }
        return stream
    }

    func close() async {
        let (readers, scanning) = state.withLock { state in
            state.isClosed = true
            return (Array(state.readers.values), state.scanning)
        }
        for reader in readers {
            reader.continuation.finish(throwing: BluetoothError.unavailable("it has been closed"))
        }
        scanning?.cancel()
        await scanning?.value
    }

    /// Pauses the scan during a connection attempt.
    func pause() async {
        let radio: Radio? = state.withLock { state in
            state.pauses += 1
            return state.scanning == nil ? nil : state.radio
        }
        if let radio { await Self.stop(radio) }
    }

    func resume() async {
        let radio: Radio? = state.withLock { state in
            state.pauses -= 1
            return state.scanning == nil || state.pauses > 0 ? nil : state.radio
        }
        if let radio { _ = await Self.start(radio) }
    }

    private func remove(_ reader: Int) {
        let scanning = state.withLock { state in
            state.readers[reader] = nil
            return state.readers.isEmpty ? state.scanning : nil
        }
        scanning?.cancel()
    }

    private func run(on radio: @Sendable () async throws(BluetoothError) -> Radio) async {
        repeat {
            do throws(BluetoothError) {
                try await scan(on: try await radio())
            } catch {
                let readers = state.withLock { state in
                    defer { state.readers = [:] }
                    return state.readers.values
                }
                for reader in readers { reader.continuation.finish(throwing: error) }
            }
            // A reader that came while the scan was being stopped needs another one.
        } while state.withLock { state in
            if state.readers.isEmpty || Task.isCancelled {
                state.scanning = nil
                state.radio = nil
                return false
            }
            return true
        }
    }

    private func scan(on radio: Radio) async throws(BluetoothError) {
        let events = radio.management.events()
        let isPaused = state.withLock { state in
            state.radio = radio
            return state.pauses > 0
        }
        if !isPaused, let error = await Self.start(radio) { throw error }
        loop: for await event in events {
            switch event {
            case .found(radio.index, let address, let kind, let signal, let data):
                found(address, kind, signal, data, by: radio)
            case .discovering(radio.index, false):
                // The kernel ends a scan after ten seconds.
                let goesOn = state.withLock { $0.pauses == 0 && !$0.readers.isEmpty }
                if goesOn, !Task.isCancelled, let error = await Self.start(radio) { throw error }
            case .adapterRemoved(radio.index):
                throw .noAdapter
            case .settings(radio.index, let settings) where !settings.contains(.powered):
                throw .poweredOff
            default:
                break
            }
            if Task.isCancelled { break loop }
        }
        await Self.stop(radio)
        if !Task.isCancelled { throw .unavailable("the management socket was closed") }
    }

    /// - Returns: Why there is no scan, or nil if it runs.
    private static func start(_ radio: Radio) async -> BluetoothError? {
        let answer = await radio.management.command(
            ManagementCommand.startDiscovery, index: radio.index, ManagementCommand.lowEnergyScan)
        switch answer?.status {
        // Busy: a scan is already running.
        case ManagementStatus.success, ManagementStatus.busy: return nil
        case ManagementStatus.permissionDenied:
            return .notPermitted("scanning without bluetoothd needs CAP_NET_ADMIN")
        case ManagementStatus.notPowered: return .poweredOff
        case ManagementStatus.blocked: return .blocked
        case ManagementStatus.invalidIndex: return .noAdapter
        case .some(let status): return .failed(operation: "scanning", ManagementStatus.name(status))
        case nil: return .failed(operation: "scanning", "the kernel did not answer")
        }
    }

    private static func stop(_ radio: Radio) async {
        // Refused if the scan has already stopped; either way there is none afterwards.
        _ = await radio.management.command(
            ManagementCommand.stopDiscovery, index: radio.index, ManagementCommand.lowEnergyScan)
    }

    private func found(
        _ address: DeviceAddress, _ kind: DeviceAddress.Kind, _ signal: Int?, _ data: AdvertisingData,
        by radio: Radio
    ) {
        let (advertisement, readers) = state.withLock { state in
            var advertisement =
                state.devices[address]
                ?? Advertisement(address: address, addressKind: kind, adapter: radio.address, date: Date())
            advertisement.addressKind = kind
            advertisement.name = data.name ?? advertisement.name
            advertisement.services.formUnion(data.services)
            advertisement.signalInDecibelMilliwatts = signal
            advertisement.manufacturerData.merge(data.manufacturerData) { $1 }
            advertisement.date = Date()
            if state.devices.count >= Self.maximumDevices { state.devices = [:] }
            state.devices[address] = advertisement
            return (advertisement, Array(state.readers.values))
        }
        for reader in readers
        where reader.services.isEmpty || !reader.services.isDisjoint(with: advertisement.services) {
            reader.continuation.yield(advertisement)
        }
    }
}
#endif
