package import Bluetooth
package import Foundation
package import SessionLog
import Synchronization

/// Passes entries from a sensor's link to its session, and notices silence.
package final class SensorFeed: Sendable {
    private let time: any TimeSource
    private let handOn: @Sendable ([SessionEntry]) -> Void
    private let state: Mutex<State>
    /// A reading that came in time may still be in processing when the time is up.
    private static let graceInSeconds = 0.1

    private struct State {
        var entries: SensorEntries
        var watch: Task<Void, Never>?
    }

    package init(
        _ entries: SensorEntries, time: any TimeSource, _ handOn: @escaping @Sendable ([SessionEntry]) -> Void
    ) {
        self.time = time
        self.handOn = handOn
        state = Mutex(State(entries: entries))
    }

    package func begin(at date: Date) {
        hand { $0.begin(at: date) }
    }

    package func handle(_ event: SensorLinkEvent) {
        // Arrivals are dated by the wall clock, which may have been set since the session began.
        takeDated(event.dated { time.date(atWall: $0) })
    }

    /// An event with a date on the session's clock.
    package func takeDated(_ event: SensorLinkEvent) {
        hand { $0.entries(for: event) }
        state.withLock { state in
            guard state.watch == nil, state.entries.staleAt != nil else { return }
            state.watch = Task { await self.watch() }
        }
    }

    package func end() {
        state.withLock { $0.watch }?.cancel()
    }

    /// The lock also keeps batches in order.
    private func hand(_ body: (inout SensorEntries) -> [SessionEntry]) {
        state.withLock { state in
            let batch = body(&state.entries)
            if !batch.isEmpty { handOn(batch) }
        }
    }

    /// Sleeps from one deadline to the next, and ends when the sensor is away.
    private func watch() async {
        while let due = nextDeadline() {
            guard (try? await time.sleep(until: due.addingTimeInterval(Self.graceInSeconds))) != nil else { return }
            hand { entries in
                guard let staleAt = entries.staleAt, staleAt <= due else { return [] }
                return entries.becameStale()
            }
        }
    }

    private func nextDeadline() -> Date? {
        state.withLock { state in
            if state.entries.staleAt == nil { state.watch = nil }
            return state.entries.staleAt
        }
    }
}
