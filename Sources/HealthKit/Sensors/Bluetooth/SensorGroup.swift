package import Recordings
import Synchronization

/// Several sensors as one: their batches as they come, and of those that measure the same only one at a time.
///
/// For sensors that live on the wall clock. Ends when all have ended; one that fails for good fails the group.
package struct SensorGroup: Sensor {
    package let pace = SessionTimeline.Pace.wall
    package let fixedStart: Date? = nil
    private let sensors: [any Sensor]

    /// - Parameter sensors: In order of priority, the first before all others.
    package init(_ sensors: [any Sensor]) {
        self.sensors = sensors
    }

    package func batches(from start: Date, time: any TimeSource) -> AsyncThrowingStream<[SessionEntry], any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: [SessionEntry].self)
        let priority = Priority()
        let sensors = sensors
        let task = Task {
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (place, sensor) in sensors.enumerated() {
                        group.addTask {
                            try await Self.forward(sensor, from: start, time: time) { batch in
                                priority.admit(batch, from: place, into: continuation)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private static func forward(
        _ sensor: some Sensor, from start: Date, time: any TimeSource, to take: ([SessionEntry]) -> Void
    ) async throws {
        for try await batch in sensor.batches(from: start, time: time) { take(batch) }
    }

    /// The lock also keeps the batches in the order in which they were admitted.
    private final class Priority: Sendable {
        private let priority = Mutex(ReadingPriority())

        func admit(
            _ batch: [SessionEntry], from place: Int,
            into continuation: AsyncThrowingStream<[SessionEntry], any Error>.Continuation
        ) {
            priority.withLock {
                let admitted = $0.admit(batch, from: place)
                if !admitted.isEmpty { continuation.yield(admitted) }
            }
        }
    }
}
