package import SessionLog

/// The bounds of buckets.
package enum StatisticsBounds: Sendable {
    /// One bucket from the first to the last sample.
    case whole
    /// Ascending. n + 1 dates make n buckets. Samples outside are ignored. A sample that spans a bound is split in
    /// proportion to time.
    case dates([Date])
}

package struct StatisticsBucket: Sendable {
    package var start: Date
    package var end: Date
    /// In ``HKQuantityType/recordingUnit``: the canonical unit, except that rates are per minute, because 123 count/min
    /// changes when it is converted to count/s and back.
    package var total: RunningStatistics
    package var bySource: [HKSource: RunningStatistics]

    package init(start: Date, end: Date, total: RunningStatistics, bySource: [HKSource: RunningStatistics] = [:]) {
        self.start = start
        self.end = end
        self.total = total
        self.bySource = bySource
    }
}
