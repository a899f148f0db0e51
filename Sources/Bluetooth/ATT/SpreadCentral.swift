public import GATT
import Synchronization

/// Several adapters as one central, for more sensors than one adapter holds.
///
/// How many links an adapter holds depends on its controller, and nothing gives the number in advance. So each link is opened by the adapter
/// that has the fewest, and by another one as soon as that one refuses. An adapter that has refused is asked last for a minute.
public final class SpreadCentral: Central {
    private let members: [any Central]
    private let state: Mutex<State>
    private let now: @Sendable () -> ContinuousClock.Instant

    /// For how long an adapter counts as full, unless one of its links ends.
    static let fullFor = Duration.seconds(60)
    /// For how long an adapter that received a device is asked first.
    static let heardFor = Duration.seconds(30)

    private struct State: Sendable {
        var links: [Int]
        var fullUntil: [Int: ContinuousClock.Instant] = [:]
        /// Which adapters received a device, and when.
        var heard: [DeviceAddress: [Int: ContinuousClock.Instant]] = [:]
        /// The adapter that failed to connect to a device last.
        var failed: [DeviceAddress: Int] = [:]
    }

    /// - Parameter members: One central for each adapter.
    public init(_ members: [any Central], now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.members = members
        self.now = now
        state = Mutex(State(links: [Int](repeating: 0, count: members.count)))
    }

    /// How many links each adapter has.
    public var links: [Int] { state.withLock { $0.links } }

    public func adapters() async throws(BluetoothError) -> [Adapter] {
        guard let first = members.first else { return [] }
        return try await first.adapters()
    }

    public func switchOn() async throws(BluetoothError) {
        for member in members { try await member.switchOn() }
    }

    public func releaseLeftovers() async throws(BluetoothError) {
        for member in members { try await member.releaseLeftovers() }
    }

    public func advertisements(of services: Set<BluetoothUUID>) -> AsyncThrowingStream<Advertisement, any Error> {
        let (stream, continuation) = AsyncThrowingStream<Advertisement, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(256))
        let task = Task { [weak self, members] in
            await members.mergedAdvertisements(of: services, to: continuation) { [weak self] advertisement, member in
                self?.heard(advertisement.address, by: member)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    public func peripheral(_ address: DeviceAddress, kind: DeviceAddress.Kind?) -> any Peripheral {
        Device(address: address, kind: kind, central: self)
    }

    public func forget(_ address: DeviceAddress) async throws(BluetoothError) {
        for member in members { try await member.forget(address) }
    }

    public func close() async {
        for member in members { await member.close() }
    }

    // MARK: Which adapter

    private func heard(_ address: DeviceAddress, by member: Int) {
        let now = now()
        state.withLock { $0.heard[address, default: [:]][member] = now }
    }

    /// The adapters in the order in which to try them.
    private func order(for address: DeviceAddress) -> [Int] {
        let now = now()
        return state.withLock { state in
            let heard = state.heard[address] ?? [:]
            func rank(_ member: Int) -> (Int, Int, Int, Int, Int) {
                (
                    state.fullUntil[member].map { $0 > now } == true ? 1 : 0,
                    state.failed[address] == member ? 1 : 0,
                    heard[member].map { now - $0 < Self.heardFor } == true ? 0 : 1,
                    state.links[member], member
                )
            }
            return members.indices.sorted { rank($0) < rank($1) }
        }
    }

    /// Connects through one adapter after the other until one does not refuse because it is full.
    fileprivate func connect(
        _ address: DeviceAddress, _ kind: DeviceAddress.Kind?,
        _ open: (any Peripheral) async throws(BluetoothError) -> any PeripheralLink
    ) async throws(BluetoothError) -> any PeripheralLink {
        var failure = BluetoothError.noAdapter
        for member in order(for: address) {
            do {
                let link = try await open(members[member].peripheral(address, kind: kind))
                state.withLock { state in
                    state.links[member] += 1
                    state.failed[address] = nil
                }
                return SpreadLink(link) { [weak self] in self?.ended(member) }
            } catch {
                failure = error
                let until = now() + Self.fullFor
                state.withLock { $0.failed[address] = member }
                guard case .adapterFull = error else { throw error }
                state.withLock { $0.fullUntil[member] = until }
            }
        }
        throw failure
    }

    private func ended(_ member: Int) {
        state.withLock { state in
            state.links[member] -= 1
            state.fullUntil[member] = nil
        }
    }

    private struct Device: Peripheral {
        let address: DeviceAddress
        let kind: DeviceAddress.Kind?
        let central: SpreadCentral

        func connect() async throws(BluetoothError) -> any PeripheralLink {
            try await central.connect(address, kind) { device throws(BluetoothError) in try await device.connect() }
        }

        func connect(answering agent: any PairingAgent) async throws(BluetoothError) -> any PeripheralLink {
            try await central.connect(address, kind) { device throws(BluetoothError) in
                try await device.connect(answering: agent)
            }
        }

        /// Bonds belong to one adapter: the one that would connect.
        func pair(answering agent: any PairingAgent) async throws(BluetoothError) {
            guard let member = central.order(for: address).first else { throw .noAdapter }
            try await central.members[member].peripheral(address, kind: kind).pair(answering: agent)
        }
    }
}

/// A link that is counted until nobody uses it any more.
private final class SpreadLink: PeripheralLink {
    private let link: any PeripheralLink
    private let ended: @Sendable () -> Void

    init(_ link: any PeripheralLink, ended: @escaping @Sendable () -> Void) {
        self.link = link
        self.ended = ended
    }

    deinit { ended() }

    var address: DeviceAddress { link.address }
    var characteristics: [GATTCharacteristic] { link.characteristics }
    var events: LinkEventStream { link.events }

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

extension Central {
    public func spread() async -> any Central {
        #if Bluetooth
        let usable = ((try? await adapters()) ?? []).filter {
            $0.power == .on && $0.supportsCentral && $0.isManagedByService
        }
        guard usable.count > 1 else { return self }
        return SpreadCentral(usable.map { BlueZCentral(adapter: $0.address) })
        #else
        return self
        #endif
    }
}
