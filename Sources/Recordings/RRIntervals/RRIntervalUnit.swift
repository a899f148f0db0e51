/// What intervals without a unit are in.
enum RRIntervalUnit {
    /// Half of them are below the middle one, which no heart has above 10 s, or below 10 ms. `values` are in order.
    static func guess(_ values: [Double]) -> TableUnit {
        guard !values.isEmpty, values[values.count / 2] < 10 else { return .one }
        return TableUnit(factor: 1000)
    }
}
