import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Synchronization

/// Straps at the edge of the program, controlled by the test.
final class ScriptedCentral: Central {
    let time: any TimeSource
    private let state = Mutex(State())

    struct State {
        var isRunning = true
        var adapters = [
            Adapter(name: "hci0", address: DeviceAddress(value: 0x001A_7DDA_7110), power: .on)
        ]
        var straps: [DeviceAddress: Strap] = [:]
        var scanners: [UUID: AsyncThrowingStream<Advertisement, any Error>.Continuation] = [:]
        var forgotten: [DeviceAddress] = []
        var pairings = 0
    }

    struct Strap {
        var name: String?
        var isInReach = true
        var needsPairing = false
        var isPaired = false
        var battery: Int? = 90
        var measurements: [BluetoothUUID] = [.heartRateMeasurement]
        /// What the control point of a trainer indicates after a write.
        var answer: (@Sendable ([UInt8]) -> [UInt8])?
        var texts: [DeviceInformation.Field: String] = [.manufacturerName: "Test", .modelNumber: "Strap"]
        fileprivate(set) var link: ScriptedLink?
        fileprivate(set) var connects = 0
        fileprivate(set) var writes: [[UInt8]] = []
    }

    init(time: any TimeSource) {
        self.time = time
    }

    // MARK: Controlled by the test

    func withStrap<Result: Sendable>(
        _ address: DeviceAddress, _ body: @Sendable (inout Strap) -> Result
    ) -> Result {
        state.withLock { body(&$0.straps[address, default: Strap()]) }
    }

    func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }

    func add(_ address: DeviceAddress, _ strap: Strap) {
        state.withLock { $0.straps[address] = strap }
        advertise(address)
    }

    /// Whether the strap sends, because somebody has subscribed.
    func isStreaming(_ address: DeviceAddress) -> Bool {
        state.withLock { $0.straps[address]?.link?.isSubscribed ?? false }
    }

    /// Sends a notification. Returns false if nobody has subscribed.
    @discardableResult
    func send(
        _ bytes: [UInt8], of uuid: BluetoothUUID = .heartRateMeasurement, from address: DeviceAddress
    ) -> Bool {
        state.withLock { $0.straps[address]?.link }?.send(bytes, of: uuid, at: time.now()) ?? false
    }

    func drop(_ address: DeviceAddress, _ loss: LinkLoss, staysInReach: Bool = false) {
        let link = state.withLock { state in
            state.straps[address]?.isInReach = staysInReach
            defer { state.straps[address]?.link = nil }
            return state.straps[address]?.link
        }
        link?.end(loss, at: time.now())
    }

    func returns(_ address: DeviceAddress) {
        state.withLock { $0.straps[address]?.isInReach = true }
        advertise(address)
    }

    private func advertise(_ address: DeviceAddress) {
        let (advertisement, scanners) = state.withLock { state in
            (Self.advertisement(address, state, time.now()), Array(state.scanners.values))
        }
        guard let advertisement else { return }
        for scanner in scanners { scanner.yield(advertisement) }
    }

    private static func advertisement(_ address: DeviceAddress, _ state: State, _ date: Date) -> Advertisement? {
        guard let strap = state.straps[address], strap.isInReach, strap.link == nil else { return nil }
        return Advertisement(
            address: address, name: strap.name, services: [.heartRateService], signalInDecibelMilliwatts: -60,
            date: date)
    }

    // MARK: Central

    func adapters() async throws(BluetoothError) -> [Adapter] {
        let (isRunning, adapters) = state.withLock { ($0.isRunning, $0.adapters) }
        guard isRunning else { throw .serviceStopped }
        return adapters
    }

    func advertisements(of services: Set<BluetoothUUID>) -> AsyncThrowingStream<Advertisement, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Advertisement.self)
        let id = UUID()
        continuation.onTermination = { _ in self.state.withLock { $0.scanners[id] = nil } }
        let heard = state.withLock { state in
            state.scanners[id] = continuation
            return state.straps.keys.compactMap { Self.advertisement($0, state, time.now()) }
        }
        for advertisement in heard { continuation.yield(advertisement) }
        return stream
    }

    func peripheral(_ address: DeviceAddress, kind: DeviceAddress.Kind?) -> any Peripheral {
        ScriptedPeripheral(address: address, central: self)
    }

    func forget(_ address: DeviceAddress) async throws(BluetoothError) {
        state.withLock {
            $0.forgotten.append(address)
            $0.straps[address]?.isPaired = false
        }
    }

    func close() async {}

    fileprivate func connect(_ address: DeviceAddress) throws(BluetoothError) -> ScriptedLink {
        try state.withLock { state throws(BluetoothError) in
            guard state.isRunning else { throw .serviceStopped }
            guard let adapter = state.adapters.first else { throw .noAdapter }
            guard adapter.power == .on else { throw adapter.power == .off ? .poweredOff : .blocked }
            guard let strap = state.straps[address], strap.isInReach else { throw .notFound(address) }
            guard strap.link == nil else { throw .busy(address) }
            let link = ScriptedLink(address, strap, self)
            state.straps[address]?.link = link
            state.straps[address]?.connects += 1
            return link
        }
    }

    fileprivate func pair(_ address: DeviceAddress) throws(BluetoothError) {
        try state.withLock { state throws(BluetoothError) in
            guard state.straps[address]?.isInReach == true else { throw .notFound(address) }
            state.straps[address]?.isPaired = true
            state.pairings += 1
        }
    }

    fileprivate func strap(_ address: DeviceAddress) -> Strap? { state.withLock { $0.straps[address] } }

    fileprivate func wrote(_ bytes: [UInt8], _ address: DeviceAddress) {
        state.withLock { $0.straps[address]?.writes.append(bytes) }
    }

    fileprivate func hungUp(_ link: ScriptedLink) {
        let own = state.withLock { state in
            guard state.straps[link.address]?.link === link else { return false }
            state.straps[link.address]?.link = nil
            return true
        }
        if own { advertise(link.address) }
    }
}

private struct ScriptedPeripheral: Peripheral {
    let address: DeviceAddress
    let central: ScriptedCentral

    func connect() async throws(BluetoothError) -> any PeripheralLink { try central.connect(address) }
    func pair(answering agent: any PairingAgent) async throws(BluetoothError) { try central.pair(address) }
}

final class ScriptedLink: PeripheralLink {
    let address: DeviceAddress
    let characteristics: [GATTCharacteristic]
    let events = LinkEventStream()
    private let subscribed = Mutex<Set<BluetoothUUID>>([])
    private let central: ScriptedCentral

    fileprivate init(_ address: DeviceAddress, _ strap: ScriptedCentral.Strap, _ central: ScriptedCentral) {
        self.address = address
        self.central = central
        var uuids = strap.measurements.map { ($0, true) } + strap.texts.keys.map { ($0.uuid, false) }
        if strap.battery != nil { uuids.append((.batteryLevel, true)) }
        if strap.answer != nil { uuids += [(.fitnessMachineControlPoint, true), (.fitnessMachineStatus, true)] }
        if strap.measurements.contains(.heartRateMeasurement) {
            uuids += [(.bodySensorLocation, false), (.heartRateControlPoint, false)]
        }
        characteristics = uuids.enumerated().map { place, uuid in
            GATTCharacteristic(
                uuid: uuid.0, service: .heartRateService, handle: UInt16(place + 1), notifies: uuid.1)
        }
    }

    var isSubscribed: Bool { subscribed.withLock { !$0.isDisjoint(with: BluetoothUUID.sensorMeasurements) } }

    func send(_ bytes: [UInt8], of uuid: BluetoothUUID, at date: Date) -> Bool {
        guard subscribed.withLock({ $0.contains(uuid) }), let characteristic = characteristic(uuid) else {
            return false
        }
        events.yield(.value(characteristic, bytes, date))
        return true
    }

    func end(_ loss: LinkLoss, at date: Date) {
        events.yield(.ended(loss, date))
    }

    func subscribe(to characteristic: GATTCharacteristic) async throws(BluetoothError) {
        guard let strap = central.strap(address) else { throw .linkLost(address, .unknown) }
        if strap.needsPairing, !strap.isPaired { throw .pairingRequired(address) }
        _ = subscribed.withLock { $0.insert(characteristic.uuid) }
    }

    func read(_ characteristic: GATTCharacteristic) async throws(BluetoothError) -> [UInt8] {
        guard let strap = central.strap(address) else { throw .linkLost(address, .unknown) }
        switch characteristic.uuid {
        case .batteryLevel: return [UInt8(strap.battery ?? 255)]
        case .bodySensorLocation: return [1]
        default:
            guard let field = characteristic.uuid.assigned.flatMap(DeviceInformation.Field.init),
                let text = strap.texts[field]
            else { throw .attribute(address, code: 2) }
            return Array(text.utf8)
        }
    }

    func write(_ bytes: [UInt8], to characteristic: GATTCharacteristic) async throws(BluetoothError) {
        central.wrote(bytes, address)
        if characteristic.uuid == .fitnessMachineControlPoint, let answer = central.strap(address)?.answer {
            _ = send(answer(bytes), of: .fitnessMachineControlPoint, at: central.time.now())
        }
    }

    func disconnect() async {
        end(.local, at: central.time.now())
        central.hungUp(self)
    }
}
