import Synchronization

/// Whether a reader has dealt with all that it was given: it asks for more.
final class Taken: Sendable {
    private let state = Mutex(State())

    private struct State {
        var given = 0
        var asked = 0
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var ends: [CheckedContinuation<Void, Never>] = []

        var isAll: Bool { isOver || asked > given }
    }

    func handedOver() { state.withLock { $0.given += 1 } }

    func askedAgain() {
        let done = state.withLock { state in
            state.asked += 1
            guard state.isAll else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in done { continuation.resume() }
    }

    func finish() {
        let done = state.withLock { state in
            state.isOver = true
            defer { (state.waiting, state.ends) = ([], []) }
            return state.waiting + state.ends
        }
        for continuation in done { continuation.resume() }
    }

    /// Returns when nothing waits to be taken.
    func all() async {
        await withCheckedContinuation { continuation in
            let isAll = state.withLock { state in
                if !state.isAll { state.waiting.append(continuation) }
                return state.isAll
            }
            if isAll { continuation.resume() }
        }
    }

    /// Returns when the reader has gone.
    func end() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.isOver { state.ends.append(continuation) }
                    return state.isOver
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            finish()
        }
    }
}
