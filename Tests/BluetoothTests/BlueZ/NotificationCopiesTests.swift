import Foundation
import GATT
import Testing

@testable import Bluetooth

/// A bluetoothd with several subscribers that sends each notification once for each of them.
private struct Daemon {
    var copies: NotificationCopies
    /// Other programs that have subscribed.
    var others: Int
    var out: [UInt8] = []
    private var isProbing = false
    private var requests: [NotificationCopies.Request] = []
    private var now = Date(timeIntervalSince1970: 0)

    init(others: Int) {
        self.others = others
        copies = NotificationCopies(isShared: others > 0, within: .milliseconds(400))
        copies.began()
    }

    /// The sensor sends these notifications at once, a second after the last ones; then the changes follow.
    mutating func send(_ values: UInt8...) {
        now += 1
        for value in values {
            for _ in 0..<(1 + others + (isProbing ? 1 : 0)) {
                now += 0.1
                take(copies.add([value], now))
            }
        }
        while !requests.isEmpty {
            switch requests.removeFirst() {
            case .ask: take(copies.answered())
            case .probe(let number):
                isProbing = true
                copies.probeBegan(number)
            case .endProbe(let number):
                isProbing = false
                copies.probeEnded(number)
            }
        }
    }

    mutating func take(_ outcome: NotificationCopies.Outcome) {
        out += outcome.values.map { $0.bytes[0] }
        requests += outcome.requests
    }

    mutating func end() -> [UInt8] {
        out + copies.end().map { $0.bytes[0] }
    }
}

struct NotificationCopiesTests {
    @Test(arguments: 0...4)
    func `each notification counts once, however many programs subscribe`(others: Int) {
        var daemon = Daemon(others: others)
        for value in [60, 60, 61, 62, 62, 62, 63] as [UInt8] { daemon.send(value) }
        #expect(daemon.end() == [60, 60, 61, 62, 62, 62, 63])
    }

    @Test(arguments: 0...3, 0...3)
    func `subscribers that come and go change nothing`(before: Int, after: Int) {
        var daemon = Daemon(others: before)
        for value in [60, 61, 61] as [UInt8] { daemon.send(value) }
        daemon.others = after
        for value in [61, 62, 63, 63, 64] as [UInt8] { daemon.send(value) }
        daemon.others = before
        for value in [64, 65, 65, 66] as [UInt8] { daemon.send(value) }
        #expect(daemon.end() == [60, 61, 61, 61, 62, 63, 63, 64, 64, 65, 65, 66])
    }

    @Test(arguments: 1...3)
    func `equal values sent at once all count, even if other programs listen`(count: Int) {
        var daemon = Daemon(others: 0)
        daemon.send(50)
        for _ in 0..<5 {
            switch count {
            case 1: daemon.send(60)
            case 2: daemon.send(60, 60)
            default: daemon.send(60, 60, 60)
            }
        }
        #expect(daemon.end() == [50] + Array(repeating: 60, count: 5 * count))
    }

    @Test func `a sensor that sends equal values at once is distinguished from a second subscriber`() {
        var daemon = Daemon(others: 0)
        for _ in 0..<4 { daemon.send(60, 60) }
        daemon.others = 1
        for _ in 0..<4 { daemon.send(61, 61) }
        #expect(daemon.end() == Array(repeating: 60, count: 8) + Array(repeating: 61, count: 8))
    }

    @Test func `a burst after a slow link is separated in order`() {
        var daemon = Daemon(others: 1)
        daemon.send(60)
        daemon.send(61, 62, 62, 63)
        daemon.send(64)
        #expect(daemon.end() == [60, 61, 62, 62, 63, 64])
    }

    @Test
    func `values during a second subscription's end are separated, even on a slow machine`() {
        var copies = NotificationCopies(isShared: true, within: .milliseconds(400))
        copies.began()
        let date = Date(timeIntervalSince1970: 0)
        func told(_ byte: UInt8, _ count: Int) -> Int {
            let first = (0..<count).map { _ in copies.add([byte], date).values.count }.reduce(0, +)
            return first + copies.answered().values.count
        }
        #expect(told(1, 2) == 1)
        // Two at once: measured by an additional subscription.
        #expect(told(2, 4) == 1)
        copies.probeBegan(1)
        #expect(told(3, 3) == 2)
        // One with it, the next without it, and no answer between them; and the same with three.
        #expect(told(4, 5) == 2)
        #expect(told(5, 7) == 3)
        copies.probeEnded(1)
        #expect(told(6, 2) == 1)
    }

    @Test func `notifications before our own subscription do not count as a measure`() {
        var copies = NotificationCopies(isShared: true, within: .milliseconds(400))
        let date = Date(timeIntervalSince1970: 0)
        #expect(copies.add([1], date).values.count == 1)
        #expect(copies.answered() == .init())
        copies.began()
        #expect(copies.add([2], date).values.count == 1)
        _ = copies.add([2], date)
        #expect(copies.answered() == .init())
        #expect(copies.add([2], date).values.count == 1)
    }

    @Test func `values that need not wait are delivered at once`() {
        var copies = NotificationCopies(isShared: true, within: .milliseconds(400))
        let date = Date(timeIntervalSince1970: 0)
        #expect(copies.add([1], date) == .init(values: [.init(bytes: [1], date: date)], requests: [.ask]))
        #expect(copies.add([1], date) == .init())
        #expect(copies.answered() == .init())
    }

    @Test func `without a second subscription, another subscriber is assumed`() {
        var copies = NotificationCopies(isShared: false, within: .milliseconds(400))
        let date = Date(timeIntervalSince1970: 0)
        #expect(copies.add([1], date).values.count == 1)
        #expect(copies.add([1], date).requests == [.ask])
        #expect(copies.answered().requests == [.probe(1)])
        #expect(copies.probeFailed(1) == .init(requests: [.endProbe(1)]))
        copies.probeEnded(1)
        #expect(copies.add([2], date).values.count == 1)
        #expect(copies.add([2], date) == .init())
        #expect(copies.answered() == .init())
    }

    @Test func `a sensor that falls silent while it is measured still delivers its values`() {
        var copies = NotificationCopies(isShared: false, within: .milliseconds(400))
        let date = Date(timeIntervalSince1970: 0)
        for _ in 0..<3 { _ = copies.add([1], date) }
        #expect(copies.answered().requests == [.probe(1)])
        #expect(copies.isProbing(1))
        let outcome = copies.probeIsLate(1)
        #expect(outcome.values.count == 2 && outcome.requests == [.endProbe(1)])
        #expect(!copies.isProbing(1) && copies.end().isEmpty)
    }
}

@Suite struct BlueZSubscriptionTests {
    private static func subscription(_ uuid: BluetoothUUID) -> BlueZSubscription {
        var subscription = BlueZSubscription(
            GATTCharacteristic(uuid: uuid, service: .fitnessMachineService, handle: 1, notifies: true), isShared: true,
            within: .milliseconds(400))
        subscription.copies.began()
        return subscription
    }

    @Test func `equal answers of a control point all count, and equal measurements may be copies`() {
        let answer: [UInt8] = [0x80, 5, 1]
        let date = Date(timeIntervalSinceReferenceDate: 0)
        var point = Self.subscription(.fitnessMachineControlPoint)
        var measurement = Self.subscription(.heartRateMeasurement)
        for second in [0, 0.1, 0.2] {
            let value = NotificationCopies.Value(bytes: answer, date: date + second)
            #expect(point.add(answer, date + second) == NotificationCopies.Outcome(values: [value]))
        }
        #expect(measurement.add(answer, date).requests == [.ask])
    }
}
