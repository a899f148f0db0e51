extension HKQuery {
    /// The summary of one day. Stops the program when the components have no calendar, or lack year, month or day.
    public class func predicateForActivitySummary(with dateComponents: DateComponents) -> NSPredicate {
        ActivitySummaryPredicate(.equal, dateComponents)
    }

    /// The summaries of the days from one to another, both included. Stops the program when the components have no
    /// calendar, or lack year, month or day.
    public class func predicate(
        forActivitySummariesBetweenStart startDateComponents: DateComponents, end endDateComponents: DateComponents
    ) -> NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [
            ActivitySummaryPredicate(.greaterOrEqual, startDateComponents),
            ActivitySummaryPredicate(.lessOrEqual, endDateComponents),
        ])
    }
}

/// A comparison of the day of an activity summary.
final class ActivitySummaryPredicate: NSPredicate {
    private let comparison: SampleFilter.Comparison
    private let day: CivilDay

    init(_ comparison: SampleFilter.Comparison, _ components: DateComponents) {
        guard components.calendar != nil, let day = CivilDay(components) else {
            preconditionFailure("the date components of an activity summary need a calendar, a year, a month and a day")
        }
        self.comparison = comparison
        self.day = day
        super.init(value: true)
    }

    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        guard let day = (object as? HKActivitySummary)?.record.day else { return false }
        return comparison.holds(day, self.day)
    }

    override var predicateFormat: String {
        "\(HKPredicateKeyPathDateComponents) \(comparison) \(day.year)-\(day.month)-\(day.day)"
    }

    override var description: String { predicateFormat }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ActivitySummaryPredicate else { return false }
        return comparison == other.comparison && day == other.day
    }

    override var hash: Int { day.hashValue }

    override func copy() -> Any { self }

    override func copy(with zone: NSZone? = nil) -> Any { self }
}
