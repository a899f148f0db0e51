#if Bluetooth
public import GATT
import DBus

/// This machine as a sensor for others: a GATT server that is fed by a source.
///
///     let broadcast = Broadcast(BroadcastOffer(), name: "Strap")
///     async let ending: Void = broadcast.run { print($0) }
///     broadcast.take([.heartRate(72), .beats([830])])
///
/// Events are reported on a thread of the Bluetooth connection.
public final class Broadcast: Sendable {
    private let offer: BroadcastOffer
    private let name: String
    private let faults: BroadcastFaultPlan?
    private let adapter: DeviceAddress?
    private let busAddress: String
    private let spared: Set<DeviceAddress>
    private let timings: BlueZTimings
    private let readings = AsyncStream.makeStream(of: [BroadcastReading].self, bufferingPolicy: .bufferingNewest(1024))

    /// - Parameters:
    ///   - name: At most ``BroadcastError/longestName`` bytes.
    ///   - spared: Devices whose links are not ended by a fault, such as the source.
    ///   - adapter: Nil for one that is on and can be a peripheral.
    ///   - busAddress: Nil for the system bus.
    public init(
        _ offer: BroadcastOffer, name: String, faults: BroadcastFaultPlan? = nil,
        sparing spared: Set<DeviceAddress> = [],
        adapter: DeviceAddress? = nil, busAddress: String? = nil, timings: BlueZTimings = BlueZTimings()
    ) {
        self.offer = offer
        self.name = name
        self.faults = faults
        self.spared = spared
        self.adapter = adapter
        self.busAddress = busAddress ?? DBusAddress.system
        self.timings = timings
    }

    /// Takes readings of the source. Returns at once; can be called on any thread.
    public func take(_ readings: [BroadcastReading]) {
        if !readings.isEmpty { self.readings.continuation.yield(readings) }
    }

    /// Broadcasts until the task is cancelled. Can be called once.
    ///
    /// - Throws: If it can't begin, or the system bus is lost. What happens later is an event, and waited for.
    public func run(_ report: @escaping @Sendable (BroadcastEvent) -> Void) async throws(BroadcastError) {
        try await run(report, readings.stream)
    }

    @BusActor
    private func run(
        _ report: @escaping @Sendable (BroadcastEvent) -> Void, _ readings: AsyncStream<[BroadcastReading]>
    ) async throws(BroadcastError) {
        let server = BlueZServer(offer.services, name: name, adapter: adapter, busAddress: busAddress, timings: timings)
        let run = BroadcastRun(offer, faults, server, sparing: spared, report: report)
        do throws(BroadcastError) {
            try await server.open()
        } catch {
            await server.close()
            throw error
        }
        let feeding = Task(executorPreference: BusActor.tasks) { await run.feed(readings) }
        var isLost = false
        server.onLost = {
            isLost = true
            feeding.cancel()
        }
        run.begin()
        await withTaskCancellationHandler {
            await feeding.value
        } onCancel: {
            feeding.cancel()
        }
        run.end()
        await server.close()
        if isLost { throw .bluetooth(.unavailable("the system bus closed the connection")) }
    }
}
#endif
