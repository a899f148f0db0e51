import Bluetooth
import Foundation
import Synchronization
import Testing

/// A clock on which waiting costs nothing: it jumps to where somebody waits for, but not past its limit before that is
/// raised.
final class JumpingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var limit: Instant
        var waiting: [(deadline: Instant, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>
    var now: Instant { state.withLock(\.now) }
    let minimumResolution = Duration.nanoseconds(1)

    init(limit: Duration = .seconds(1_000_000)) { state = Mutex(State(limit: Instant(offset: limit))) }

    func raise(to limit: Duration) {
        let due = state.withLock { state in
            state.limit = Instant(offset: limit)
            let due = state.waiting.filter { $0.deadline <= state.limit }
            state.waiting.removeAll { $0.deadline <= state.limit }
            for sleeper in due { state.now = max(state.now, sleeper.deadline) }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard deadline <= state.limit else {
                    state.waiting.append((deadline, continuation))
                    return false
                }
                state.now = max(state.now, deadline)
                return true
            }
            if isOver { continuation.resume() }
        }
    }
}

struct CaptureCentralTests {
    private static let strap = BluetoothAddress(value: 0xC0DE_0000_0001)
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)
    private static let heartRate = GATTCharacteristic(
        uuid: .heartRateMeasurement, service: .heartRateService, handle: 16, notifies: true)
    private static let maker = GATTCharacteristic(
        uuid: DeviceInformation.Field.manufacturerName.uuid, service: .deviceInformationService, handle: 30,
        notifies: false)

    private static func at(_ seconds: Double, _ content: CapturedEvent.Content) -> CapturedEvent {
        CapturedEvent(start.addingTimeInterval(seconds), strap, content)
    }

    private static let events: [CapturedEvent] =
        [
            at(0, .connected(.random)), at(0, .name("H10")), at(1, .read(maker, Array("Polar".utf8))),
            at(2, .value(heartRate, [0, 60])), at(3, .value(heartRate, [0, 61])), at(4, .ended(.timeout)),
            at(30, .connected(.random)), at(31, .value(heartRate, [0, 70])), at(32, .ended(.remote)),
        ]

    private func values(_ link: any PeripheralLink) async -> (values: [UInt8], dates: [Double], loss: LinkLoss?) {
        var result: (values: [UInt8], dates: [Double], loss: LinkLoss?) = ([], [], nil)
        for await event in link.events {
            switch event {
            case .value(_, let bytes, let date):
                result.values.append(bytes[1])
                result.dates.append(date.timeIntervalSince(Self.start))
            case .ended(let loss, _): result.loss = loss
            case .battery: break
            }
        }
        return result
    }

    @Test func `the devices of a capture are in reach while they will be connected to`() async throws {
        let central = CaptureCentral(Self.events, clock: JumpingClock())
        var heard: [Advertisement] = []
        for try await advertisement in central.advertisements(of: [.heartRateService]) { heard.append(advertisement) }
        #expect(heard.map(\.address) == [Self.strap])
        #expect(heard.map(\.name) == ["H10"])
        for try await _ in central.advertisements(of: [.cyclingPowerService]) { Issue.record("it is no power meter") }
    }

    @Test func `each link of the capture is a link, with its values and its end`() async throws {
        let clock = JumpingClock(limit: .zero)
        let central = CaptureCentral(Self.events, clock: clock, speed: 2)
        let peripheral = central.peripheral(Self.strap, kind: nil)

        let first = try await peripheral.connect()
        #expect(first.characteristics == [Self.heartRate, Self.maker])
        #expect(try await first.read(Self.maker) == Array("Polar".utf8))
        try await first.subscribe(to: Self.heartRate)
        clock.raise(to: .seconds(15))
        let one = await values(first)
        #expect(one.values == [60, 61])
        #expect(one.dates == [2, 3])
        #expect(one.loss == .timeout)

        let second = try await peripheral.connect()
        try await second.subscribe(to: Self.heartRate)
        clock.raise(to: .seconds(16))
        let two = await values(second)
        #expect(two.values == [70])
        #expect(two.loss == .remote)

        await #expect(throws: BluetoothError.self) { _ = try await peripheral.connect() }
    }

    @Test func `without a subscription nothing comes but the end`() async throws {
        let central = CaptureCentral(Self.events, clock: JumpingClock())
        let link = try await central.peripheral(Self.strap, kind: nil).connect()
        let all = await values(link)
        #expect(all.values == [])
        #expect(all.loss == .timeout)
        await #expect(throws: BluetoothError.linkLost(Self.strap, .timeout)) {
            try await link.subscribe(to: Self.heartRate)
        }
    }

    @Test func `hanging up ends the link, and the capture goes on`() async throws {
        let central = CaptureCentral(Self.events, clock: JumpingClock())
        let link = try await central.peripheral(Self.strap, kind: nil).connect()
        await link.disconnect()
        let loss = await values(link).loss
        #expect(loss == .local || loss == .timeout)
    }

    @Test func `a stranger is not found, and a closed capture refuses`() async throws {
        let central = CaptureCentral(Self.events, clock: JumpingClock())
        let stranger = BluetoothAddress(value: 9)
        await #expect(throws: BluetoothError.notFound(stranger)) {
            _ = try await central.peripheral(stranger, kind: nil).connect()
        }
        await central.close()
        await #expect(throws: BluetoothError.self) {
            _ = try await central.peripheral(Self.strap, kind: nil).connect()
        }
        await #expect(throws: BluetoothError.self) { for try await _ in central.advertisements(of: []) {} }
    }
}
