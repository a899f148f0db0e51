import Recordings
import Synchronization

/// The series builders of a workout under way: each made when the app first asks for it, and saved with the workout.
final class WorkoutSeries: Sendable {
    private struct Builders {
        var route: HKWorkoutRouteBuilder?
        var heartbeats: HKHeartbeatSeriesBuilder?
    }

    private let builders = Mutex(Builders())

    func route(_ make: () -> HKWorkoutRouteBuilder) -> HKWorkoutRouteBuilder {
        builders.withLock { builders in
            let builder = builders.route ?? make()
            builders.route = builder
            return builder
        }
    }

    func heartbeats(_ make: () -> HKHeartbeatSeriesBuilder) -> HKHeartbeatSeriesBuilder {
        builders.withLock { builders in
            let builder = builders.heartbeats ?? make()
            builders.heartbeats = builder
            return builder
        }
    }

    /// What they have gathered beside the log.
    func added() throws -> AddedSeries {
        let (route, heartbeats) = builders.withLock { ($0.route, $0.heartbeats) }
        return AddedSeries(routeMetadata: route?.metadata, heartbeats: try heartbeats?.gathered())
    }

    func close(_ reason: String) {
        let (route, heartbeats) = builders.withLock { ($0.route, $0.heartbeats) }
        route?.close(reason)
        heartbeats?.close(reason)
    }
}
