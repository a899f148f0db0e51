import Foundation

/// The places that a workout led through, in order of time. Made by a route builder, read with a route query.
public final class HKWorkoutRoute: HKSeriesSample, @unchecked Sendable {
    /// A route of `count` locations, of which the first was at `start` and the last at `end`.
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
