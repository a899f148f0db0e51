import Foundation
import Synchronization
import Testing

@testable import Bluetooth
@testable import GATT

@Suite(.timeLimit(.minutes(10))) struct ATTLinkTests {
    private let address = DeviceAddress(value: 0xC0DE_0000_0001)

    private func open(
        _ attributes: [GATTServerDouble.Attribute] = GATTServerDouble.strap
    ) async throws -> (GATTServerDouble, ATTLink) {
        let (server, client) = try GATTServerDouble.start(attributes)
        let link = try ATTLink(address, over: L2CAPSocket(descriptor: client), isConnected: true)
        try await link.opened()
        return (server, link)
    }

    @Test func `a link lists the device's services in the order of their handles`() async throws {
        let (_, link) = try await open()
        #expect(link.characteristics.map(\.uuid.assigned) == [0x2A00, 0x2A37, 0x2A38, 0x2A19, 0x2A29])
        #expect(link.characteristics.map(\.handle) == [3, 16, 20, 23, 32])
        #expect(link.characteristics.map(\.notifies) == [false, true, false, true, false])
        #expect(link.characteristic(.heartRateMeasurement)?.service == .heartRateService)
        await link.disconnect()
    }

    @Test func `values arrive in order, including those before the answer to the subscription`() async throws {
        let (server, link) = try await open()
        let heartRate = try #require(link.characteristic(.heartRateMeasurement))
        server.sendBeforeWriteResponse([[0x1B, 16, 0, 0x10, 60], [0x1B, 16, 0, 0x10, 61]])
        try await link.subscribe(to: heartRate)
        #expect(server.written == [ATTAttribute(handle: 18, value: [1, 0])])
        server.send([0x1B, 16, 0, 0x10, 62])
        // Truncated, with an unknown handle, or of an unknown kind.
        server.send([0x1B, 16])
        server.send([0x1B, 99, 0, 1])
        server.send([0xFF])
        server.send([0x23, 16, 0, 2, 0, 0x10, 63, 16, 0, 9, 0, 1])
        server.hangUp()
        var events: [LinkEvent] = []
        for await event in link.events { events.append(event) }
        let values = events.compactMap { event -> [UInt8]? in
            if case .value(heartRate, let bytes, _) = event { bytes } else { nil }
        }
        #expect(values == [[0x10, 60], [0x10, 61], [0x10, 62], [0x10, 63]])
        let last = try #require(events.last)
        guard case .ended(.remote, _) = last else {
            Issue.record("the last event is \(last)")
            return
        }
        #expect(events.count == 5)
    }

    @Test func `a slow reader learns what it missed, and receives the end`() async throws {
        let (server, link) = try await open()
        let heartRate = try #require(link.characteristic(.heartRateMeasurement))
        try await link.subscribe(to: heartRate)
        for bytes in PeripheralContract.tooManyValues { server.send([0x1B, 16, 0] + bytes) }
        server.hangUp()
        await PeripheralContract.expectLateReading(of: link, heartRate)
    }

    @Test func `an indication is confirmed`() async throws {
        let (server, link) = try await open()
        let battery = try #require(link.characteristic(.batteryLevel))
        try await link.subscribe(to: battery)
        #expect(server.written == [ATTAttribute(handle: 24, value: [2, 0])])
        server.send([0x1D, 23, 0, 88])
        for await event in link.events {
            guard case .value(battery, [88], _) = event else { continue }
            break
        }
        // A request after it shows that the confirmation was read.
        _ = try await link.read(battery)
        #expect(server.received == [[0x1E]])
        await link.disconnect()
    }

    @Test
    func `a device whose attributes changed is discovered again and resubscribed`()
        async throws
    {
        typealias Double = GATTServerDouble
        let changes =
            Double.service(1, 4, 0x1801) + [
                Double.characteristic(2, properties: 0x20, value: 3, 0x2A05),
                .init(handle: 3, type: .init(0x2A05), value: []), .init(handle: 4, type: .init(0x2902), value: [0, 0]),
            ]
        func heartRate(_ first: UInt16) -> [Double.Attribute] {
            Double.service(first, first + 3, 0x180D) + [
                Double.characteristic(first + 1, properties: 0x10, value: first + 2, 0x2A37),
                .init(handle: first + 2, type: .init(0x2A37), value: []),
                .init(handle: first + 3, type: .init(0x2902), value: [0, 0]),
            ]
        }
        let (strap, moved) = try await open(changes + heartRate(10))
        try await moved.subscribe(to: try #require(moved.characteristic(.heartRateMeasurement)))
        // A request after it shows that the subscription to changes has succeeded, too.
        _ = try? await moved.read(try #require(moved.characteristic(.heartRateMeasurement)))
        #expect(strap.written.map(\.handle) == [13, 4])
        #expect(strap.written.map(\.value) == [[1, 0], [2, 0]])
        strap.change(changes + heartRate(40))
        strap.send(ATTPDU.indication(3, [1, 0, 0xFF, 0xFF]).bytes)
        while strap.written.count < 3 { await Task.yield() }
        #expect(strap.written[2].handle == 43)
        strap.send(ATTPDU.notification(42, [0, 61]).bytes)
        for await event in moved.events {
            guard case .value(let characteristic, let bytes, _) = event else { continue }
            #expect(characteristic.uuid == .heartRateMeasurement && bytes == [0, 61])
            break
        }
        await moved.disconnect()
    }

    @Test(arguments: [true, false])
    func `a strap that pairs on its link is asked again until pairing succeeds`(agrees: Bool) async throws {
        let (server, client) = try GATTServerDouble.start()
        let asked = Mutex(0)
        let wasPaired = Mutex(false)
        let link = try ATTLink(
            address, over: L2CAPSocket(descriptor: client), isConnected: true,
            answering: { agrees ? Task { false } : nil },
            paired: { wasPaired.withLock { $0 = true } }, pairingWithin: .seconds(86_400),
            encrypt: { _ in
                asked.withLock { $0 += 1 }
                return true
            })
        try await link.opened()
        // The kernel starts to pair, and lets the second request through before it is done.
        server.refuse(18, 5, times: 3)
        let measurement = try #require(link.characteristic(.heartRateMeasurement))
        if agrees {
            try await link.subscribe(to: measurement)
            #expect(server.written == [ATTAttribute(handle: 18, value: [1, 0])])
        } else {
            await #expect(throws: BluetoothError.pairingRequired(address)) { try await link.subscribe(to: measurement) }
        }
        #expect(asked.withLock { $0 } == (agrees ? 1 : 0) && wasPaired.withLock { $0 } == agrees)
        await link.disconnect()
    }

    @Test func `a strap that refuses pairing is not asked again after the kernel's report`() async throws {
        let (server, client) = try GATTServerDouble.start()
        let link = try ATTLink(
            address, over: L2CAPSocket(descriptor: client), isConnected: true, answering: { Task { true } },
            pairingWithin: .seconds(86_400), encrypt: { _ in true })
        try await link.opened()
        server.refuse(18, 5, times: .max)
        let measurement = try #require(link.characteristic(.heartRateMeasurement))
        let error = await #expect(throws: BluetoothError.self) { try await link.subscribe(to: measurement) }
        guard case .pairingFailed(address, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await link.disconnect()
    }

    @Test func `a repeated subscription is sent to the device`() async throws {
        let (server, link) = try await open()
        let measurement = try #require(link.characteristic(.heartRateMeasurement))
        try await link.subscribe(to: measurement)
        try await link.subscribe(to: measurement)
        #expect(server.written.map(\.handle) == [18, 18, 18])
        #expect(server.written.map(\.value) == [[1, 0], [0, 0], [1, 0]])
        await link.disconnect()
    }

    @Test(arguments: [
        (LinkLoss.unknown, LinkLoss.authentication), (.adapterGone, .authentication), (.remote, .remote),
        (.timeout, .timeout), (.local, .local),
    ])
    func `a link that breaks during encryption means the key does not fit`(loss: LinkLoss, told: LinkLoss) {
        #expect(loss.whileEncrypting == told)
    }

    @Test func `a value longer than a message is read in parts`() async throws {
        let (_, link) = try await open()
        let name = try #require(link.characteristic(DeviceInformation.Field.manufacturerName.uuid))
        #expect(try await link.read(name) == (0..<60).map { 65 + $0 % 26 })
        await link.disconnect()
    }

    @Test func `simultaneous operations are done one by one`() async throws {
        let (_, link) = try await open()
        let location = try #require(link.characteristic(.bodySensorLocation))
        let read = await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { try? await link.read(location) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(read == [[UInt8]?](repeating: [1], count: 50))
        await link.disconnect()
    }

    @Test(arguments: [(5, true), (12, true), (15, true), (3, false), (0x80, false)] as [(UInt8, Bool)])
    func `a device's error is reported, with pairing as the remedy if it helps`(
        _ code: UInt8, _ asksForPairing: Bool
    ) async throws {
        let (server, link) = try await open()
        let heartRate = try #require(link.characteristic(.heartRateMeasurement))
        server.refuse(18, code)
        let expected: BluetoothError = asksForPairing ? .pairingRequired(address) : .attribute(address, code: code)
        await #expect(throws: expected) { try await link.subscribe(to: heartRate) }
        await link.disconnect()
    }

    @Test func `a characteristic that cannot be subscribed to is an error`() async throws {
        let (_, link) = try await open()
        let location = try #require(link.characteristic(.bodySensorLocation))
        await #expect(throws: BluetoothError.attribute(address, code: ATTErrorCode.attributeNotFound)) {
            try await link.subscribe(to: location)
        }
        var stranger = location
        stranger.handle = 99
        await #expect(throws: BluetoothError.noCharacteristic(address, location.uuid)) {
            _ = try await link.read(stranger)
        }
        await link.disconnect()
    }

    @Test func `disconnecting ends the events, and later operations fail`() async throws {
        let (_, link) = try await open()
        let location = try #require(link.characteristic(.bodySensorLocation))
        await link.disconnect()
        await link.disconnect()
        var events: [LinkEvent] = []
        for await event in link.events { events.append(event) }
        #expect(events.count == 1)
        await #expect(throws: BluetoothError.linkLost(address, .local)) { _ = try await link.read(location) }
    }

    @Test func `a device that hangs up before discovery ends was never connected`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        let link = try ATTLink(address, over: L2CAPSocket(descriptor: ends[0]), isConnected: true)
        close(ends[1])
        await #expect {
            try await link.opened()
        } throws: {
            if case BluetoothError.connectionFailed = $0 { true } else { false }
        }
    }

    @Test func `a cancelled attempt ends`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        let link = try ATTLink(address, over: L2CAPSocket(descriptor: ends[0]), isConnected: true)
        let attempt = Task { try await link.opened() }
        attempt.cancel()
        // Cancelled, or, on a machine that is busy for half a minute, no answer had arrived.
        await #expect(throws: BluetoothError.self) { try await attempt.value }
    }

    @Test func `a cancelled operation returns, and the link continues`() async throws {
        let (_, link) = try await open()
        let location = try #require(link.characteristic(.bodySensorLocation))
        let reading = Task { try await link.read(location) }
        reading.cancel()
        // It may or may not have been done by then, but it does end.
        _ = await reading.result
        #expect(try await link.read(location) == [1])
        await link.disconnect()
    }

    /// The system waits for the end of a task's cancellation before it resumes the task.
    @Test func `operations that are cancelled while the answer arrives return`() async throws {
        let (_, link) = try await open()
        let location = try #require(link.characteristic(.bodySensorLocation))
        for turn in 0..<2000 {
            let reading = Task { try await link.read(location) }
            for _ in 0..<turn % 7 { await Task.yield() }
            reading.cancel()
            _ = await reading.result
        }
        #expect(try await link.read(location) == [1])
        await link.disconnect()
    }
}
