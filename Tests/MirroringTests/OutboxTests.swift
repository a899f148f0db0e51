import Testing

@testable import Mirroring

@Suite struct OutboxTests {
    @Test func `a slow network thread finds the newest entries, or a log to read`() {
        var outbox = Outbox(first: 1, count: 0, keeps: false)
        let entry = [UInt8](repeating: 0, count: Outbox.pendingLimitInBytes / 2)
        let result1 = outbox.append(entry)
        #expect(result1 == (1, true))
        let result2 = outbox.append(entry)
        #expect(result2 == (2, false))
        let result3 = outbox.append(entry)
        #expect(result3 == (3, false))
        let overflown = outbox.takePending()
        #expect(overflown.entries.isEmpty && outbox.count == 3)
        let result4 = outbox.append([4])
        #expect(result4 == (4, true))
        let pending = outbox.takePending()
        #expect(pending.first == 4 && pending.entries == [[4]])
    }

    @Test func `kept entries are read in batches of at least one`() {
        var outbox = Outbox(first: 1, count: 0, keeps: true)
        for number in 1...5 { _ = outbox.append([UInt8](repeating: UInt8(number), count: 96)) }
        #expect(outbox.entries(from: 2, bytes: 250).map(\.first) == [2, 3])
        #expect(outbox.entries(from: 5, bytes: 1).map(\.first) == [5])
        #expect(outbox.entries(from: 6, bytes: 100).isEmpty)
    }

    @Test func `entries that every peer has are discarded`() {
        var outbox = Outbox(first: 1, count: 0, keeps: true)
        for number in 1...5 { _ = outbox.append([UInt8(number)]) }
        outbox.trim(through: 3)
        #expect(outbox.first == 4)
        #expect(outbox.entries(from: 4, bytes: 100) == [[4], [5]])
        #expect(outbox.entries(from: 3, bytes: 100).isEmpty)
    }

    @Test func `nothing is appended after the end`() {
        var outbox = Outbox(first: 1, count: 0, keeps: true)
        outbox.isFinished = true
        let result5 = outbox.append([1])
        #expect(result5 == (nil, false))
    }
}
