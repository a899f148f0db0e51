extension HKQuery {
    /// Samples in the interval from `startDate` up to, but not including, `endDate`. Nil means no bound.
    ///
    /// Without options a sample matches if it overlaps the interval: it ends at or after `startDate` and starts before
    /// `endDate`. The strict options require its start, its end or both to be inside.
    public class func predicateForSamples(
        withStart startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
    ) -> NSPredicate {
        SampleFilter.interval(
            from: startDate, to: endDate, options: options, start: SampleFilter.startDate, end: SampleFilter.endDate
        ).predicate
    }

    /// Quantity samples whose value matches the comparison. A query of a type with an incompatible unit fails.
    public class func predicateForQuantitySamples(
        with operatorType: PredicateOperator, quantity: HKQuantity
    ) -> NSPredicate {
        SampleFilter.quantity(.init(comparing: operatorType, "quantities"), quantity).predicate
    }

    /// Category samples whose value (a raw value of the type's enumeration) matches the comparison. Operators other than `==`, `!=`,
    /// `<`, `<=`, `>` and `>=` stop the program.
    public class func predicateForCategorySamples(
        with operatorType: PredicateOperator, value: Int
    ) -> NSPredicate {
        SampleFilter.categoryValue(.init(comparing: operatorType, "category values"), value).predicate
    }
}

extension SampleFilter {
    /// Returns the conditions for a start and an end, from an interval and its options.
    static func interval(
        from first: Date?, to last: Date?, options: HKQueryOptions, start: (Comparison, Date) -> SampleFilter,
        end: (Comparison, Date) -> SampleFilter
    ) -> SampleFilter {
        // No sample ends before it starts, so the earlier of two strict bounds implies the other.
        let lower = first.map { (options.contains(.strictStartDate) ? start : end)(.greaterOrEqual, $0) }
        let upper = last.map { (options.contains(.strictEndDate) ? end : start)(.less, $0) }
        return .all(of: [lower, upper].compactMap { $0 })
    }
}

extension HKQuery {
    /// The summary of one day. Components without calendar, year, month or day stop the program.
    public class func predicateForActivitySummary(with dateComponents: DateComponents) -> NSPredicate {
        ActivitySummaryPredicate(.equal, dateComponents)
    }

    /// The summaries of all days from one to another, including both. Components without calendar, year, month or day stop the program.
    public class func predicate(
        forActivitySummariesBetweenStart startDateComponents: DateComponents, end endDateComponents: DateComponents
    ) -> NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [
            ActivitySummaryPredicate(.greaterOrEqual, startDateComponents),
            ActivitySummaryPredicate(.lessOrEqual, endDateComponents),
        ])
    }
}
