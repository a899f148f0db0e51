import Foundation

/// Single heartbeats, in order of time. A heartbeat series builder creates it, and a heartbeat series query reads it.
public final class HKHeartbeatSeriesSample: HKSeriesSample, @unchecked Sendable {
    /// Creates a series of `count` beats between `start` and `end`.
    package static func validated(
        _ identity: ObjectIdentity, count: Int, start: Date, end: Date
    ) throws(SampleError) -> HKHeartbeatSeriesSample {
        try check(HKSeriesType.heartbeat(), start: start, end: end)
        return HKHeartbeatSeriesSample(identity, type: .heartbeat(), count: count, start: start, end: end)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKHeartbeatSeriesSample {
        HKHeartbeatSeriesSample(identity, type: .heartbeat(), count: count, start: start, end: end)
    }
}
