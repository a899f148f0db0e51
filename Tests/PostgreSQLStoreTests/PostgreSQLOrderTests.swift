#if PostgreSQL
import Foundation
import MadeSamples
import Synchronization
import Testing

@testable import HealthStore
@testable import PostgreSQLStore

/// A reader that continues from an anchor misses nothing, whatever writers do at the same time.
@Suite(.enabled(if: PostgreSQLUnderTest.address != nil, "needs a server: make test-postgres"))
struct PostgreSQLOrderTests {
    private let source = Made.source("App")
    private let selection = SampleSelection(Made.heartRate)

    /// Continues from its anchor each time.
    private struct Follower {
        let database: PostgreSQLHealthDatabase
        var anchor: Int64 = 0
        var seen: [UUID] = []

        mutating func look(_ selection: SampleSelection) throws {
            let changes = try database.changes([selection], after: anchor, limit: nil)
            #expect(changes.anchor >= anchor)
            anchor = changes.anchor
            seen += changes.added.map(\.uuid)
        }
    }

    /// Waits until a connection of the person waits for a lock that another connection holds.
    private func waitForBlockedWriter(_ watcher: PostgreSQLConnection, blockedBy process: Int64) throws {
        while true {
            let blocked = try watcher.query(
                "SELECT count(*) FROM pg_stat_activity WHERE CAST(? AS int8)::int = ANY (pg_blocking_pids(pid))",
                [.integer(process)])
            if blocked[0].integer(0) > 0 { return }
            Thread.sleep(forTimeInterval: 0.001)
        }
    }

    @Test func `two writers that interleave at every step leave no gap behind an anchor`() throws {
        let address = PostgreSQLUnderTest.address(ofPerson: try PostgreSQLUnderTest.newPerson())
        let (slow, quick) = (PostgreSQLHealthDatabase(address), PostgreSQLHealthDatabase(address))
        var follower = Follower(database: PostgreSQLHealthDatabase(address))
        let watcher = try PostgreSQLConnection(try #require(PostgreSQLUnderTest.address))
        let source = source
        var saved: [UUID] = []
        try follower.look(selection)
        // The slow writer stops before its first statement, between its two samples, and before its COMMIT. Then the
        // quick one writes. Without the lock, it would get the later numbers and the earlier COMMIT.
        for step in 0..<3 {
            let own = [Made.heartRate(60, at: Double(step * 10)), Made.heartRate(61, at: Double(step * 10 + 1))]
            let other = Made.heartRate(70, at: Double(step * 10 + 2))
            let isDone = DispatchSemaphore(value: 0)
            let failure = Mutex<String?>(nil)
            try slow.withWriter(waitingForDisk: true, collecting: false) { writer in
                func interleave(_ now: Int) throws {
                    guard now == step else { return }
                    let process = try Int64.fetchOne(writer.db, sql: "SELECT pg_backend_pid()") ?? 0
                    Thread.detachNewThread {
                        do { try quick.save([other], from: source) } catch { failure.withLock { $0 = "\(error)" } }
                        isDone.signal()
                    }
                    try waitForBlockedWriter(watcher, blockedBy: process)
                    try follower.look(selection)
                }
                try interleave(0)
                try writer.apply(.save(.objects([own[0]])), from: source)
                try interleave(1)
                try writer.apply(.save(.objects([own[1]])), from: source)
                try interleave(2)
            }
            try follower.look(selection)
            isDone.wait()
            #expect(failure.withLock { $0 } == nil)
            try follower.look(selection)
            saved += own.map(\.uuid) + [other.uuid]
        }
        #expect(follower.seen == saved)
    }

    @Test func `people do not wait for each other`() throws {
        let (anna, ben) = (try PostgreSQLUnderTest.database(), try PostgreSQLUnderTest.database())
        try anna.withWriter(waitingForDisk: true, collecting: false) { writer in
            try writer.apply(.save(.objects([Made.heartRate(60, at: 0)])), from: source)
            try ben.save([Made.heartRate(61, at: 0)], from: source)
            #expect(try ben.all(Made.heartRate).count == 1)
            #expect(try anna.all(Made.heartRate).isEmpty)
        }
        #expect(try anna.all(Made.heartRate).count == 1)
    }

    @Test func `many writers of one person lose nothing`() throws {
        let address = PostgreSQLUnderTest.address(ofPerson: try PostgreSQLUnderTest.newPerson())
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { writer in
            let database = PostgreSQLHealthDatabase(address)
            do {
                for second in 0..<10 {
                    try database.save([Made.heartRate(60, at: Double(writer * 100 + second))], from: source)
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        let database = PostgreSQLHealthDatabase(address)
        #expect(try database.all(Made.heartRate).count == 80)
        #expect(try database.changes([selection], after: 0, limit: nil).added.count == 80)
        #expect(try database.checkIntegrity() == [])
    }

    @Test func `a store elsewhere is notified of a write`() async throws {
        let address = PostgreSQLUnderTest.address(ofPerson: try PostgreSQLUnderTest.newPerson())
        let (near, far) = (PostgreSQLHealthDatabase(address), PostgreSQLHealthDatabase(address))
        let (types, told) = AsyncStream<Set<HKSampleType>>.makeStream()
        let observation = far.observe { told.yield($0) }
        try near.save([Made.heartRate(60, at: 0)], from: source)
        var heard = types.makeAsyncIterator()
        #expect(await heard.next() == [Made.heartRate])
        observation.cancel()
    }
}
#endif
