extension SampleFilter {
    /// Creates the filter of a predicate for samples of a type. Nil matches all.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a predicate about something that the type does not have.
    package init(predicate: NSPredicate?, for type: HKSampleType) throws(HKError) {
        self = predicate.map(SampleFilter.init(any:)) ?? .all
        try check(for: type)
    }

    /// Creates the filter of a predicate without a known type. Our predicates and Foundation's compounds of them become
    /// values, all others code.
    package init(any predicate: NSPredicate) {
        switch predicate {
        case let predicate as FilterPredicate:
            self = predicate.filter
        case let compound as NSCompoundPredicate:
            let parts = compound.subpredicates.map(SampleFilter.init(any:))
            self = Self.compound(compound.compoundPredicateType, parts)
        case is RefusedPredicate:
            // Foundation considers it equal to its constant.
            self = .custom(CustomPredicate(predicate))
        case NSPredicate(value: true):
            self = .all
        case NSPredicate(value: false):
            self = .none
        default:
            self = .custom(CustomPredicate(predicate))
        }
    }

    private static func compound(_ kind: NSCompoundPredicate.LogicalType, _ parts: [SampleFilter]) -> SampleFilter {
        switch kind {
        case .and: .all(of: parts)
        case .or: .any(of: parts)
        // NSCompoundPredicate allows one part here.
        case .not: parts.first.map(SampleFilter.not) ?? .all
        @unknown default: .none
        }
    }

    /// All of the filters. Always true without any.
    package static func all(of parts: [SampleFilter]) -> SampleFilter {
        parts.count == 1 ? parts[0] : parts.isEmpty ? .all : .and(parts)
    }

    /// One of the filters. Never true without any.
    package static func any(of parts: [SampleFilter]) -> SampleFilter {
        parts.count == 1 ? parts[0] : parts.isEmpty ? .none : .or(parts)
    }

    // MARK: Types

    private func check(for type: HKSampleType) throws(HKError) {
        switch self {
        case .and(let parts), .or(let parts):
            for part in parts { try part.check(for: type) }
        case .not(let part):
            try part.check(for: type)
        case .quantity(_, let quantity):
            guard let quantityType = type as? HKQuantityType else { throw misfit(type) }
            guard quantityType.is(compatibleWith: quantity.unit) else {
                throw .make(
                    .errorInvalidArgument,
                    "The predicate \(self) cannot be used on \(type.identifier): \(quantity.unit) does not convert to \(quantityType.canonicalUnit)."
                )
            }
        case .seriesCount:
            guard type is HKQuantityType || type is HKSeriesType else { throw misfit(type) }
        case .categoryValue:
            guard type is HKCategoryType else { throw misfit(type) }
        case .workoutActivityType, .workoutDuration, .workoutTotal, .workoutStatistic:
            guard type is HKWorkoutType else { throw misfit(type) }
        case .workoutActivity(let inner):
            guard type is HKWorkoutType else { throw misfit(type) }
            try inner.checkForActivities()
        case .activityType, .activityDuration, .activityStartDate, .activityEndDate, .activityStatistic:
            throw .make(
                .errorInvalidArgument,
                "The predicate \(self) is about activities of workouts: wrap it in predicateForWorkouts(activityPredicate:)."
            )
        case .all, .none, .ids, .sources, .sourceText, .sourceRevisions, .devices, .deviceProperty, .hasMetadata,
            .metadata, .workout, .withoutCorrelation, .startDate, .endDate:
            break
        case .custom(let custom):
            if let refused = custom.predicate as? RefusedPredicate { throw refused.error }
        }
    }

    private func checkForActivities() throws(HKError) {
        switch self {
        case .and(let parts), .or(let parts):
            for part in parts { try part.checkForActivities() }
        case .not(let part):
            try part.checkForActivities()
        case .all, .none, .ids, .hasMetadata, .metadata, .activityType, .activityDuration, .activityStartDate,
            .activityEndDate, .activityStatistic:
            break
        case .custom(let custom):
            if let refused = custom.predicate as? RefusedPredicate { throw refused.error }
        case .sources, .sourceText, .sourceRevisions, .devices, .deviceProperty, .workout, .withoutCorrelation,
            .startDate, .endDate, .quantity, .seriesCount, .categoryValue, .workoutActivityType, .workoutDuration,
            .workoutTotal, .workoutStatistic, .workoutActivity:
            throw .make(
                .errorInvalidArgument,
                "The predicate \(self) is about samples, not about activities of workouts: use predicateForWorkoutActivities."
            )
        }
    }

    private func misfit(_ type: HKSampleType) -> HKError {
        .make(
            .errorInvalidArgument,
            "The predicate \(self) cannot be used on \(type.identifier), whose samples have no such property.")
    }
}
