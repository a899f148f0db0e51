import Foundation
import Synchronization

/// A link of a capture, played again.
public final class CaptureLink: PeripheralLink {
    private struct State {
        var subscribed: Set<GATTCharacteristic> = []
        var ended: LinkLoss?
        var playing: Task<Void, Never>?
    }

    private let device: CapturedDevice
    private let state = Mutex(State())
    private let events_: AsyncStream<LinkEvent>.Continuation

    public let events: AsyncStream<LinkEvent>
    public var address: BluetoothAddress { device.address }
    public var characteristics: [GATTCharacteristic] { device.characteristics }

    /// - Parameter play: Gives out the events; ends early when its task is cancelled.
    init(
        _ device: CapturedDevice, end: Date, loss: LinkLoss, play: @escaping @Sendable (CaptureLink) async -> Void
    ) {
        self.device = device
        (events, events_) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(4096))
        // Ends with the span, or cancelled by `disconnect`.
        let playing = Task { await play(self) }
        state.withLock { $0.playing = playing }
    }

    public func subscribe(to characteristic: GATTCharacteristic) async throws(BluetoothError) {
        try check(characteristic)
        guard characteristic.notifies else {
            throw .attribute(address, code: ATTErrorCode.attributeNotFound)
        }
        _ = state.withLock { $0.subscribed.insert(characteristic) }
    }

    /// What the capture last shows to have been read.
    public func read(_ characteristic: GATTCharacteristic) async throws(BluetoothError) -> [UInt8] {
        try check(characteristic)
        guard let value = device.values[characteristic] else {
            throw .attribute(address, code: ATTErrorCode.attributeNotFound)
        }
        return value
    }

    /// Nobody is there to accept a write.
    public func write(_ bytes: [UInt8], to characteristic: GATTCharacteristic) async throws(BluetoothError) {
        try check(characteristic)
        throw .attribute(address, code: ATTErrorCode.requestNotSupported)
    }

    public func disconnect() async {
        let playing = state.withLock(\.playing)
        playing?.cancel()
        end(.local, Date())
        await playing?.value
    }

    private func check(_ characteristic: GATTCharacteristic) throws(BluetoothError) {
        if let loss = state.withLock(\.ended) { throw .linkLost(address, loss) }
        if !characteristics.contains(characteristic) { throw .noCharacteristic(address, characteristic.uuid) }
    }

    func take(_ event: CapturedEvent) {
        guard case .value(let characteristic, let bytes) = event.content,
            state.withLock({ $0.subscribed.contains(characteristic) && $0.ended == nil })
        else { return }
        events_.yield(.value(characteristic, bytes, event.date))
    }

    func end(_ loss: LinkLoss, _ date: Date) {
        let isFirst = state.withLock { state in
            defer { state.ended = state.ended ?? loss }
            return state.ended == nil
        }
        guard isFirst else { return }
        events_.yield(.ended(loss, date))
        events_.finish()
    }
}
