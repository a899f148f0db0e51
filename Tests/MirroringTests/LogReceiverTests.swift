import Foundation
import Testing

@testable import Mirroring

@Suite struct LogReceiverTests {
    private let log = UUID()

    private func hello(_ log: UUID, first: UInt64 = 1, count: UInt64) -> Hello {
        Hello(channel: UUID(), log: log, first: first, count: count, received: nil, greeting: [])
    }

    @Test func `repeated entries are taken once`() {
        var receiver = LogReceiver()
        #expect(receiver.began(hello(log, count: 0)) == true)
        #expect(receiver.received([[1], [2]], first: 1) == .new([[1], [2]], first: 1))
        #expect(receiver.received([[1], [2]], first: 1) == .known)
        #expect(receiver.received([[2], [3]], first: 2) == .new([[3]], first: 3))
    }

    @Test func `a gap is detected`() {
        var receiver = LogReceiver()
        #expect(receiver.received([[1]], first: 1) == .gap)
        _ = receiver.began(hello(log, count: 5))
        #expect(receiver.received([[2]], first: 2) == .gap)
    }

    @Test(arguments: [
        // The same log continues, even without new entries.
        (UInt64(3), UInt64(1), UInt64(9), false), (3, 1, 3, false), (3, 4, 9, false),
        // It has fewer entries than were received, or begins after a gap: begin anew.
        (3, 1, 2, true), (3, 5, 9, true),
    ])
    func `the same log continues where it stopped`(through: UInt64, first: UInt64, count: UInt64, isNew: Bool) {
        var receiver = LogReceiver(MirrorPosition(log: log, through: through))
        let hello = hello(log, first: first, count: count)
        #expect(receiver.began(hello) == isNew)
        let resume = LogReceiver.resume(
            MirrorPosition(log: log, through: through), log: log, first: first, count: count)
        #expect(receiver.delivered?.through == resume)
        #expect(resume == (isNew ? first - 1 : through))
    }

    @Test func `another log begins anew`() {
        var receiver = LogReceiver(MirrorPosition(log: UUID(), through: 3))
        #expect(receiver.began(hello(log, count: 9)) == true)
        #expect(receiver.delivered == MirrorPosition(log: log, through: 0))
    }

    @Test func `late entries of an earlier log do not count for the new one`() {
        let earlier = UUID()
        var receiver = LogReceiver()
        _ = receiver.began(hello(earlier, count: 0))
        _ = receiver.received([[1], [2]], first: 1)
        _ = receiver.began(hello(log, count: 5))
        #expect(receiver.handled(through: 2, of: earlier) == false)
        #expect(receiver.position == MirrorPosition(log: log, through: 0))
    }
}
