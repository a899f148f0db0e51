import Testing

@testable import Brokers

@Suite struct MQTTOutboxTests {
    @Test func `nothing is sent before the connection, and then the latest value of each topic in order`() {
        var outbox = MQTTOutbox()
        outbox.put(MQTTMessage("a", "1"))
        outbox.put(MQTTMessage("b", "1"))
        outbox.put(MQTTMessage("a", "2"))
        #expect(outbox.next() == nil && !outbox.isDelivered)
        outbox.connected()
        #expect(outbox.next() == MQTTMessage("a", "2"))
        #expect(outbox.next() == MQTTMessage("b", "1"))
        #expect(outbox.next() == nil && !outbox.isDelivered)
        outbox.confirmed()
        outbox.confirmed()
        #expect(outbox.isDelivered)
    }

    @Test func `a broker that returns gets everything again`() {
        var outbox = MQTTOutbox()
        outbox.connected()
        outbox.put(MQTTMessage("a", "1"))
        #expect(outbox.next() != nil)
        outbox.disconnected()
        outbox.put(MQTTMessage("b", "1"))
        #expect(outbox.next() == nil)
        outbox.connected()
        #expect([outbox.next(), outbox.next()] == [MQTTMessage("a", "1"), MQTTMessage("b", "1")])
    }

    @Test func `a broker that confirms nothing gets a window of messages, and nothing piles up`() {
        var outbox = MQTTOutbox()
        outbox.connected()
        var sent = 0
        for round in 0..<1_000 {
            outbox.put(MQTTMessage("topic \(round % 5)", "\(round)"))
            while outbox.next() != nil { sent += 1 }
        }
        #expect(sent == MQTTOutbox.window && outbox.unconfirmed == sent)
        for _ in 0..<sent { outbox.confirmed() }
        #expect((0..<10).compactMap { _ in outbox.next()?.payload } == ["995", "996", "997", "998", "999"])
        outbox.confirmed()
    }

    @Test func `a new value of a topic that was sent is sent too`() {
        var outbox = MQTTOutbox()
        outbox.connected()
        outbox.put(MQTTMessage("a", "1"))
        _ = outbox.next()
        outbox.put(MQTTMessage("a", "2"))
        #expect(outbox.next() == MQTTMessage("a", "2"))
    }

    @Test func `attempts are spaced out up to half a minute, and a connection resets the delay`() {
        var delays = BackoffDelays()
        #expect((0..<7).map { _ in delays.next() } == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        delays.connected()
        #expect(delays.next() == .seconds(1))
    }
}
