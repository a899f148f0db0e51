import DBus
import FakeBluetoothd
import Foundation
import PrivateBus
import Testing

@testable import Bluetooth
@testable import GATT

/// A fake bluetoothd and a central that talks to it, for one test.
@BusActor
final class BlueZScene {
    static let strap = "C0:DE:00:00:00:01"

    let fake: FakeBlueZ
    nonisolated let central: BlueZCentral
    nonisolated let address: DeviceAddress

    /// Waiting may take as long as a busy machine needs; pauses are short.
    nonisolated static var timings: BlueZTimings {
        var timings = BlueZTimings()
        for limit in [
            \BlueZTimings.bus, \.call, \.power, \.find, \.connect, \.resolve, \.objects, \.request, \.pair,
            \.disconnect,
        ] as [WritableKeyPath<BlueZTimings, Duration>] {
            timings[keyPath: limit] = .seconds(240)
        }
        timings.quickFailure = .seconds(240)
        timings.filterCrash = .seconds(240)
        timings.restart = .seconds(240)
        timings.retryPauses = [.milliseconds(1), .milliseconds(1), .milliseconds(1)]
        timings.scanRetryPauses = timings.retryPauses
        timings.requestRetryPause = .milliseconds(1)
        timings.reason = .milliseconds(1)
        return timings
    }

    init(
        adapter: DeviceAddress? = nil, traces: LinkTraces? = nil, _ adjust: (inout BlueZTimings) -> Void = { _ in }
    ) async throws {
        var timings = Self.timings
        adjust(&timings)
        fake = try await FakeBlueZ()
        central = BlueZCentral(busAddress: fake.bus.address, adapter: adapter, timings: timings, traces: traces)
        address = try #require(DeviceAddress(Self.strap))
    }

    var peripheral: any Peripheral { central.peripheral(address, kind: .random) }

    /// Connects and subscribes.
    func stream() async throws -> (link: any PeripheralLink, events: LinkEvents) {
        let link = try await peripheral.connect()
        let measurement = try #require(link.characteristic(.heartRateMeasurement))
        try await link.subscribe(to: measurement)
        return (link, LinkEvents(link.events))
    }

    /// Closes everything and checks that no call, scan, subscription or question remains.
    func end() async {
        if let control = central.daemon.mirror?.connection {
            let clock = ContinuousClock.now
            while control.callsInFlight > 0, clock.duration(to: .now) < FakeBlueZ.limit { await Task.yield() }
            #expect(control.callsInFlight == 0)
        }
        await central.close()
        #expect(central.daemon.mirror == nil)
        #expect(central.daemon.openLinks == 0)
        if fake.connection.isOpen {
            try? await fake.wait("sessions to end") { [fake] in
                fake.scans.isEmpty && fake.subscriptions.isEmpty && fake.agents.isEmpty
            }
            #expect(fake.scans.isEmpty && fake.subscriptions.isEmpty && fake.agents.isEmpty)
        }
        fake.close()
    }
}

/// Reads a link's events one by one.
@BusActor
final class LinkEvents {
    private var iterator: LinkEventStream.Iterator

    init(_ events: LinkEventStream) { iterator = events.makeAsyncIterator() }

    func next() async -> LinkEvent? {
        var copy = iterator
        defer { iterator = copy }
        return await copy.next(isolation: #isolation)
    }

    /// The next values, without other events.
    func values(_ count: Int) async -> [[UInt8]] {
        var values: [[UInt8]] = []
        while values.count < count, let event = await next() {
            if case .value(_, let bytes, _) = event { values.append(bytes) }
        }
        return values
    }

    /// Reads to the end. Returns the remaining values, and how the link ended.
    func rest() async -> (values: [[UInt8]], loss: LinkLoss?) {
        var values: [[UInt8]] = []
        var loss: LinkLoss?
        while let event = await next() {
            #expect(loss == nil)
            switch event {
            case .value(_, let bytes, _): values.append(bytes)
            case .ended(let reason, _): loss = reason
            case .battery, .described, .missed: break
            }
        }
        return (values, loss)
    }
}
