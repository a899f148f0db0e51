extension SampleFilter {
    /// Stands in for the evaluation that comes with the queries: what needs no more than the sample's own columns.
    package func matches(_ sample: HKSample) -> Bool {
        switch self {
        case .all: true
        case .none: false
        case .and(let parts): parts.allSatisfy { $0.matches(sample) }
        case .or(let parts): parts.contains { $0.matches(sample) }
        case .not(let inner): !inner.matches(sample)
        case .ids(let ids): ids.contains(sample.uuid)
        case .sources(let identifiers): identifiers.contains(sample.sourceRevision.source.bundleIdentifier)
        case .devices(let devices): sample.device.map(devices.contains) ?? false
        case .hasMetadata(let key): sample.metadata?[key] != nil
        case .startDate(let comparison, let date): comparison.holds(sample.startDate, date)
        case .endDate(let comparison, let date): comparison.holds(sample.endDate, date)
        case .quantity(let comparison, let bound):
            (sample as? HKQuantitySample).map { $0.quantity.is(compatibleWith: bound.unit)
                && comparison.holds($0.quantity.compare(bound).rawValue, 0) } ?? false
        case .categoryValue(let comparison, let value):
            (sample as? HKCategorySample).map { comparison.holds($0.value, value) } ?? false
        case .workoutActivityType(let comparison, let type):
            (sample as? HKWorkout).map { comparison.holds($0.workoutActivityType.rawValue, type) } ?? false
        default: false
        }
    }
}
