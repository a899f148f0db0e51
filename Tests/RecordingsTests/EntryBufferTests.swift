import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

@Suite struct EntryBufferTests {
    private func entry(_ second: Int, _ origin: SampleOrigin? = nil) -> SessionEntry {
        let date = Date(timeIntervalSinceReferenceDate: Double(second))
        return SessionEntry(
            date, .quantity(QuantityReading("stepCount", 1, unit: "count", start: date, end: date, origin: origin)))
    }

    @Test func `entries leave in the order they were added, however many wait`() {
        let buffer = EntryBuffer()
        var random = SystemRandomNumberGenerator()
        var (written, read) = (0, 0)
        while read < 5000 {
            for _ in 0..<Int.random(in: 0...300, using: &random) {
                buffer.append(entry(written))
                written += 1
            }
            for _ in 0..<Int.random(in: 0...300, using: &random) {
                guard let next = buffer.next() else { break }
                #expect(next == entry(read))
                read += 1
            }
            #expect(buffer.isEmpty == (read == written))
        }
    }

    @Test func `objects that entries refer to stay with them`() {
        weak var left: SampleOrigin?
        weak var taken: SampleOrigin?
        do {
            let buffer = EntryBuffer()
            do {
                let (first, second) = (SampleOrigin(id: UUID()), SampleOrigin(id: UUID()))
                (taken, left) = (first, second)
                buffer.append(entry(1, first))
                buffer.append(entry(2, second))
                for second in 3..<400 { buffer.append(entry(second)) }
            }
            #expect(buffer.next() != nil)
            #expect(taken == nil && left != nil)
        }
        #expect(left == nil)
    }
}

@Suite struct RecordedEntriesTests {
    /// A few entries in each piece, then a fault in the middle of one.
    private struct Breaking: EntrySource {
        var pieces = 0

        mutating func read(into entries: EntryBuffer) throws(RecordingError) {
            pieces += 1
            for second in 0..<3 {
                if pieces == 3, second == 2 { throw .empty(path: "x") }
                entries.append(
                    SessionEntry(Date(timeIntervalSinceReferenceDate: Double(3 * pieces + second)), .activityEnded))
            }
        }
    }

    @Test func `entries before a fault are delivered first, in each iteration`() {
        let entries = RecordedEntries(source: { () throws(RecordingError) in Breaking() })
        let iterator = entries.makeIterator()
        for _ in 0..<8 {
            #expect(iterator.next() != nil)
            #expect(entries.failure == nil)
        }
        #expect(iterator.next() == nil)
        #expect(entries.failure == .empty(path: "x"))
        #expect(iterator.next() == nil)
        #expect(Array(entries).count == 8)
    }

    @Test func `a recording that cannot be opened gives no entries and a reason`() {
        let entries = RecordedEntries(source: { () throws(RecordingError) -> Breaking in throw .empty(path: "x") })
        #expect(entries.isEmpty)
        #expect(entries.failure == .empty(path: "x"))
    }

    @Test func `each entry can become several, however many there are`() {
        let second = Date(timeIntervalSinceReferenceDate: 0)
        let all = (0..<1000).map { SessionEntry(second + Double($0), .activityEnded) }
        let doubled = RecordedEntries(all).replacing { [$0, SessionEntry($0.date, .routeDiscarded)] }
        let list = Array(doubled)
        #expect(list.count == 2000)
        #expect(zip(list, list.dropFirst()).allSatisfy { $0.date <= $1.date })
        #expect(list[1].content == .routeDiscarded && list[1998].content == .activityEnded)
    }
}
