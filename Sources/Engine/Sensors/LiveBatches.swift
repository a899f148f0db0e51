import Bluetooth
package import SessionLog

/// Passes the batches of live sensors to the session that reads them: from the thread of arrival to the session's
/// queue.
///
/// The sensors run from the first read until their reader ends or its task is cancelled.
package struct LiveBatches: AsyncSequence, Sendable {
    package typealias Element = [SessionEntry]
    package typealias Failure = any Error

    /// Runs sensors until its task is cancelled.
    let run: @Sendable (_ take: @escaping @Sendable ([SessionEntry]) -> Void) async -> Void

    package init(run: @escaping @Sendable (_ take: @escaping @Sendable ([SessionEntry]) -> Void) async -> Void) {
        self.run = run
    }

    package func makeAsyncIterator() -> Iterator { Iterator(run) }

    package final class Iterator: AsyncIteratorProtocol {
        private let batches = Mailbox<[SessionEntry]>()
        private let running: Task<Void, Never>

        fileprivate init(
            _ run: @escaping @Sendable (_ take: @escaping @Sendable ([SessionEntry]) -> Void) async -> Void
        ) {
            running = Task { [batches] in
                await run { batches.yield($0) }
                batches.finish()
            }
        }

        deinit { running.cancel() }

        package func next(isolation actor: isolated (any Actor)?) async throws -> [SessionEntry]? {
            await batches.next(isolation: actor)
        }

        package func next() async throws -> [SessionEntry]? { try await next(isolation: nil) }
    }
}
