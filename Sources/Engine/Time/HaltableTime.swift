package import Foundation
import Synchronization

/// A time that can be halted to pause a replay. Nothing happens during the halt, and afterwards everything continues as
/// if there had been none.
package final class HaltableTime: TimeSource {
    private let base: any TimeSource
    private let state = Mutex(State())

    private struct State {
        /// The duration of all halts before the present one.
        var lostInSeconds = 0.0
        var halted: (wall: Date, uptimeInSeconds: Double)?
        /// Finished when the halt ends.
        var waiting: [AsyncStream<Never>.Continuation] = []
    }

    package init(_ base: any TimeSource) {
        self.base = base
    }

    package var isHalted: Bool { state.withLock { $0.halted != nil } }

    package func halt() {
        state.withLock { state in
            if state.halted == nil { state.halted = base.reading() }
        }
    }

    package func goOn() {
        let waiting = state.withLock { state in
            guard let halted = state.halted else { return [AsyncStream<Never>.Continuation]() }
            state.lostInSeconds += max(0, base.uptimeInSeconds - halted.uptimeInSeconds)
            state.halted = nil
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.finish() }
    }

    // MARK: TimeSource

    package func now() -> Date { reading().wall }

    package var uptimeInSeconds: Double { reading().uptimeInSeconds }

    package func reading() -> (wall: Date, uptimeInSeconds: Double) {
        state.withLock { state in
            let reading = state.halted ?? base.reading()
            return (
                reading.wall.addingTimeInterval(-state.lostInSeconds), reading.uptimeInSeconds - state.lostInSeconds
            )
        }
    }

    package func wall() -> Date { base.wall() }

    package func date(atWall wall: Date) -> Date {
        base.date(atWall: wall).addingTimeInterval(-state.withLock { $0.lostInSeconds })
    }

    package var isApart: Bool { base.isApart }

    package func sleep(until date: Date) async throws {
        try Task.checkCancellation()
        while now() < date {
            if let goesOn = whenResumed() {
                for await _ in goesOn {}
                try Task.checkCancellation()
            } else {
                try await base.sleep(until: date.addingTimeInterval(state.withLock { $0.lostInSeconds }))
            }
        }
    }

    /// Ends with the halt. Nil without a halt.
    private func whenResumed() -> AsyncStream<Never>? {
        state.withLock { state in
            guard state.halted != nil else { return nil }
            let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
            state.waiting.append(continuation)
            return stream
        }
    }
}
