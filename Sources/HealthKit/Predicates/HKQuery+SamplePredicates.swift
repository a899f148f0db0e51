extension HKQuery {
    /// Samples in the interval from `startDate` to `endDate`, the end not included; nil leaves a side open.
    ///
    /// Without options a sample need only reach into it: it ends at or after `startDate` and starts before `endDate`. The
    /// strict options ask for its start, its end or both to lie inside.
    public class func predicateForSamples(
        withStart startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
    ) -> NSPredicate {
        SampleFilter.interval(
            from: startDate, to: endDate, options: options, start: SampleFilter.startDate, end: SampleFilter.endDate
        ).predicate
    }

    /// A query on a type whose unit does not convert to the quantity's fails with an error.
    public class func predicateForQuantitySamples(
        with operatorType: PredicateOperator, quantity: HKQuantity
    ) -> NSPredicate {
        SampleFilter.quantity(.init(comparing: operatorType, "quantities"), quantity).predicate
    }

    /// Category samples whose value, a number of the type's own enumeration, compares so. Stops the program for an
    /// operator other than `==`, `!=`, `<`, `<=`, `>` and `>=`.
    public class func predicateForCategorySamples(
        with operatorType: PredicateOperator, value: Int
    ) -> NSPredicate {
        SampleFilter.categoryValue(.init(comparing: operatorType, "category values"), value).predicate
    }
}

extension SampleFilter {
    /// What an interval and its options ask of a start and an end.
    static func interval(
        from first: Date?, to last: Date?, options: HKQueryOptions, start: (Comparison, Date) -> SampleFilter,
        end: (Comparison, Date) -> SampleFilter
    ) -> SampleFilter {
        // Nothing ends before it starts, so the earlier of two strict bounds implies the other.
        let lower = first.map { (options.contains(.strictStartDate) ? start : end)(.greaterOrEqual, $0) }
        let upper = last.map { (options.contains(.strictEndDate) ? end : start)(.less, $0) }
        return .all(of: [lower, upper].compactMap { $0 })
    }
}

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
