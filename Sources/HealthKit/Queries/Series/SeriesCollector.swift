import Synchronization

/// The content and the state of a series builder, with the same rules for every builder.
///
/// - It is **open** until it is finished, fails or is discarded.
/// - ``finish(_:_:)`` saves on the builder's own queue, never on a task's thread, which a disk would block. Nothing can
///   be added meanwhile. If the series cannot be saved (a missing permission, a missing workout, a full disk), its
///   content stays and it can be finished again. Once it is saved, every call fails.
/// - If a builder's errors are fatal, an error ends it: every later call fails.
/// - After ``discard()`` every call but another `discard()` stops the program, as HealthKit raises.
///
/// Fails with ``HKError/Code/errorInvalidArgument``.
final class SeriesCollector<Content: Sendable>: Sendable {
    private struct State {
        var content: Content
        /// Why the builder is closed. Nil while it is open.
        var closed: String?
        var isDiscarded = false
    }

    /// The name of the owner, for messages.
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

    /// Stops the program if the builder was discarded. Each call checks this itself, because a call made before the
    /// discarding may run afterwards.
    func requireUndiscarded() {
        precondition(!state.withLock { $0.isDiscarded }, "this \(name) was discarded: make a new one")
    }

    var content: Content { state.withLock { $0.content } }

    /// Changes the content. `body` throws before it changes anything.
    func change(_ body: (inout Content) throws -> Void) throws {
        try state.withLock { state in
            try requireOpen(state)
            try body(&state.content)
        }
    }

    /// Runs `body`, whose error ends the builder.
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

    /// Saves the content. `answer` is called on the builder's queue.
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

    /// Closes the builder and forgets the content, unless it was closed before.
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

    /// Calls a handler with the result of a call, on the builder's queue.
    func answer(_ completion: @escaping @Sendable (Bool, (any Error)?) -> Void, _ result: Result<Void, any Error>) {
        queue.async { respond(to: completion) { try result.get() } }
    }
}
