import Foundation

/// The locations of a workout's route, in order of time. A route builder creates it, and a route query reads it.
public final class HKWorkoutRoute: HKSeriesSample, @unchecked Sendable {
    /// Creates a route of `count` locations, the first at `start` and the last at `end`.
    package static func validated(
        _ identity: ObjectIdentity, count: Int, start: Date, end: Date
    ) throws(SampleError) -> HKWorkoutRoute {
        try check(HKSeriesType.workoutRoute(), start: start, end: end)
        return HKWorkoutRoute(identity, type: .workoutRoute(), count: count, start: start, end: end)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKWorkoutRoute {
        HKWorkoutRoute(identity, type: .workoutRoute(), count: count, start: start, end: end)
    }
}
