/// Where buckets begin and end.
package enum StatisticsBounds: Sendable {
    /// One bucket from the first to the last sample.
    case whole
    /// Ascending; n + 1 dates are n buckets. Samples outside are left out; one that reaches over a bound is split
    /// in proportion to time.
    case dates([Date])
}

package struct StatisticsBucket: Sendable {
    package var start: Date
    package var end: Date
    /// In ``HKQuantityType/recordingUnit``: the canonical unit, but rates per minute, since 123 count/min do not survive
    /// the way to count/s and back.
    package var total: RunningStatistics
    package var bySource: [HKSource: RunningStatistics]

    package init(start: Date, end: Date, total: RunningStatistics, bySource: [HKSource: RunningStatistics] = [:]) {
        self.start = start
        self.end = end
        self.total = total
        self.bySource = bySource
    }
}
