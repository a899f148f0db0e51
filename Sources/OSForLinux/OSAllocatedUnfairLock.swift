/// A lock with the state that it protects. Copies of it are the same lock.
///
/// Who waits lends its priority to who holds the lock. A thread that takes a lock twice stops the program, as on Apple's systems.
/// Source: <https://developer.apple.com/documentation/os/osallocatedunfairlock>.
// The state is only accessed while the lock is held.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    /// The condition that `precondition` checks.
    public enum Ownership: Hashable, Sendable {
        /// The calling thread holds the lock.
        case owner
        /// The calling thread does not hold the lock.
        case notOwner
    }

    private final class Storage {
        // A lock must not move: its address is what threads wait at.
        let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
        var state: State

        init(_ state: State) {
            lock.initialize(to: os_unfair_lock())
            self.state = state
        }

        deinit { lock.deallocate() }
    }

    private let storage: Storage

    /// Creates a lock with a state, which need not be Sendable.
    public init(uncheckedState initialState: State) { storage = Storage(initialState) }

    /// A lock with a state.
    public init(initialState: State) where State: Sendable { storage = Storage(initialState) }

    /// Runs a closure with the state while it holds the lock. The closure must not take the lock again.
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
        os_unfair_lock_lock(storage.lock)
        defer { os_unfair_lock_unlock(storage.lock) }
        return try body(&storage.state)
    }

    /// Runs a closure with the state while it holds the lock. The closure must not take the lock again.
    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
        try withLockUnchecked(body)
    }

    /// As `withLockUnchecked`, or nil at once if another thread holds the lock.
    public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
        guard os_unfair_lock_trylock(storage.lock) else { return nil }
        defer { os_unfair_lock_unlock(storage.lock) }
        return try body(&storage.state)
    }

    /// As `withLock`, or nil at once if another thread holds the lock.
    public func withLockIfAvailable<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked(body)
    }

    /// Stops the program unless the calling thread holds the lock, or does not hold it, as stated.
    public func precondition(_ condition: Ownership) {
        switch condition {
        case .owner: os_unfair_lock_assert_owner(storage.lock)
        case .notOwner: os_unfair_lock_assert_not_owner(storage.lock)
        }
    }
}

extension OSAllocatedUnfairLock where State == Void {
    /// A lock without a state.
    public init() { self.init(uncheckedState: ()) }

    /// Takes the lock. The same thread has to release it.
    public func lock() { os_unfair_lock_lock(storage.lock) }

    /// Releases the lock.
    public func unlock() { os_unfair_lock_unlock(storage.lock) }

    /// Takes the lock, or returns false at once if another thread holds it.
    public func lockIfAvailable() -> Bool { os_unfair_lock_trylock(storage.lock) }

    /// Runs a closure while it holds the lock.
    public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
        os_unfair_lock_lock(storage.lock)
        defer { os_unfair_lock_unlock(storage.lock) }
        return try body()
    }

    /// Runs a closure while it holds the lock.
    public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R { try withLockUnchecked(body) }

    /// As `withLockUnchecked`, or nil at once if another thread holds the lock.
    public func withLockIfAvailableUnchecked<R>(_ body: () throws -> R) rethrows -> R? {
        guard os_unfair_lock_trylock(storage.lock) else { return nil }
        defer { os_unfair_lock_unlock(storage.lock) }
        return try body()
    }

    /// As `withLock`, or nil at once if another thread holds the lock.
    public func withLockIfAvailable<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked(body)
    }
}
