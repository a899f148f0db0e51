extension SampleRun {
    /// The quantities of a series in order of time, in one unit.
    init(_ quantities: [StoredQuantity], unit: HKUnit?) {
        let sorted = quantities.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        starts = sorted.map(\.start.timeIntervalSinceReferenceDate)
        ends = sorted.map { max($0.start, $0.end).timeIntervalSinceReferenceDate }
        values = sorted.map { one in
            unit.flatMap { one.quantity.is(compatibleWith: $0) ? one.quantity.doubleValue(for: $0) : nil }
                ?? one.quantity.value
        }
        fillIdentities()
    }

    /// Beats in seconds since the start of the series. The value is 1 for a beat after a gap.
    init(_ beats: [StoredHeartbeat]) {
        starts = beats.map(\.secondsSinceStart)
        ends = starts
        values = beats.map { $0.precededByGap ? 1 : 0 }
        fillIdentities()
    }

    /// Voltages in microvolts, each with its index.
    init(voltages microvolts: [Double]) {
        starts = microvolts.indices.map(Double.init)
        ends = starts
        values = microvolts
        fillIdentities()
    }

    /// The contents of a series have neither sequence numbers nor UUIDs.
    private mutating func fillIdentities() {
        sequences = [Int64](repeating: 0, count: starts.count)
        ids = .counted(base: .zero, ordinals: [UInt16](repeating: 0, count: starts.count))
    }
}
