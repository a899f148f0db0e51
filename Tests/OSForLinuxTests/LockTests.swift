import Foundation
import OSForLinux
import Testing

@Suite struct LockTests {
    /// Runs a closure in several threads, and waits for all.
    private func inThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        DispatchQueue.concurrentPerform(iterations: count) { _ in body() }
    }

    @Test func `threads that add under a lock lose nothing`() {
        let lock = OSAllocatedUnfairLock(initialState: 0)
        inThreads(8) { for _ in 0..<20_000 { lock.withLock { $0 += 1 } } }
        #expect(lock.withLock { $0 } == 160_000)
    }

    @Test func `the C lock excludes other threads`() {
        struct Counter: @unchecked Sendable {
            let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
            let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        }
        let counter = Counter()
        counter.lock.initialize(to: os_unfair_lock())
        counter.count.initialize(to: 0)
        inThreads(8) {
            for _ in 0..<20_000 {
                os_unfair_lock_lock(counter.lock)
                counter.count.pointee += 1
                os_unfair_lock_unlock(counter.lock)
            }
        }
        #expect(counter.count.pointee == 160_000)
        counter.lock.deallocate()
        counter.count.deallocate()
    }

    @Test func `a held lock is not available, and the body's errors and results are passed on`() throws {
        struct Wrong: Error {}
        let lock = OSAllocatedUnfairLock(initialState: [1])
        #expect(throws: Wrong.self) { try lock.withLock { _ in throw Wrong() } }
        lock.withLock { $0.append(2) }
        let seen = lock.withLockUnchecked { state in
            let inner = OSAllocatedUnfairLock<Int?>(initialState: nil)
            inThreads(1) { inner.withLock { $0 = 1 } }
            return state
        }
        #expect(seen == [1, 2])
        #expect(lock.withLockIfAvailable { $0.count } == 2)

        let bare = OSAllocatedUnfairLock()
        #expect(bare.lockIfAvailable())
        bare.precondition(.owner)
        #expect(!bare.lockIfAvailable())
        #expect(bare.withLockIfAvailable { true } == nil)
        bare.unlock()
        bare.precondition(.notOwner)
        #expect(bare.withLock { 3 } == 3)
    }

    @Test func `a lock is freed with its state`() {
        final class Held: Sendable {}
        weak var held: Held?
        do {
            let lock = OSAllocatedUnfairLock(initialState: Held())
            held = lock.withLock { $0 }
            #expect(held != nil)
        }
        #expect(held == nil)
    }

    @Test func `taking a lock twice stops the program`() async {
        await #expect(processExitsWith: .failure) {
            let lock = OSAllocatedUnfairLock()
            lock.lock()
            lock.lock()
        }
    }

    @Test func `unlocking a lock that is not held stops the program`() async {
        await #expect(processExitsWith: .failure) { OSAllocatedUnfairLock().unlock() }
    }
}
