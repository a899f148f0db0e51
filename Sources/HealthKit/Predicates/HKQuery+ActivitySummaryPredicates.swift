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
