import Synchronization

/// What the builder of a series has gathered, and how far it is: one rule for every builder.
///
/// - It is **open** until it is finished, fails or is discarded.
/// - ``finish(_:_:)`` saves on the builder's own queue, never on a task's thread, which a disk would hold up. Meanwhile
///   nothing can be added. What cannot be saved now (a right that is missing, a workout that is not there, a full disk) stays
///   as it was gathered, and can be finished again; once it is saved, every call fails.
/// - What a builder whose refusals are fatal cannot take ends it: every later call fails.
/// - After ``discard()`` every call but another `discard()` stops the program, where HealthKit raises.
///
/// Fails with ``HKError/Code/errorInvalidArgument``.
final class SeriesCollector<Content: Sendable>: Sendable {
    private struct State {
        var content: Content
        /// Why nothing can be done; nil while it can.
        var closed: String?
        var isDiscarded = false
    }

    /// As its owner is called.
    private let name: String
    private let empty: Content
    private let state: Mutex<State>
    private let queue: DispatchQueue

    init(_ name: String, _ empty: Content) {
        self.name = name
        self.empty = empty
        state = Mutex(State(content: empty))
        queue = DispatchQueue(label: "HealthKit.\(name)")
    }

    /// In each call itself: one that was made before the builder was discarded may come to its turn afterwards.
    func requireUndiscarded() {
        precondition(!state.withLock { $0.isDiscarded }, "this \(name) was discarded: make a new one")
    }

    var content: Content { state.withLock { $0.content } }

    /// `body` throws before it changes anything.
    func change(_ body: (inout Content) throws -> Void) throws {
        try state.withLock { state in
            try requireOpen(state)
            try body(&state.content)
        }
    }

    /// Does `body`, whose error ends the builder.
    func insert(_ body: () throws -> Void) throws {
        try state.withLock { try requireOpen($0) }
        do {
            try body()
        } catch {
            close("has failed")
            throw error
        }
    }

    private func requireOpen(_ state: borrowing State) throws {
        if let closed = state.closed { throw misuse("This \(name) \(closed): make a new one.") }
    }

    func misuse(_ message: String) -> HKError { .make(.errorInvalidArgument, message) }

    // MARK: Finishing

    /// Saves what was gathered. `answer` is called on the builder's queue.
    func finish<Saved>(
        _ save: @escaping @Sendable (Content) throws -> Saved,
        _ answer: @escaping @Sendable (Result<Saved, any Error>) -> Void
    ) {
        requireUndiscarded()
        queue.asyncInEnvironment { [self] in answer(Result { try finishNow(save) }.mapError(HKError.wrapping)) }
    }

    func finish<Saved: Sendable>(_ save: @escaping @Sendable (Content) throws -> Saved) async throws -> Saved {
        try await withCheckedThrowingContinuation { continuation in finish(save) { continuation.resume(with: $0) } }
    }

    private func finishNow<Saved>(_ save: (Content) throws -> Saved) throws -> Saved {
        let content = try state.withLock { state in
            try requireOpen(state)
            state.closed = "is being saved"
            return state.content
        }
        do {
            let saved = try save(content)
            state.withLock { $0 = State(content: empty, closed: "has finished", isDiscarded: $0.isDiscarded) }
            return saved
        } catch {
            state.withLock { if !$0.isDiscarded { $0.closed = nil } }
            throw error
        }
    }

    /// Forgets what was gathered, unless the builder was closed before.
    /// - Returns: Whether it was open until now.
    @discardableResult
    func close(_ reason: String) -> Bool {
        state.withLock { state in
            guard state.closed == nil else { return false }
            state = State(content: empty, closed: reason, isDiscarded: state.isDiscarded)
            return true
        }
    }

    /// - Returns: Whether it was open until now.
    @discardableResult
    func discard() -> Bool {
        state.withLock { state in
            let wasOpen = state.closed == nil
            state = State(content: empty, closed: state.closed ?? "was discarded", isDiscarded: true)
            return wasOpen
        }
    }

    // MARK: Answers

    /// Tells a handler on the builder's queue how a call went.
    func answer(_ completion: @escaping @Sendable (Bool, (any Error)?) -> Void, _ result: Result<Void, any Error>) {
        queue.async { respond(to: completion) { try result.get() } }
    }
}
