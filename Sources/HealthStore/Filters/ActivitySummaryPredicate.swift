/// A comparison with the day of an activity summary.
package final class ActivitySummaryPredicate: NSPredicate {
    private let comparison: SampleFilter.Comparison
    private let day: CivilDay

    package init(_ comparison: SampleFilter.Comparison, _ components: DateComponents) {
        guard components.calendar != nil, let day = CivilDay(components) else {
            preconditionFailure("the date components of an activity summary need a calendar, a year, a month and a day")
        }
        self.comparison = comparison
        self.day = day
        super.init(value: true)
    }

    package override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        guard let day = (object as? HKActivitySummary)?.record.day else { return false }
        return comparison.holds(day, self.day)
    }

    package override var predicateFormat: String {
        "\(HKPredicateKeyPathDateComponents) \(comparison) \(day.year)-\(day.month)-\(day.day)"
    }

    package override var description: String { predicateFormat }

    package override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ActivitySummaryPredicate else { return false }
        return comparison == other.comparison && day == other.day
    }

    package override var hash: Int { day.hashValue }

    package override func copy() -> Any { self }

    package override func copy(with zone: NSZone? = nil) -> Any { self }
}
