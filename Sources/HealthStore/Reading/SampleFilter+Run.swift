extension SampleFilter {
    /// The rest of the filter within a run, after everything that is known from its row: `.all`, `.none`, or a condition on each
    /// sample.
    func reduced(for run: StoredRun, _ reader: StoreReader) throws -> SampleFilter {
        switch self {
        case .all, .none, .custom, .categoryValue, .seriesCount, .workoutDuration, .workoutTotal, .workoutStatistic,
            .workoutActivity, .activityType, .activityDuration, .activityStartDate, .activityEndDate,
            .activityStatistic:
            return self
        case .and(let parts):
            return Self.joined(try parts.map { try $0.reduced(for: run, reader) }, neutral: .all, deciding: .none) {
                .and($0)
            }
        case .or(let parts):
            return Self.joined(try parts.map { try $0.reduced(for: run, reader) }, neutral: .none, deciding: .all) {
                .or($0)
            }
        case .not(let inner):
            let inner = try inner.reduced(for: run, reader)
            if inner == .all { return .none }
            return inner == .none ? .all : .not(inner)
        case .ids:
            return self
        case .sources, .sourceText, .sourceRevisions, .devices, .deviceProperty, .hasMetadata, .metadata:
            return try reader.matchesShared(self, run) ? .all : .none
        case .workout(let id):
            return try reader.members(of: id).contains(run.id) ? .all : .none
        case .withoutCorrelation:
            return try reader.isContained(run.id) ? .none : .all
        case .startDate(let comparison, let date):
            return decided(comparison, run.start, run.lastStart, date.timeIntervalSinceReferenceDate)
        case .endDate(let comparison, let date):
            return decided(comparison, run.start, run.end, date.timeIntervalSinceReferenceDate)
        case .quantity(let comparison, let quantity):
            guard run.kind == .quantities, let type = try reader.type(run.type) as? HKQuantityType,
                type.is(compatibleWith: quantity.unit)
            else { return self }
            // Only if it is certain despite the rounding of a conversion. Samples decide the rest.
            let bound = quantity.doubleValue(for: type.recordingUnit)
            let margin = abs(bound) * 1e-9
            return decided(comparison, run.minimum, run.maximum, bound - margin, bound + margin)
        case .workoutActivityType(let comparison, let activity):
            guard run.kind == .workout else { return self }
            return decided(comparison, run.minimum, run.maximum, Double(activity))
        }
    }

    private static func joined(
        _ parts: [SampleFilter], neutral: SampleFilter, deciding: SampleFilter,
        _ make: ([SampleFilter]) -> SampleFilter
    ) -> SampleFilter {
        if parts.contains(deciding) { return deciding }
        let rest = parts.filter { $0 != neutral }
        return rest.isEmpty ? neutral : rest.count == 1 ? rest[0] : make(rest)
    }

    private func decided(
        _ comparison: Comparison, _ least: Double, _ greatest: Double, _ bound: Double
    ) -> SampleFilter {
        decided(comparison, least, greatest, bound, bound)
    }

    /// `.all` or `.none` if all or none of the values between `least` and `greatest` satisfy the comparison with each bound
    /// between `low` and `high`, or else the filter.
    private func decided(
        _ comparison: Comparison, _ least: Double, _ greatest: Double, _ low: Double, _ high: Double
    ) -> SampleFilter {
        // Values and bounds are the same number, or apart.
        let areEqual = least == greatest && low == high && least == low
        let areApart = high < least || low > greatest
        return switch comparison {
        case .less: greatest < low ? .all : least >= high ? .none : self
        case .lessOrEqual: greatest <= low ? .all : least > high ? .none : self
        case .greater: least > high ? .all : greatest <= low ? .none : self
        case .greaterOrEqual: least >= high ? .all : greatest < low ? .none : self
        case .equal: areEqual ? .all : areApart ? .none : self
        case .notEqual: areEqual ? .none : areApart ? .all : self
        }
    }

    /// Whether a sample of a run matches. Times and UUIDs come from the columns, anything else from the sample.
    func matches(
        _ samples: SampleRun, _ index: Int, _ sample: () throws -> HKSample
    ) rethrows -> Bool {
        switch self {
        case .all: true
        case .none: false
        case .and(let parts): try parts.allSatisfy { try $0.matches(samples, index, sample) }
        case .or(let parts): try parts.contains { try $0.matches(samples, index, sample) }
        case .not(let inner): try !inner.matches(samples, index, sample)
        case .ids(let ids): ids.contains(samples.id(index))
        case .startDate(let comparison, let date):
            comparison.holds(samples.starts[index], date.timeIntervalSinceReferenceDate)
        case .endDate(let comparison, let date):
            comparison.holds(samples.ends[index], date.timeIntervalSinceReferenceDate)
        default: matches(try sample())
        }
    }
}

extension SampleFilter.Comparison {
    package func holds<Value: Comparable>(_ value: Value, _ bound: Value) -> Bool {
        switch self {
        case .less: value < bound
        case .lessOrEqual: value <= bound
        case .equal: value == bound
        case .notEqual: value != bound
        case .greaterOrEqual: value >= bound
        case .greater: value > bound
        }
    }
}
