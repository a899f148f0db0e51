import Foundation
import Testing

@testable import Bluetooth
@testable import GATT

@Suite(.timeLimit(.minutes(10))) struct LinkEventStreamTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
    private static let characteristic = GATTCharacteristic(
        uuid: .heartRateMeasurement, service: .heartRateService, handle: 12, notifies: true)

    private static func value(_ number: Int) -> LinkEvent {
        .value(characteristic, [UInt8(number & 0xFF), UInt8(number >> 8)], start + Double(number))
    }

    private static func all(_ stream: LinkEventStream) async -> [LinkEvent] {
        var events: [LinkEvent] = []
        for await event in stream { events.append(event) }
        return events
    }

    @Test func `a reader that keeps up within the capacity misses nothing`() async {
        let stream = LinkEventStream()
        let values = (0..<LinkEventStream.capacity - 1).map(Self.value)
        for value in values { stream.yield(value) }
        stream.yield(.ended(.remote, Self.start))
        #expect(await Self.all(stream) == values + [.ended(.remote, Self.start)])
    }

    @Test func `a slower reader learns where values are missing and how many, and always receives the end`() async {
        let stream = LinkEventStream()
        let count = LinkEventStream.capacity + 1000
        for number in 0..<count { stream.yield(Self.value(number)) }
        stream.yield(.ended(.timeout, Self.start))
        let events = await Self.all(stream)
        #expect(events.first == .missed(1001, Self.start))
        #expect(events.dropFirst().dropLast() == (1001..<count).map(Self.value)[...])
        #expect(events.last == .ended(.timeout, Self.start))
    }

    @Test func `each gap is reported with its own date`() async {
        let stream = LinkEventStream()
        let reader = stream.makeAsyncIterator()
        func next() async -> LinkEvent? {
            var reader = reader
            return await reader.next()
        }
        let capacity = LinkEventStream.capacity
        for number in 0..<capacity + 2 { stream.yield(Self.value(number)) }
        #expect(await next() == .missed(2, Self.start))
        #expect(await next() == Self.value(2))
        for number in capacity + 2..<capacity + 6 { stream.yield(Self.value(number)) }
        #expect(await next() == .missed(3, Self.start + 3))
        #expect(await next() == Self.value(6))
    }

    @Test func `nothing follows the end`() async {
        let stream = LinkEventStream()
        stream.yield(.ended(.local, Self.start))
        stream.yield(Self.value(1))
        stream.yield(.ended(.timeout, Self.start))
        #expect(await Self.all(stream) == [.ended(.local, Self.start)])
        #expect(await Self.all(stream).isEmpty)
    }

    @Test func `a waiting reader receives events, and ends when cancelled`() async {
        let stream = LinkEventStream()
        let task = Task { await Self.all(stream) }
        stream.yield(Self.value(1))
        task.cancel()
        _ = await task.value
        // Another reader may continue.
        stream.yield(Self.value(2))
        stream.yield(.ended(.local, Self.start))
        #expect(await Self.all(stream).suffix(2) == [Self.value(2), .ended(.local, Self.start)])
    }

    @Test(.timeLimit(.minutes(10))) func `a reader that is cancelled while another one takes its place returns`() async
    {
        let stream = LinkEventStream()
        for _ in 0..<2000 {
            func read() -> Task<LinkEvent?, Never> {
                Task {
                    var events = stream.makeAsyncIterator()
                    return await events.next()
                }
            }
            let first = read()
            let second = read()
            async let canceled: Void = first.cancel()
            await canceled
            second.cancel()
            #expect(await first.value == nil)
            #expect(await second.value == nil)
        }
    }
}
