public import Bluetooth
import Foundation
public import GATT
import Synchronization

/// The ANT+ sensors that one USB stick receives, as devices with the services of Bluetooth that measure the same.
///
/// ANT+ has no connections: a sensor broadcasts, and every receiver with a channel for its number gets its messages. So
/// connecting means opening a channel and receiving one message. Messages are translated when they arrive. Everything
/// after that is the same for both radios.
///
/// Its own thread reads the stick while it is in use. Otherwise the stick is free for other programs.
public final class ANTCentral: Central {
    /// How long the thread waits for bytes before it looks after time and requests.
    private static let turn = Duration.milliseconds(100)
    /// How long a stick may be gone after its device was reset.
    private static let returning = Duration.seconds(5)
    /// A scan reports a sensor again after this time.
    private static let reportInterval = Duration.milliseconds(500)

    private let source: any ANTStickSource
    private let now: @Sendable () -> Duration
    private let state = Mutex(State())

    private struct Scan {
        var services: Set<BluetoothUUID>
        var reader: AsyncThrowingStream<Advertisement, any Error>.Continuation
    }

    private struct State {
        var stick = ANTStickState()
        /// The tasks of the thread.
        var actions: [ANTStickState.Action] = []
        var links: [ANTDeviceID: ANTLink] = [:]
        var scans: [Int: Scan] = [:]
        var nextScan = 0
        var heard: [ANTDeviceID: Duration] = [:]
        var isRunning = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    package init(_ source: any ANTStickSource) {
        self.source = source
        let start = ContinuousClock.now
        now = { start.duration(to: .now) }
    }

    /// The stick counts as an adapter that is on.
    public func adapters() async throws(BluetoothError) -> [Adapter] {
        guard !source.found().isEmpty else { throw .stick(source.absence) }
        return [Adapter(name: "ANT+", address: DeviceAddress(value: 0), power: .on, isManagedByService: false)]
    }

    /// A channel searches by itself.
    public var findsWhileConnecting: Bool { true }

    /// The sequence ends if a sensor is connected, which needs the stick.
    public func advertisements(of services: Set<BluetoothUUID>) -> AsyncThrowingStream<Advertisement, any Error> {
        let (stream, reader) = AsyncThrowingStream.makeStream(of: Advertisement.self)
        let number: Int? = state.withLock { state in
            guard let actions = state.stick.scan(at: now()) else { return nil }
            state.actions += actions
            state.nextScan += 1
            state.scans[state.nextScan] = Scan(services: services, reader: reader)
            return state.nextScan
        }
        guard let number else {
            reader.finish(throwing: BluetoothError.stick(.busy))
            return stream
        }
        reader.onTermination = { [weak self] _ in self?.endScan(number) }
        start()
        return stream
    }

    private func endScan(_ number: Int) {
        state.withLock { state in
            guard state.scans.removeValue(forKey: number) != nil, state.scans.isEmpty else { return }
            state.actions += state.stick.endScan(at: now())
        }
    }

    public func peripheral(_ address: DeviceAddress, kind: DeviceAddress.Kind?) -> any Peripheral {
        ANTPeripheral(address: address, central: self)
    }

    /// Does nothing: ANT+ sensors keep nothing of who receives them.
    public func forget(_ address: DeviceAddress) async throws(BluetoothError) {}

    public func close() async {
        state.withLock { $0.actions += $0.stick.stop() }
        await withCheckedContinuation { closer in
            let isOver = state.withLock { state in
                guard state.isRunning else { return true }
                state.closers.append(closer)
                return false
            }
            if isOver { closer.resume() }
        }
    }
}

// MARK: - Channels

extension ANTCentral {
    /// Opens a channel, and returns when its sensor was received.
    fileprivate func connect(_ address: DeviceAddress) async throws(BluetoothError) -> any PeripheralLink {
        guard let device = address.ant else { throw .notFound(address) }
        let link = ANTLink(device) { [weak self] in self?.close($0) }
        let isFree = state.withLock { state in
            guard state.links[device] == nil else { return false }
            state.links[device] = link
            state.actions += state.stick.open(device, at: now())
            return true
        }
        guard isFree else { throw .busy(address) }
        start()
        if let fault = await link.heard() { throw fault }
        return link
    }

    private func close(_ link: ANTLink) {
        state.withLock { state in
            // A new link to the same sensor keeps its channel.
            guard state.links[link.device] === link else { return }
            state.links[link.device] = nil
            state.actions += state.stick.close(link.device, at: now())
        }
        link.end(.local, nil)
    }
}

// MARK: - The thread of the stick

extension ANTCentral {
    private func start() {
        let isNew = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isNew else { return }
        let thread = Thread { self.run() }
        thread.name = "ANT+ stick"
        thread.start()
    }

    private func run() {
        var stick: (any ANTStick)?
        var reader = ANTMessageReader()
        // After a reset, the stick is not there at once.
        var opensAt = now()
        var opensUntil = opensAt
        while true {
            guard isNeeded() else {
                // The stick is free before anybody else can open it.
                if let stick { release(stick) }
                stick = nil
                if ends() { break }
                continue
            }
            guard let opened = stick else {
                guard now() >= opensAt else {
                    Thread.sleep(forTimeInterval: Self.turn / .seconds(1))
                    continue
                }
                do throws(StickFault) {
                    stick = try source.open()
                    reader = ANTMessageReader()
                    state.withLock { $0.actions += $0.stick.restart(at: now()) }
                } catch {
                    if error == .absent, now() < opensUntil { opensAt = now() + Self.turn } else { fail(error) }
                }
                continue
            }
            do throws(StickFault) {
                let needsReset = try perform(on: opened)
                let bytes = needsReset ? [] : try opened.read(for: Self.turn)
                let messages = reader.read(bytes)
                state.withLock { state in
                    for message in messages { state.actions += state.stick.received(message, at: now()) }
                    state.actions += state.stick.timePassed(at: now())
                }
                guard needsReset else { continue }
                opened.reset()
                stick = nil
                let (pause, isDead) = state.withLock { ($0.stick.pauseBeforeReset, $0.stick.isDead) }
                if isDead { fail(.silent) }
                opensAt = now() + pause
                opensUntil = opensAt + Self.returning
            } catch {
                opened.close()
                stick = nil
                fail(error)
            }
        }
        for closer in state.withLock({ state in
            defer { state.closers = [] }
            return state.closers
        }) { closer.resume() }
    }

    /// Whether a sensor or a scan needs the stick. If not, performs the remaining actions, which do not use it.
    private func isNeeded() -> Bool {
        let left = state.withLock { state -> [ANTStickState.Action]? in
            if state.stick.isNeeded { return nil }
            defer { state.actions = [] }
            return state.actions
        }
        for action in left ?? [] { perform(action) }
        return left == nil
    }

    /// Open channels would continue to receive.
    private func release(_ stick: any ANTStick) {
        try? stick.write(ANTMessage(.resetSystem, [0]).bytes)
        stick.close()
    }

    /// Whether still nothing is wanted: then the thread ends, and the next request starts another one, with a stick of which nothing is known.
    private func ends() -> Bool {
        state.withLock { state in
            // Requests made meanwhile also start again.
            guard state.stick.isNeeded else {
                state.stick = ANTStickState()
                state.actions = []
                state.isRunning = false
                return true
            }
            return false
        }
    }

    /// - Returns: Whether the device should be reset.
    private func perform(on stick: any ANTStick) throws(StickFault) -> Bool {
        let actions = state.withLock { state in
            defer { state.actions = [] }
            return state.actions
        }
        var needsReset = false
        for action in actions {
            switch action {
            case .write(let message): try stick.write(message.bytes)
            case .resetDevice: needsReset = true
            case .received, .ended, .scanEnded: perform(action)
            }
        }
        return needsReset
    }

    /// What concerns sensors, not the stick.
    private func perform(_ action: ANTStickState.Action) {
        switch action {
        case .write, .resetDevice: break
        case .received(let device, let page): received(page, from: device)
        case .ended(let device, let reason):
            let link = state.withLock { $0.links.removeValue(forKey: device) }
            let address = DeviceAddress(device)
            switch reason {
            case .notHeard: link?.end(.timeout, .notFound(address))
            case .full: link?.end(.local, .stick(.full))
            case .stick: link?.end(.adapterGone, .stick(.silent))
            }
        case .scanEnded: finishScans(nil)
        }
    }

    private func received(_ page: [UInt8], from device: ANTDeviceID) {
        let now = now()
        let (link, scans) = state.withLock { state in
            let link = state.links[device]
            guard !state.scans.isEmpty, state.heard[device].map({ now - $0 >= Self.reportInterval }) ?? true else {
                return (link, [Scan]())
            }
            state.heard[device] = now
            return (link, Array(state.scans.values))
        }
        link?.received(page, at: now)
        for scan in scans where scan.services.isEmpty || !scan.services.isDisjoint(with: device.kind.services) {
            scan.reader.yield(
                Advertisement(
                    address: DeviceAddress(device), addressKind: .public, name: device.title,
                    services: device.kind.services, date: Date()))
        }
    }

    /// Ends everything: without a stick there is nothing to wait for. Its user tries again.
    private func fail(_ fault: StickFault) {
        let links = state.withLock { state in
            _ = state.stick.stop()
            state.actions = []
            defer { state.links = [:] }
            return Array(state.links.values)
        }
        for link in links { link.end(.adapterGone, .stick(fault)) }
        finishScans(.stick(fault))
    }

    private func finishScans(_ error: BluetoothError?) {
        let scans = state.withLock { state in
            defer { (state.scans, state.heard) = ([:], [:]) }
            return Array(state.scans.values)
        }
        for scan in scans { scan.reader.finish(throwing: error) }
    }
}

// MARK: - A sensor

private struct ANTPeripheral: Peripheral {
    let address: DeviceAddress
    let central: ANTCentral

    func connect() async throws(BluetoothError) -> any PeripheralLink { try await central.connect(address) }

    /// ANT+ has no pairing between devices.
    func pair(answering agent: any PairingAgent) async throws(BluetoothError) {}
}

/// The channel of one sensor, from its first message until its end.
private final class ANTLink: PeripheralLink {
    /// Generic Access, "Device Name".
    private static let deviceName = BluetoothUUID(0x2A00)

    let address: DeviceAddress
    let events = LinkEventStream()
    let device: ANTDeviceID
    private let hangUp: @Sendable (ANTLink) -> Void
    private let state: Mutex<State>

    private struct State {
        var decoder: ANTPageDecoder
        var isHeard = false
        var isOver = false
        var fault: BluetoothError?
        var listener: CheckedContinuation<BluetoothError?, Never>?
        /// The sensor's description, by the corresponding characteristics.
        var values: [BluetoothUUID: [UInt8]] = [:]
    }

    init(_ device: ANTDeviceID, hangUp: @escaping @Sendable (ANTLink) -> Void) {
        address = DeviceAddress(device)
        self.device = device
        self.hangUp = hangUp
        state = Mutex(State(decoder: ANTPageDecoder(device), values: [Self.deviceName: Array(device.title.utf8)]))
    }

    /// Waits for the first message.
    /// - Returns: The error, if none came.
    func heard() async -> BluetoothError? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { listener in
                let answer: BluetoothError?? = state.withLock { state in
                    if state.isHeard { return .some(nil) }
                    if state.isOver { return state.fault ?? .linkLost(address, .local) }
                    state.listener = listener
                    return nil
                }
                if let answer { listener.resume(returning: answer) }
            }
        } onCancel: {
            hangUp(self)
        }
    }

    func received(_ page: [UInt8], at now: Duration) {
        let date = Date()
        let (outputs, listener) = state.withLock { state in
            guard !state.isOver else {
                return ([ANTPageDecoder.Output](), nil as CheckedContinuation<BluetoothError?, Never>?)
            }
            let outputs = state.decoder.read(page, at: now)
            // The kind of a machine decides its characteristic.
            guard device.kind != .fitnessEquipment || state.decoder.machine != nil else { return ([], nil) }
            state.isHeard = true
            defer { state.listener = nil }
            return (outputs, state.listener)
        }
        listener?.resume(returning: nil)
        for output in outputs { pass(output, on: date) }
    }

    private func pass(_ output: ANTPageDecoder.Output, on date: Date) {
        switch output {
        case .measurement(let uuid, let bytes):
            guard let characteristic = characteristic(uuid) else { return }
            events.yield(.value(characteristic, bytes, date))
        case .battery(let percent):
            events.yield(.battery(percent, date))
        case .information(let field, let text):
            let isNew = state.withLock { state in
                defer { state.values[field.uuid] = Array(text.utf8) }
                return state.values[field.uuid] != Array(text.utf8)
            }
            if isNew { events.yield(.described(date)) }
        }
    }

    func end(_ loss: LinkLoss, _ fault: BluetoothError?) {
        let listener = state.withLock { state in
            defer { (state.listener, state.isOver) = (nil, true) }
            state.fault = state.fault ?? fault
            return state.listener
        }
        listener?.resume(returning: fault ?? .linkLost(address, loss))
        events.yield(.ended(loss, Date()))
    }

    // MARK: PeripheralLink

    var characteristics: [GATTCharacteristic] {
        let machine = state.withLock { $0.decoder.machine }
        let measurement: BluetoothUUID =
            switch device.kind {
            case .heartRate: .heartRateMeasurement
            case .power: .cyclingPowerMeasurement
            case .speed, .cadence, .speedAndCadence: .cyclingSpeedAndCadenceMeasurement
            case .strideSensor: .runningSpeedAndCadenceMeasurement
            case .fitnessEquipment: (machine ?? .indoorBike).characteristic
            }
        let service = device.kind.services.first ?? .heartRateService
        let described = [Self.deviceName] + DeviceInformation.Field.allCases.map(\.uuid)
        return [GATTCharacteristic(uuid: measurement, service: service, handle: 1, notifies: true)]
            + described.enumerated().map { place, uuid in
                GATTCharacteristic(
                    uuid: uuid, service: .deviceInformationService, handle: UInt16(place + 2), notifies: false)
            }
    }

    func subscribe(to characteristic: GATTCharacteristic) async throws(BluetoothError) {}

    /// What the sensor has sent so far. ``LinkEvent/described(_:)`` follows if there is more.
    func read(_ characteristic: GATTCharacteristic) async throws(BluetoothError) -> [UInt8] {
        let bytes = state.withLock { $0.values[characteristic.uuid] }
        guard let bytes else { throw .noCharacteristic(address, characteristic.uuid) }
        return bytes
    }

    /// There is no way back to an ANT+ sensor here.
    func write(_ bytes: [UInt8], to characteristic: GATTCharacteristic) async throws(BluetoothError) {
        throw .noCharacteristic(address, characteristic.uuid)
    }

    func disconnect() async { hangUp(self) }
}
