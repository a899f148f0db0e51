import Foundation
import Testing

@testable import Bluetooth
@testable import GATT

/// A strap in a test, and a way to control it, for one conformer of ``Central``.
///
/// Each function returns when the strap has done it; the effect at the other end may come later.
protocol PeripheralScript: Sendable {
    /// A new strap in range that measures the heart rate and is not connected.
    static func make() async throws -> Self

    var central: any Central { get }
    /// The address of the strap.
    var address: DeviceAddress { get }
    /// Whether scanning is possible. Captures, and sockets without privileges, have no scan.
    var scans: Bool { get }

    /// Sends a notification of 0x2A37 to all subscribers.
    func notify(_ bytes: [UInt8]) async
    /// The strap disconnects and is out of range.
    func drop() async
    /// It is in range again.
    func comeBack() async
    /// Removes the strap. Anything still open is recorded as an issue.
    func end() async
}

/// Rules that every conformer of ``Central``, ``Peripheral`` and ``PeripheralLink`` follows.
enum PeripheralContract {
    private static func connected<Script: PeripheralScript>(
        _ script: Script
    ) async throws -> (link: any PeripheralLink, measurement: GATTCharacteristic) {
        let link = try await script.central.peripheral(script.address, kind: .random).connect()
        #expect(link.address == script.address)
        let handles = link.characteristics.map(\.handle)
        #expect(handles == handles.sorted())
        let measurement = try #require(link.characteristic(.heartRateMeasurement))
        #expect(measurement.service == .heartRateService)
        #expect(measurement.notifies)
        return (link, measurement)
    }

    static func deliversValuesInOrder(_ kind: (some PeripheralScript).Type) async throws {
        let script = try await kind.make()
        let (link, measurement) = try await connected(script)
        try await link.subscribe(to: measurement)
        // Doing it twice has the same effect as once.
        try await link.subscribe(to: measurement)
        let sent: [[UInt8]] = [[0x00, 60], [0x00, 61], [0x00, 61], [], [0x10, 62, 0xD0, 0x03]]
        for bytes in sent { await script.notify(bytes) }
        var received: [[UInt8]] = []
        for await event in link.events {
            guard case .value(let characteristic, let bytes, let date) = event else { continue }
            #expect(characteristic == measurement)
            #expect(abs(date.timeIntervalSinceNow) < 60)
            received.append(bytes)
            if received.count == sent.count { break }
        }
        #expect(received == sent)
        await link.disconnect()
        await script.end()
    }

    static func endsOnceWhenTheStrapGoes(_ kind: (some PeripheralScript).Type) async throws {
        let script = try await kind.make()
        let (link, measurement) = try await connected(script)
        try await link.subscribe(to: measurement)
        await script.notify([0, 60])
        await script.drop()
        var events: [LinkEvent] = []
        for await event in link.events { events.append(event) }
        let ends = events.filter { if case .ended = $0 { true } else { false } }
        #expect(ends.count == 1)
        #expect(ends.last == events.last)
        #expect(events.contains { if case .value(_, [0, 60], _) = $0 { true } else { false } })
        // Later requests fail, and disconnecting is no error.
        let error = await #expect(throws: BluetoothError.self) { try await link.read(measurement) }
        guard case .linkLost(script.address, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await link.disconnect()
        await script.end()
    }

    static func endsLocallyWhenHungUp(_ kind: (some PeripheralScript).Type) async throws {
        let script = try await kind.make()
        let (link, measurement) = try await connected(script)
        try await link.subscribe(to: measurement)
        await link.disconnect()
        await link.disconnect()
        var last: LinkEvent?
        for await event in link.events { last = event }
        guard case .ended(.local, _) = last else {
            Issue.record("\(String(describing: last))")
            return
        }
        await script.end()
    }

    static func tellsALateReaderWhatItMissed(_ kind: (some PeripheralScript).Type) async throws {
        let script = try await kind.make()
        let (link, measurement) = try await connected(script)
        try await link.subscribe(to: measurement)
        for bytes in tooManyValues { await script.notify(bytes) }
        await script.drop()
        await expectLateReading(of: link, measurement)
        await script.end()
    }

    /// More values than a link keeps for a reader, all different.
    static let tooManyValues = (0..<LinkEventStream.capacity + 100).map { number -> [UInt8] in
        [1, UInt8(number & 0xFF), UInt8(number >> 8)]
    }

    /// The link gets ``tooManyValues`` and ends: the excess is reported, and the end arrives.
    static func expectLateReading(of link: any PeripheralLink, _ measurement: GATTCharacteristic) async {
        // Nobody reads until the link has ended.
        while true {
            do throws(BluetoothError) {
                _ = try await link.read(measurement)
            } catch {
                if case .linkLost = error { break }
            }
        }
        var missed = 0
        var events: [LinkEvent] = []
        for await event in link.events {
            if case .missed(let count, _) = event { missed += count }
            events.append(event)
        }
        let values = events.compactMap { if case .value(_, let bytes, _) = $0 { bytes } else { nil } }
        let isEndOfAll = values == tooManyValues.suffix(values.count)
        #expect(isEndOfAll, "\(values.count) values, the last is \(values.last ?? [])")
        // The missed values, the kept ones, and the end, which may come after reading has begun.
        #expect((LinkEventStream.capacity + 1...LinkEventStream.capacity + 2).contains(events.count))
        // One of the missed events may have been the battery's.
        let missing = tooManyValues.count - values.count
        #expect(missing > 0 && (missing...missing + 1).contains(missed))
        guard case .missed = events.first, case .ended = events.last else {
            Issue.record("\(String(describing: events.first)) … \(String(describing: events.last))")
            return
        }
    }

    static func comesBackOnANewLink(_ kind: (some PeripheralScript).Type) async throws {
        let script = try await kind.make()
        let (first, measurement) = try await connected(script)
        try await first.subscribe(to: measurement)
        await script.drop()
        for await _ in first.events {}
        await script.comeBack()
        let (second, again) = try await connected(script)
        try await second.subscribe(to: again)
        await script.notify([0, 77])
        var values: [[UInt8]] = []
        for await event in second.events {
            guard case .value(_, let bytes, _) = event else { continue }
            values.append(bytes)
            break
        }
        #expect(values == [[0, 77]])
        await second.disconnect()
        await script.end()
    }

    static func refusesWhatIsNotThere(_ kind: (some PeripheralScript).Type) async throws {
        let script = try await kind.make()
        let (link, _) = try await connected(script)
        let foreign = GATTCharacteristic(uuid: .init(0x2AFF), service: .init(0x18FF), handle: 999, notifies: true)
        await #expect(throws: BluetoothError.noCharacteristic(script.address, .init(0x2AFF))) {
            try await link.subscribe(to: foreign)
        }
        #expect(link.characteristic(.cyclingPowerMeasurement) == nil)
        await link.disconnect()
        await script.end()
    }

    static func isClosedForGood(_ kind: (some PeripheralScript).Type) async throws {
        let script = try await kind.make()
        let (link, measurement) = try await connected(script)
        try await link.subscribe(to: measurement)
        await script.central.close()
        var last: LinkEvent?
        for await event in link.events { last = event }
        guard case .ended = last else {
            Issue.record("\(String(describing: last))")
            return
        }
        await #expect(throws: BluetoothError.self) {
            try await script.central.peripheral(script.address, kind: nil).connect()
        }
        await script.end()
    }
}
