import ANT
import Bluetooth
import Foundation
import GATT
import Synchronization
import Testing

/// An ANT stick as seen by its thread. The simulated firmware below answers writes, and tests inject what sensors
/// send.
private final class FakeStick: ANTStick, Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var written: [ANTMessage] = []
        var isClosed = false
        /// The open channel. A stick delivers nothing else. A scan uses channel 0.
        var channel: UInt8?
        var fault: StickFault?
        var answers: @Sendable (ANTMessage) -> [ANTMessage]
    }

    private let state: Mutex<State>
    private let changed = DispatchSemaphore(value: 0)

    init(answers: @escaping @Sendable (ANTMessage) -> [ANTMessage] = FakeStick.healthy) {
        state = Mutex(State(answers: answers))
    }

    static let healthy: @Sendable (ANTMessage) -> [ANTMessage] = { message in
        switch message.id {
        case .resetSystem: [ANTMessage(.startup, [0x20])]
        case .request: [ANTMessage(.capabilities, [8, 3, 0, 0])]
        case .closeChannel:
            [ANTMessage(.response, [message.content[0], 0x4C, 0]), ANTMessage(.response, [message.content[0], 1, 7])]
        default: [ANTMessage(.response, [message.content[0], message.id.rawValue, 0])]
        }
    }

    var written: [ANTMessage] { state.withLock { $0.written } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func send(_ message: ANTMessage) {
        state.withLock { $0.waiting += message.bytes }
        changed.signal()
    }

    /// Delivers a sensor's pages if a channel is open and all earlier messages were read. A real sensor is slower
    /// than its reader; without this wait, the reader would never catch up on a busy machine.
    func hear(_ pages: [UInt8]...) {
        let isHeard = state.withLock { state in
            guard let channel = state.channel, state.waiting.isEmpty else { return false }
            state.waiting = pages.flatMap { ANTMessage(.broadcast, [channel] + $0).bytes }
            return true
        }
        if isHeard { changed.signal() }
    }

    /// Searches again because too many messages were missed. The channel number depends on how fast the last channel
    /// was closed.
    func loseSensor() {
        guard let channel = state.withLock({ $0.channel }) else { return }
        send(ANTMessage(.response, [channel, 1, 8]))
    }

    func unplug() {
        state.withLock { $0.fault = .absent }
        changed.signal()
    }

    func read(for time: Duration) throws(StickFault) -> [UInt8] {
        _ = changed.wait(timeout: .now() + .milliseconds(5))
        let (bytes, fault) = state.withLock { state in
            defer { state.waiting = [] }
            return (state.waiting, state.fault)
        }
        if let fault { throw fault }
        return bytes
    }

    func write(_ bytes: [UInt8]) throws(StickFault) {
        var reader = ANTMessageReader()
        for message in reader.read(bytes) {
            let answers = state.withLock { state in
                state.written.append(message)
                return state.answers(message)
            }
            for answer in answers { send(answer) }
            switch message.id {
            case .openChannel, .openScan: state.withLock { $0.channel = message.content[0] }
            case .closeChannel, .resetSystem: state.withLock { $0.channel = nil }
            default: break
            }
        }
    }

    func reset() { close() }
    func close() { state.withLock { $0.isClosed = true } }
}

private final class FakeSource: ANTStickSource, Sendable {
    private let stick: Mutex<Result<FakeStick, StickFault>>
    let opened = Mutex(0)

    init(_ stick: FakeStick) { self.stick = Mutex(.success(stick)) }
    init(_ fault: StickFault) { stick = Mutex(.failure(fault)) }

    func found() -> [FoundANTStick] {
        (try? stick.withLock { $0 }.get()) == nil ? [] : [FoundANTStick(name: "stick", file: "/dev/null", mayUse: true)]
    }

    func open() throws(StickFault) -> any ANTStick {
        opened.withLock { $0 += 1 }
        return try stick.withLock { $0 }.get()
    }
}

@Suite(.timeLimit(.minutes(10))) struct ANTCentralTests {
    private let strap = ANTDeviceID(.heartRate, number: 25170)

    private func page(_ beat: UInt8) -> [UInt8] {
        [4, 255, 0, 0, beat &* 4, 4, beat, 61, 0x80, 0x52, 0x62, 120, 1]
    }

    /// Sends until the message is received.
    private func sending(_ stick: FakeStick, _ page: [UInt8]) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                stick.hear(page)
                await Task.yield()
            }
        }
    }

    /// Connects while the strap sends.
    private func connected(_ central: ANTCentral, _ stick: FakeStick) async throws -> any PeripheralLink {
        let sender = sending(stick, page(1))
        defer { sender.cancel() }
        return try await central.peripheral(DeviceAddress(strap), kind: nil).connect()
    }

    @Test func `a connection delivers values in Bluetooth's format`() async throws {
        let stick = FakeStick()
        let central = ANTCentral(FakeSource(stick))
        let link = try await connected(central, stick)
        #expect(link.characteristics.filter(\.notifies).map(\.uuid) == [.heartRateMeasurement])
        var rates: [Int?] = []
        for await event in link.events {
            guard case .value(_, let bytes, _) = event else { break }
            rates.append(HeartRateMeasurement(bytes)?.heartRate)
            break
        }
        #expect(rates == [61])
        await link.disconnect()
        var last: LinkEvent?
        for await event in link.events { last = event }
        guard case .ended(.local, _)? = last else {
            Issue.record("\(String(describing: last))")
            return
        }
        await central.close()
        #expect(stick.isClosed)
        #expect(stick.written.last == ANTMessage(.resetSystem, [0]))
    }

    @Test func `a sensor out of range is not found`() async throws {
        let stick = FakeStick { message in
            // The search is over at once.
            guard message.id == .openChannel else { return FakeStick.healthy(message) }
            return FakeStick.healthy(message) + [ANTMessage(.response, [0, 1, 1]), ANTMessage(.response, [0, 1, 7])]
        }
        let central = ANTCentral(FakeSource(stick))
        await #expect(throws: BluetoothError.notFound(DeviceAddress(strap))) {
            _ = try await central.peripheral(DeviceAddress(strap), kind: nil).connect()
        }
        await central.close()
    }

    @Test(arguments: [StickFault.absent, .notPermitted, .busy, .unavailable("libusb")])
    func `connecting without a stick throws the reason`(fault: StickFault) async {
        let central = ANTCentral(FakeSource(fault))
        await #expect(throws: BluetoothError.stick(fault)) {
            _ = try await central.peripheral(DeviceAddress(strap), kind: nil).connect()
        }
        await #expect(throws: BluetoothError.stick(.absent)) { _ = try await central.adapters() }
        await central.close()
    }

    @Test func `unplugging a stick ends its links`() async throws {
        let stick = FakeStick()
        let central = ANTCentral(FakeSource(stick))
        let link = try await connected(central, stick)
        stick.unplug()
        var loss: LinkLoss?
        for await event in link.events { if case .ended(let why, _) = event { loss = why } }
        #expect(loss == .adapterGone)
        await central.close()
    }

    @Test func `a lost sensor is found again`() async throws {
        let stick = FakeStick()
        let central = ANTCentral(FakeSource(stick))
        let sender = sending(stick, page(1))
        for _ in 0..<3 {
            let link = try await central.peripheral(DeviceAddress(strap), kind: nil).connect()
            stick.loseSensor()
            var loss: LinkLoss?
            for await event in link.events { if case .ended(let why, _) = event { loss = why } }
            #expect(loss == .timeout)
        }
        sender.cancel()
        await central.close()
    }

    @Test func `cancelling a connection frees its channel`() async throws {
        let stick = FakeStick()
        let central = ANTCentral(FakeSource(stick))
        let address = DeviceAddress(strap)
        let connecting = Task { try await central.peripheral(address, kind: nil).connect() }
        while !stick.written.contains(where: { $0.id == .openChannel }) { await Task.yield() }
        await #expect(throws: BluetoothError.busy(address)) {
            _ = try await central.peripheral(address, kind: nil).connect()
        }
        connecting.cancel()
        await #expect(throws: BluetoothError.self) { _ = try await connecting.value }
        while !stick.isClosed { await Task.yield() }
        #expect(stick.written.contains { $0.id == .closeChannel })
    }

    @Test func `a scan reports sensors, and releases the stick when nobody listens`() async throws {
        let stick = FakeStick()
        let central = ANTCentral(FakeSource(stick))
        let sender = sending(stick, page(1))
        var found: Advertisement?
        for try await advertisement in central.advertisements(of: [.heartRateService]) {
            found = advertisement
            break
        }
        sender.cancel()
        #expect(found?.address == DeviceAddress(strap))
        #expect(found?.name == "ANT+ heart rate 25170")
        #expect(found?.services == [.heartRateService])
        while !stick.isClosed { await Task.yield() }
        await central.close()
    }

    @Test func `a session takes the stick over from a scan`() async throws {
        let stick = FakeStick()
        let central = ANTCentral(FakeSource(stick))
        let scan = central.advertisements(of: [])
        while !stick.written.contains(where: { $0.id == .openScan }) { await Task.yield() }
        let link = try await connected(central, stick)
        // The sequence ends without an error.
        for try await _ in scan {}
        await #expect(throws: BluetoothError.stick(.busy)) { for try await _ in central.advertisements(of: []) {} }
        await link.disconnect()
        await central.close()
    }

    @Test func `what a sensor reports about itself is announced`() async throws {
        let stick = FakeStick()
        let central = ANTCentral(FakeSource(stick))
        let link = try await connected(central, stick)
        #expect(await link.details().name == "ANT+ heart rate 25170")
        #expect(await link.details().information[.manufacturerName] == nil)
        // Pages count once a bit has been seen both ways.
        let told = Task {
            while !Task.isCancelled {
                stick.hear([0x82, 123, 1, 0, 4, 4, 1, 61, 0x80, 0x52, 0x62, 120, 1], page(1))
                await Task.yield()
            }
        }
        for await event in link.events { if case .described = event { break } }
        told.cancel()
        #expect(await link.details().information[.manufacturerName] == "Polar")
        let never = try #require(link.characteristic(DeviceInformation.Field.modelNumber.uuid))
        await #expect(throws: BluetoothError.noCharacteristic(link.address, never.uuid)) { try await link.read(never) }
        await link.disconnect()
        await central.close()
    }
}
