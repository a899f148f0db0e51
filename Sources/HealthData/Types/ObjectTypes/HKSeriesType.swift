/// A type of sample that holds a series of measurements too many to be samples of their own.
// Immutable, as HKObjectType explains.
public final class HKSeriesType: HKSampleType, @unchecked Sendable {
    /// The type of `HKWorkoutRoute`: the places that a workout led through.
    public static func workoutRoute() -> HKSeriesType { TypeCatalogue.workoutRoute }

    /// The type of `HKHeartbeatSeriesSample`: single beats.
    public static func heartbeat() -> HKSeriesType { TypeCatalogue.heartbeatSeries }
}

/// The identifier of `HKSeriesType.workoutRoute()`.
public let HKWorkoutRouteTypeIdentifier = "HKWorkoutRouteTypeIdentifier"

/// The identifier of `HKSeriesType.heartbeat()`.
public let HKDataTypeIdentifierHeartbeatSeries = "HKDataTypeIdentifierHeartbeatSeries"
