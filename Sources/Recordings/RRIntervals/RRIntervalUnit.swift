/// Guesses the unit of intervals that have none.
enum RRIntervalUnit {
    /// Guesses by the median: no heart has one above 10 s or below 10 ms. `values` must be sorted.
    static func guess(_ values: [Double]) -> TableUnit {
        guard !values.isEmpty, values[values.count / 2] < 10 else { return .one }
        return TableUnit(factor: 1000)
    }
}
