import Foundation
import Synchronization

/// A recorded capture as a radio: its devices are in reach, connect, notify and drop as they did.
///
/// The capture begins to play when the central is made, on a clock that is handed in, so that it may run at any speed.
/// Dates are the recorded ones.
public final class CaptureCentral<C: Clock>: Central where C.Duration == Duration {
    private let devices: [BluetoothAddress: CapturedDevice]
    private let order: [BluetoothAddress]
    private let clock: C
    private let start: C.Instant
    private let recordedStart: Date
    private let speed: Double
    private let isClosed = Mutex(false)

    /// - Parameters:
    ///   - events: In order of time.
    ///   - speed: How many times faster than it happened; above 0.
    public init(_ events: [CapturedEvent], clock: C, speed: Double = 1) {
        precondition(speed > 0, "a capture is played at a speed above 0, not \(speed)")
        (devices, order) = CapturedDevice.all(in: events)
        self.clock = clock
        self.speed = speed
        start = clock.now
        recordedStart = events.first?.date ?? Date(timeIntervalSinceReferenceDate: 0)
    }

    public func adapters() async throws(BluetoothError) -> [Adapter] {
        [Adapter(name: "capture", address: BluetoothAddress(value: 0), power: .on)]
    }

    /// Each device of the capture that will be connected to again, once. Ends when nobody reads it or with `close`.
    public func advertisements(of services: Set<BluetoothUUID>) -> AsyncThrowingStream<Advertisement, any Error> {
        let heard = order.compactMap { devices[$0] }.filter { device in
            (services.isEmpty || !services.isDisjoint(with: device.services))
                && device.spans.contains { instant(of: $0.end) > clock.now }
        }
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Advertisement.self)
        if isClosed.withLock(\.self) {
            continuation.finish(throwing: Self.closed)
            return stream
        }
        for device in heard {
            continuation.yield(
                Advertisement(
                    address: device.address, addressKind: device.kind, name: device.name, services: device.services,
                    date: device.spans.first?.start ?? recordedStart))
        }
        continuation.finish()
        return stream
    }

    public func peripheral(_ address: BluetoothAddress, kind: BluetoothAddress.Kind?) -> any Peripheral {
        CapturePeripheral(address: address, device: devices[address], central: self)
    }

    /// A capture has no bonds.
    public func forget(_ address: BluetoothAddress) async throws(BluetoothError) {}

    public func close() async { isClosed.withLock { $0 = true } }

    fileprivate static var closed: BluetoothError { .unavailable("the capture has been closed") }

    /// When a recorded date is to be played.
    fileprivate func instant(of date: Date) -> C.Instant {
        start.advanced(by: .seconds(date.timeIntervalSince(recordedStart) / speed))
    }

    /// Waits for the device's next link, as the kernel waits for a device that is out of reach.
    fileprivate func connect(
        to device: CapturedDevice?, _ address: BluetoothAddress
    ) async throws(BluetoothError)
        -> CaptureLink
    {
        if isClosed.withLock(\.self) { throw Self.closed }
        guard let device else { throw .notFound(address) }
        guard let span = device.spans.first(where: { instant(of: $0.end) > clock.now }) else {
            throw .connectionFailed(address, "the capture holds no further link to it")
        }
        do {
            try await clock.sleep(until: instant(of: span.start), tolerance: nil)
        } catch {
            throw .connectionFailed(address, "it was given up")
        }
        if isClosed.withLock(\.self) { throw Self.closed }
        let rest = span.events.drop { instant(of: $0.date) < clock.now }
        return CaptureLink(device, end: span.end, loss: span.loss) { [clock, self] link in
            for event in rest {
                guard (try? await clock.sleep(until: instant(of: event.date), tolerance: nil)) != nil else { return }
                link.take(event)
            }
            guard (try? await clock.sleep(until: instant(of: span.end), tolerance: nil)) != nil else { return }
            link.end(span.loss, span.end)
        }
    }
}

/// A device of a capture.
public struct CapturePeripheral<C: Clock>: Peripheral where C.Duration == Duration {
    public let address: BluetoothAddress
    let device: CapturedDevice?
    let central: CaptureCentral<C>

    public func connect() async throws(BluetoothError) -> any PeripheralLink {
        try await central.connect(to: device, address)
    }

    /// Nothing to be done: what the capture holds was allowed.
    public func pair(answering agent: any PairingAgent) async throws(BluetoothError) {
        if device == nil { throw .notFound(address) }
    }
}
